/** What lies where in a picture: a bright half plane, seen through a filter or a lens. */

import type { Size } from '../../../../shared/frame/rect.ts'
import type { Camera, Quality, Vec3 } from '../../../../shared/frame/view.ts'
import type { Environment, EnvironmentMap } from '../../../../shared/scene/environment.ts'
import { SceneBuilder } from '../scenes/meshes.ts'
import { lookingAt, parallelTo, viewOf } from '../scenes/views.ts'
import { diamondBeyond, discBeyond, gaussianBeyond } from './closed-forms.ts'
import { each, grey, type KnownPicture, NIGHT } from './known-picture.ts'

/** `samples`: per pixel. */
export function cameraPictures(samples: number): KnownPicture[] {
  // One column of pixels, 1 wide, in the middle of which x is 0.
  const column = { size: [1, 256] as Size, camera: parallelTo([0, 0, 5], [0, 0, 0], 0.5) }
  // A point that is seen out of focus: of the circle of confusion, with radius 1, at depth 10.
  const point = (lens: Partial<Camera['lens']>) => {
    const { back, ...camera } = lookingAt([0, 0, 10], [0, 0, 0], 0.001, 1)
    return { size: [16, 16] as Size, camera: { ...camera, back, lens: { radius: 1, focus: 5, ...lens } } }
  }
  return [
    edge('box filter: just within the pixel', { ...column, samples, from: 0.25, share: 0.25 }),
    edge('gaussian filter: one pixel', {
      ...column,
      samples,
      from: 0.5,
      share: gaussianBeyond(0.5),
      filter: 'gaussian',
    }),
    edge('gaussian filter: the next pixel', {
      ...column,
      samples,
      from: 1,
      share: gaussianBeyond(1),
      filter: 'gaussian',
    }),
    edge('lens: out of focus', { ...point({}), samples, from: 0.5, share: discBeyond(0.5) }),
    edge('lens: in focus', { ...point({ focus: 10 }), samples, from: 0.5, share: 0 }),
    edge('lens: four blades', { ...point({ blades: 4 }), samples, from: 0.5, share: diamondBeyond(0.5) }),
    edge('lens: four blades, turned', {
      ...point({ blades: 4, rotation: 0.125 }),
      samples,
      from: 0.5,
      share: (Math.SQRT1_2 - 0.5) / Math.SQRT2,
    }),
    seenMap(samples),
    unseenLight(samples),
  ]
}

interface Edge {
  readonly size: Size
  readonly camera: Camera
  readonly samples: number
  readonly filter?: NonNullable<Quality['filter']>
  /** Where brightness begins. */
  readonly from: number
  readonly share: number
}

function edge(name: string, { size, camera, samples, filter, from, share }: Edge): KnownPicture {
  const builder = new SceneBuilder()
  builder.rectangle(
    builder.material({ color: grey(0), emission: grey(1) }),
    [from + 50, 0, 0],
    [50, 0, 0],
    [0, 1000, 0],
  )
  const view = viewOf(camera, size, { samples, bounces: 0, ...(filter && { filter }) })
  return { name, scene: builder.build(NIGHT), view, expected: grey(share) }
}

/** A quarter of the way from the first texel's middle, at atan2(z, x) = -90°, to the second's. */
function seenMap(samples: number): KnownPicture {
  const texels: [Vec3, Vec3] = [
    [0.2, 0.6, 1],
    [2, 1, 0.5],
  ]
  const environment: EnvironmentMap = {
    kind: 'map',
    width: 2,
    height: 1,
    texels: Float32Array.from(texels.flat()),
    intensity: 1,
    rotation: 0,
  }
  const azimuth = -Math.PI / 4
  const target: Vec3 = [Math.cos(azimuth), 0, Math.sin(azimuth)]
  return {
    name: 'environment map: seen by the camera',
    scene: new SceneBuilder().build(environment),
    view: viewOf(lookingAt([0, 0, 0], target, 0.01, 1), [16, 16], { samples: Math.ceil(samples / 8), bounces: 0 }),
    expected: each(texels[0], (first, channel) => 0.75 * first + 0.25 * texels[1][channel]),
  }
}

/** Lights are invisible to the camera, and do not hide what is behind them. */
function unseenLight(samples: number): KnownPicture {
  const environment: Environment = { kind: 'sky', zenith: grey(0.5), horizon: grey(0.5), ground: grey(0.5) }
  return {
    name: 'lights: not seen by the camera',
    scene: new SceneBuilder().build(environment, [
      { kind: 'point', position: [0, 0, -3], intensity: grey(1), radius: 1 },
      { kind: 'rectangle', position: [0, 0, -2], across: [1, 0, 0], up: [0, 1, 0], radiance: grey(1) },
      { kind: 'distant', direction: [0, 0, -1], irradiance: grey(1), angle: 0.1 },
    ]),
    view: viewOf(lookingAt([0, 0, 0], [0, 0, -1], 10, 1), [8, 8], { samples: Math.ceil(samples / 8), bounces: 0 }),
    expected: grey(0.5),
  }
}
