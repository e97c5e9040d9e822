/** What samples see, for a denoiser: known for a plane of one colour in front of the camera, and what can be between. */
import { describe, expect, it } from 'vitest'
import { secondHalf } from '../../../shared/frame/halves.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import { allSamples, type Vec3, type View } from '../../../shared/frame/view.ts'
import { joinSums } from '../../../shared/light/accumulate.ts'
import type { AmbientMaterial } from '../../../shared/scene/ambient-look.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { openHere, usableEngines } from '../support/engines.ts'
import { evenSky, GREY, type Mesh, mixedScene, NO_SUN, quad, sceneOf, viewOf } from '../support/meshes.ts'

const size: Size = [8, 8]
const quality = { samples: 16, ambientRays: 0, maxDepth: 0, bounces: 4 }
const axes = { right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] } as const
// Two units wide at a distance of 5, seen from z = 5.
const camera = { origin: [0, 0, 5], ...axes, tanHalfX: 0.2, tanHalfY: 0.2, near: 0.1, far: 100 } as const

interface Seen {
  readonly color: Vec3
  readonly normal: Vec3
  readonly depth: number
}

type Parts = readonly { readonly mesh: Mesh; readonly material: AmbientMaterial }[]

/** Mean features of the picture, and of the second half of its samples. */
function featuresOf(name: string, parts: Parts, change: Partial<View> = {}, sky: Vec3 = [1, 3, 0]): [Seen, Seen] {
  const scene = sceneOf(parts, { sky: evenSky(sky), sun: NO_SUN })
  const tracer = openHere(engineByName(name), scene)
  const view = viewOf(size, { camera, quality, exposure: 1, ...change })
  const pixels = size[0] * size[1]
  const [features, halfFeatures] = [new Uint32Array(pixels * 7), new Uint32Array(pixels * 7)]
  const light = new Float64Array(pixels * 3)
  tracer.trace(view, { rect: frameRect(size) }, allSamples(view), { light, features, halfFeatures })
  const seen = (sums: Uint32Array, samples: number): Seen => {
    const means = Array.from({ length: 7 }, (_, k) => {
      let sum = 0
      for (let i = k; i < sums.length; i += 7) sum += sums[i]!
      return sum / (pixels * samples * 65535)
    })
    const [red, green, blue, x, y, z, depth] = means as [number, number, number, number, number, number, number]
    return { color: [red, green, blue], normal: [x * 2 - 1, y * 2 - 1, z * 2 - 1], depth }
  }
  return [seen(features, quality.samples), seen(halfFeatures, quality.samples / 2)]
}

function expectSeen(seen: Seen, color: Vec3, normal: Vec3): void {
  for (let k = 0; k < 3; k++) {
    expect(seen.color[k]).toBeCloseTo(color[k]!, 3)
    expect(seen.normal[k]).toBeCloseTo(normal[k]!, 3)
  }
}

const RED: AmbientMaterial = { kind: 'matte', color: [0.6, 0.2, 0.1] }
const wall = (z: number, half = 4): Mesh => quad([-half, -half, z], [2 * half, 0, 0], [0, 2 * half, 0])

describe.each(usableEngines)('what samples see with engine %s', name => {
  it('is the colour, the normal and the distance of what they hit', () => {
    const [whole, half] = featuresOf(name, [{ mesh: wall(0), material: RED }])
    for (const seen of [whole, half]) {
      expectSeen(seen, [0.6, 0.2, 0.1], [0, 0, 1])
      // The wall is where the scene's middle is: as far as its reach, but for the corners of the picture.
      expect(seen.depth).toBeGreaterThan(0.5)
      expect(seen.depth).toBeLessThan(0.51)
    }
  })

  it('faces the camera, whichever side of a surface that is', () => {
    const mesh = quad([-4, -4, 0], [0, 8, 0], [8, 0, 0])
    expectSeen(featuresOf(name, [{ mesh, material: RED }])[0], [0.6, 0.2, 0.1], [0, 0, 1])
  })

  it('is what a mirror shows, tinted, and as far away as light has gone', () => {
    const mirror: AmbientMaterial = { kind: 'mirror', color: [1, 0.5, 0.5] }
    // The camera is between both.
    const parts = [
      { mesh: wall(0), material: mirror },
      { mesh: wall(20, 40), material: RED },
    ]
    const [{ depth, ...seen }] = featuresOf(name, parts)
    const [{ depth: near }] = featuresOf(name, [
      { mesh: wall(0), material: RED },
      { mesh: wall(20, 40), material: RED },
    ])
    expect(seen.color[0]).toBeCloseTo(0.6, 2)
    expect(seen.color[1]).toBeCloseTo(0.1, 2)
    expect(seen.normal[2]).toBeCloseTo(-1, 2)
    // 5 units there and 20 back.
    const [far, reach] = [near / (1 - near), depth / (1 - depth)]
    expect(reach / far).toBeCloseTo(5, 1)
  })

  it('is what is behind clear glass, as far as that lets it through', () => {
    const glass: AmbientMaterial = { kind: 'glass', color: [1, 1, 1], ior: 1.5 }
    // Both faces of a pane; 4 % are mirrored at each: the sky.
    const back = quad([-4, -4, 0.9], [0, 8, 0], [8, 0, 0])
    const parts = [
      { mesh: wall(0), material: RED },
      { mesh: wall(1), material: glass },
      { mesh: back, material: glass },
    ]
    const [{ color, normal }] = featuresOf(name, parts)
    const through = normal[2]
    expect(through).toBeGreaterThan(0.85)
    expect(through).toBeLessThan(0.97)
    // What is mirrored there is the sky, shown as 1 / 2, 3 / 4 and 0.
    for (const [k, sky] of [0.5, 0.75, 0].entries())
      expect(color[k]).toBeCloseTo(RED.color[k]! * through + sky * (1 - through), 1)
  })

  it('is the sky where there is nothing else, and nothing of it in transparent pictures', () => {
    const aside = [{ mesh: quad([50, 50, 0], [1, 0, 0], [0, 1, 0]), material: GREY }]
    const [seen] = featuresOf(name, aside, { exposure: 3 })
    expectSeen(seen, [3 / 4, 9 / 10, 0], [0, 0, 0])
    expect(seen.depth).toBe(1)
    expectSeen(featuresOf(name, aside, { transparent: true })[0], [0, 0, 0], [0, 0, 0])
  })

  it('is the last thing that a path meets which ends before', () => {
    const mirror: AmbientMaterial = { kind: 'mirror', color: [0.9, 0.9, 0.9] }
    const [seen] = featuresOf(name, [{ mesh: wall(0), material: mirror }], { quality: { ...quality, bounces: 0 } })
    // One more ray is traced, for the light that it meets.
    expectSeen(seen, [0.9 / 2, (0.9 * 3) / 4, 0], [0, 0, 0])
    const parts = [
      { mesh: wall(0), material: mirror },
      { mesh: wall(20, 40), material: mirror },
    ]
    const [{ color, normal }] = featuresOf(name, parts, { quality: { ...quality, bounces: 0 } })
    expect(color[0]).toBeCloseTo(0.81, 2)
    expect(normal[2]).toBeCloseTo(-1, 2)
  })

  it('is the same through a lens, and of any of its samples', () => {
    const lens = { radius: 0.2, focus: 5 }
    const [whole, half] = featuresOf(name, [{ mesh: wall(0), material: RED }], { camera: { ...camera, lens } })
    expectSeen(whole, [0.6, 0.2, 0.1], [0, 0, 1])
    expectSeen(half, [0.6, 0.2, 0.1], [0, 0, 1])
  })
})

describe.each(usableEngines)('the second half of the samples of engine %s', name => {
  it.each([
    ['', {}],
    ['of an adaptive frame', { adaptive: true }],
    ['of a frame with motion blur', { moments: 3 }],
    ['of a frame with only so much time', { timed: true }],
  ] as const)('is their light, traced alone %s', (_, change) => {
    const tracer = openHere(engineByName(name), mixedScene())
    const view = viewOf([23, 17], { quality: { ...quality, samples: 40 }, ...change })
    const set = { rect: frameRect(view.size) }
    const planes = () => ({ light: new Float64Array(23 * 17 * 3), features: new Uint32Array(23 * 17 * 7) })
    const [light, halfLight] = [planes().light, planes().light]
    const [halfFeatures, sums] = [planes().features, planes()]
    tracer.trace(view, set, allSamples(view), { light, halfLight, halfFeatures })
    const { moments, adaptive = false, timed = false } = view
    // So many that more can be added are divided like those of an adaptive frame.
    const isAdaptive = adaptive || moments === undefined
    const sampling = { samples: 40, moments, isAdaptive, isTimed: timed }
    for (const range of secondHalf(sampling, allSamples(view))) {
      const part = planes()
      tracer.trace(view, set, range, part)
      joinSums(sums.light, part.light)
      for (const [i, value] of part.features.entries()) sums.features[i]! += value
    }
    expect(halfLight).toEqual(sums.light)
    expect(halfFeatures).toEqual(sums.features)
    // Nothing is left of the sums of the first half in those of the second.
    expect(light.every((sum, i) => sum >= halfLight[i]!)).toBe(true)
    expect(light).not.toEqual(halfLight)
  })
})
