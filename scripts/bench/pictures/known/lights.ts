/** What lights and environments give to a small diffuse surface. */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Environment, EnvironmentMap } from '../../../../shared/scene/environment.ts'
import type { Light } from '../../../../shared/scene/light.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import { add, dot, length, normalize, scale, subtract } from '../model/vector.ts'
import { SceneBuilder } from '../scenes/meshes.ts'
import { parallelTo, viewOf } from '../scenes/views.ts'
import {
  aboveIrradiance,
  besideIrradiance,
  rectangleIrradiance,
  smoothstep,
  sphereIrradiance,
  spotIrradiance,
  squared,
} from './closed-forms.ts'
import { each, grey, type KnownPicture, NIGHT } from './known-picture.ts'

const COLOR: Vec3 = [0.8, 0.5, 0.3]
const UP: Vec3 = [0, 1, 0]
/** Where irradiance is measured. */
const POINT: Vec3 = [0.3, 0, 0.2]
const INTENSITY: Vec3 = [3, 2, 1]

/** `samples`: per pixel. */
export const lightPictures = (samples: number): KnownPicture[] =>
  [...sphereLights(), ...rectangleLights(), ...suns(), smoothSurface, ...maps()].map(lit => lit(samples))

type Lit = (samples: number) => KnownPicture

interface Shining {
  readonly lights?: readonly Light[]
  readonly environment?: Environment
  /** A rectangle that emits, from its centre to the middles of two sides. */
  readonly panel?: { readonly center: Vec3; readonly across: Vec3; readonly up: Vec3; readonly emission: Vec3 }
  /** Of the surface. */
  readonly normal?: Vec3
}

/** The surface at `POINT`, seen from above by a narrow beam: radiance is color / π · irradiance. */
const lit =
  (name: string, { lights = [], environment = NIGHT, panel, normal = UP }: Shining, irradiance: Vec3): Lit =>
  samples => {
    const builder = new SceneBuilder()
    const across: Vec3 = normal[1] === 0 ? [normal[2], 0, -normal[0]] : [0, 0, 1]
    const up: Vec3 = normal[1] === 0 ? UP : [1, 0, 0]
    builder.rectangle(builder.material({ color: COLOR }), POINT, across, up)
    const dark: Partial<Material> = { color: grey(0) }
    if (panel)
      builder.rectangle(builder.material({ ...dark, emission: panel.emission }), panel.center, panel.across, panel.up)
    // From slightly aside, past lights overhead.
    const eye = add(POINT, scale(normalize(add(normal, scale(across, 1.5))), 3))
    return {
      name,
      scene: builder.build(environment, lights),
      view: viewOf(parallelTo(eye, POINT, 1e-4, up), [16, 16], { samples, bounces: 0 }),
      expected: each(irradiance, (received, channel) => (COLOR[channel] * received) / Math.PI),
    }
  }

function sphereLights(): Lit[] {
  const position: Vec3 = [0, 0.8, 0]
  const away = subtract(position, POINT)
  const [distance, cosine] = [length(away), dot(normalize(away), UP)]
  const received = each(INTENSITY, intensity => sphereIrradiance(intensity, distance, cosine))
  const shape = { position, intensity: INTENSITY, radius: 0.4 }
  const axis = scale(normalize(away), -1)
  const overhead = { position: add(POINT, [0, 1, 0]), intensity: INTENSITY, radius: 0.5 }
  const [inner, outer] = [0.98, 0.88]
  const spot = { kind: 'spot', direction: [0, -1, 0], innerCosine: inner, outerCosine: outer } as const
  const falling = (shareOf: (x: number) => number) =>
    each(INTENSITY, intensity =>
      spotIrradiance({ intensity, radius: overhead.radius, distance: 1 }, inner, outer, shareOf),
    )
  return [
    lit('sphere light', { lights: [{ kind: 'point', ...shape }] }, received),
    lit(
      'spot light: within its cone',
      { lights: [{ ...spot, ...shape, direction: axis, innerCosine: 0.8, outerCosine: 0.7 }] },
      received,
    ),
    lit('spot light: beside its cone', { lights: [{ ...spot, ...shape, direction: UP }] }, grey(0)),
    lit('spot light: falling off', { lights: [{ ...spot, ...overhead }] }, falling(smoothstep)),
    lit(
      'spot light: falling off as in glTF',
      { lights: [{ ...spot, ...overhead, falloff: 'squared' }] },
      falling(squared),
    ),
  ]
}

function rectangleLights(): Lit[] {
  const center: Vec3 = [0.5, 0.7, 0]
  const across: Vec3 = [0.4, 0, 0]
  const up: Vec3 = [0, 0, 0.5]
  const span = (axis: 0 | 2, half: number): [number, number] => [
    center[axis] - POINT[axis] - half,
    center[axis] - POINT[axis] + half,
  ]
  const received = each(INTENSITY, radiance =>
    rectangleIrradiance(radiance, center[1], span(0, across[0]), span(2, up[2])),
  )
  const light = { kind: 'rectangle', position: center, radiance: INTENSITY } as const
  return [
    lit('rectangle light', { lights: [{ ...light, across, up }] }, received),
    lit('rectangle light: from behind', { lights: [{ ...light, across: up, up: across }] }, grey(0)),
    lit('emissive panel', { panel: { center, across, up, emission: INTENSITY } }, received),
    lit('emissive panel: its other side', { panel: { center, across: up, up: across, emission: INTENSITY } }, received),
    lit(
      'rectangle light: two, one behind the other, cast no shadow',
      {
        lights: [
          { ...light, across, up },
          { ...light, across, up },
        ],
      },
      each(received, once => 2 * once),
    ),
  ]
}

function suns(): Lit[] {
  const direction = normalize([0.5, 0.7, -0.3])
  return [0.1, 0.25].map(angle =>
    lit(
      `distant light: a disc of ${angle} turns`,
      { lights: [{ kind: 'distant', direction, irradiance: INTENSITY, angle }] },
      each(INTENSITY, irradiance => irradiance * direction[1]),
    ),
  )
}

/**
 * A triangle that stands for a piece of a sphere, lit by a disc which touches the horizon of the sphere's normal at a point: the piece of the disc that is
 * below the triangle lights it, too.
 */
const smoothSurface: Lit = samples => {
  const tilt = Math.PI / 6
  const corners = [0, 1, 2].map((third): Vec3 => {
    const azimuth = (2 * Math.PI * third) / 3
    return [Math.sin(tilt) * Math.sin(azimuth), Math.cos(tilt), Math.sin(tilt) * Math.cos(azimuth)]
  }) as [Vec3, Vec3, Vec3]
  const point = [0.7, 0.15, 0.15].map((weight, i) => scale(corners[i]!, weight)).reduce(add)
  const normal = normalize(point)
  const downwards = normalize(subtract(scale(normal, dot(normal, UP)), UP))
  const builder = new SceneBuilder()
  builder.triangle(builder.material({ color: COLOR }), corners, corners)
  const direction = normalize(add(normal, downwards))
  return {
    name: 'distant light: in part below the triangles of a smooth surface',
    scene: builder.build(NIGHT, [{ kind: 'distant', direction, irradiance: INTENSITY, angle: 0.25 }]),
    view: viewOf(parallelTo(add(point, scale(normal, 3)), point, 1e-4), [16, 16], { samples, bounces: 0 }),
    expected: each(INTENSITY, (irradiance, channel) => (COLOR[channel] * irradiance * Math.SQRT1_2) / Math.PI),
  }
}

function maps(): Lit[] {
  const [dim, bright]: Vec3[] = [
    [0.2, 0.6, 1],
    [2, 1, 0.5],
  ]
  const map = (width: number, height: number, texels: readonly Vec3[], rotation = 0): EnvironmentMap => {
    return { kind: 'map', width, height, texels: Float32Array.from(texels.flat()), intensity: 2, rotation }
  }
  const twice = (irradiance: Vec3) => scale(irradiance, 2)
  const above = each(dim!, (upper, channel) => aboveIrradiance(upper, bright![channel]))
  const beside = each(dim!, (first, channel) => besideIrradiance(first, bright![channel]))
  const between = each(dim!, (first, channel) => (Math.PI * (first + bright![channel])) / 2)
  const two = [dim!, bright!]
  return [
    lit('environment map: one texel', { environment: map(1, 1, [bright!]) }, twice(scale(bright!, Math.PI))),
    lit('environment map: two texels, one above the other', { environment: map(1, 2, two) }, twice(above)),
    // The middle of the second texel of two is at atan2(z, x) = 90°, which is +z.
    lit('environment map: two texels, facing one', { environment: map(2, 1, two), normal: [0, 0, 1] }, twice(beside)),
    lit(
      'environment map: two texels, facing the seam',
      { environment: map(2, 1, two), normal: [-1, 0, 0] },
      twice(between),
    ),
    // Turned by a quarter, +z comes to +x.
    lit('environment map: two texels, turned', { environment: map(2, 1, two, 0.25), normal: [1, 0, 0] }, twice(beside)),
  ]
}
