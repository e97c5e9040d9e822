/**
 * Waves and the scalar driver make the same bytes: of every pixel, every sum of light and every depth. Whatever a wave does with
 * queues, lanes, orders and blocks, no ray may notice.
 */
import { describe, expect, it } from 'vitest'
import { BUILT_IN_SCENES } from '../../../../scenes/index.ts'
import { buildHere as buildPlain } from '../../../../scripts/bench/pictures/kernel/build.ts'
import type { PlainScene } from '../../../../scripts/bench/pictures/model/plain-scene.ts'
import { comparedScenes } from '../../../../scripts/bench/pictures/scenes/compared-scenes.ts'
import { prepareScene } from '../../../../scripts/run/prepare-scene.ts'
import { type PixelPattern, type PixelSet, pixelCount } from '../../../../shared/frame/pixel-set.ts'
import { frameRect, type Size } from '../../../../shared/frame/rect.ts'
import {
  allSamples,
  type Camera,
  type Quality,
  type SampleRange,
  type Vec3,
  type View,
} from '../../../../shared/frame/view.ts'
import { joinSums } from '../../../../shared/light/accumulate.ts'
import type { AmbientMaterial } from '../../../../shared/scene/ambient-look.ts'
import { type BakedScene, bakedScene } from '../../../../shared/scene/ambient-look.ts'
import { readPackedScene } from '../../../../shared/scene/packed-scene.ts'
import { silentLog } from '../../../../shared/text/log.ts'
import type { KernelName, Tracer } from '../../../../worker/engine/engine.ts'
import { engineByName } from '../../../../worker/node/engines.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { isNightly } from '../../../support/nightly.ts'
import { openHere } from '../../support/engines.ts'
import { evenSky, GREY, type Mesh, mixedScene, quad, sceneOf, sphere, unit, viewOf } from '../../support/meshes.ts'

const size: Size = [48, 31]

interface Pair {
  readonly reference: Tracer
  readonly wasm: Tracer
}

const open = (scene: BakedScene): Pair => ({
  reference: openHere(engineByName('reference'), scene),
  wasm: openHere(engineByName('wasm'), scene),
})

/** A scene of the pictures bench. */
function openPlain(scene: PlainScene): Pair {
  const opened = (name: KernelName) => {
    const engine = loadWasmEngine(name)
    return engine.open(buildPlain(engine, scene), 0)
  }
  return { reference: opened('reference'), wasm: opened('wasm') }
}

function trace(tracer: Tracer, view: View, set: PixelSet) {
  const pixels = pixelCount(set)
  const [rgb, depth] = [new Uint8Array(pixels * 3), new Float32Array(pixels)]
  tracer.trace(view, set, allSamples(view), { rgb, depth })
  return { rgb, depthBits: new Uint32Array(depth.buffer), depth }
}

/** Pixels whose bytes differ, and those whose depths do. */
function differences({ reference, wasm }: Pair, view: View, set: PixelSet = { rect: frameRect(view.size) }) {
  const [expected, got] = [trace(reference, view, set), trace(wasm, view, set)]
  const count = { pixels: 0, depths: 0 }
  for (let pixel = 0; pixel < expected.depth.length; pixel++) {
    if ([0, 1, 2].some(k => expected.rgb[pixel * 3 + k] !== got.rgb[pixel * 3 + k])) count.pixels++
    if (expected.depthBits[pixel] !== got.depthBits[pixel]) count.depths++
  }
  return count
}

/** Sums of light, and the channels beside it, of a set. */
function sumsOf(tracer: Tracer, view: View, set: PixelSet, samples: SampleRange) {
  const pixels = pixelCount(set)
  const sums = { light: new Float64Array(pixels * 3), albedo: new Float64Array(pixels * 3) }
  const halfLight = new Float64Array(pixels * 3)
  const seen =
    view.quality.bounces === undefined
      ? {}
      : { features: new Uint32Array(pixels * 7), halfFeatures: new Uint32Array(pixels * 7) }
  const counts = { alpha: new Uint16Array(pixels), depth: new Float32Array(pixels) }
  const vectors = { normal: new Float32Array(pixels * 3), position: new Float32Array(pixels * 3) }
  const centre = { ...vectors, depth: new Float32Array(pixels), id: new Uint32Array(pixels) }
  tracer.trace(view, set, samples, { ...sums, halfLight, ...seen, ...counts, centre })
  return { ...sums, halfLight, ...seen, ...counts, ...vectors, centreDepth: centre.depth, id: centre.id }
}

/** Both trace the same, to the last bit. */
function expectSame(
  { reference, wasm }: Pair,
  view: View,
  set: PixelSet = { rect: frameRect(view.size) },
  samples: SampleRange = allSamples(view),
): void {
  const [expected, got] = [sumsOf(reference, view, set, samples), sumsOf(wasm, view, set, samples)]
  const other = (Object.keys(expected) as (keyof typeof expected)[]).filter(
    name => bytesOf(got[name]!).compare(bytesOf(expected[name]!)) !== 0,
  )
  expect(other).toEqual([])
  expect(expected.light.some(sum => sum > 0)).toBe(true)
}

const bytesOf = ({ buffer }: { readonly buffer: ArrayBuffer }): Buffer => Buffer.from(buffer)

const NONE = { pixels: 0, depths: 0 }
const camera = (change: Partial<Camera>): Camera => ({ ...viewOf(size).camera, ...change })

/** Numbers in [-1, 1) that look random. */
function randoms(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2147483648
  }
}

/** Triangles anywhere, with normals that have nothing to do with them. */
function wildSoup(triangles: number, seed: number): Mesh {
  const random = randoms(seed)
  const corners = Array.from({ length: triangles * 3 }, (_, i) => i)
  return {
    positions: corners.flatMap(() => [random() * 2.5, 1 + random() * 1.5, random() * 2.5]),
    normals: corners.flatMap(i => (i % 7 === 0 ? [0, 0, 0] : unit([random(), random(), random()]))),
    indices: corners,
  }
}

const LIGHTS = {
  sky: { zenith: [0.2, 0.5, 1] as Vec3, horizon: [0.9, 0.8, 0.7] as Vec3, ground: [0.2, 0.3, 0.1] as Vec3 },
  sun: { direction: unit([0.3, 0.8, 0.5]), irradiance: [3, 2.5, 2] as Vec3 },
}
const MATERIALS: readonly AmbientMaterial[] = [
  { kind: 'matte', color: [0.8, 0.5, 0.3] },
  { kind: 'coated', color: [0.3, 0.7, 0.5], ior: 1.5 },
  { kind: 'mirror', color: [0.9, 1, 0.95] },
  { kind: 'glass', color: [1, 0.9, 0.95], ior: 1.5 },
  { kind: 'glass', color: [0.95, 0.95, 1], ior: 4 },
]

const PATTERNS: readonly PixelPattern[] = [
  { kind: 'strided', cellW: 1, cellH: 1, columns: 480, stride: 3, phase: 1 },
  { kind: 'strided', cellW: 1, cellH: 1, columns: 480, stride: 61, phase: 40 },
  { kind: 'strided', cellW: 480, cellH: 1, columns: 1, stride: 5, phase: 2 },
  { kind: 'cells', cellW: 32, cellH: 32, columns: 15, cells: [3, 4, 20, 36, 77, 104] },
  { kind: 'lattice', stepX: 8, stepY: 8, dx: 4, dy: 4 },
  { kind: 'gaps', stepX: 8, stepY: 8, dx: 4, dy: 4 },
]

/** Their own memory is at the same place. */
it('one thread takes turns with both integrators', () => {
  const { wasm } = open(mixedScene())
  const few = viewOf([12, 9], { quality: { samples: 33, ambientRays: 2, maxDepth: 8 } })
  const paths = { ...few, quality: { ...few.quality, samples: 4, bounces: 3 } }
  const set = { rect: frameRect(few.size) }
  const first = [few, paths].map(view => trace(wasm, view, set).rgb)
  expect(first[0]).not.toEqual(first[1])
  expect([few, paths, few].map(view => trace(wasm, view, set).rgb)).toEqual([first[0], first[1], first[0]])
})

describe('the ambient integrator makes the same bytes', () => {
  const mixed = open(mixedScene())

  it.each<Quality>([
    { samples: 1, ambientRays: 0, maxDepth: 0 },
    { samples: 1, ambientRays: 1, maxDepth: 16 },
    { samples: 3, ambientRays: 3, maxDepth: 1 },
    { samples: 5, ambientRays: 64, maxDepth: 16 },
    { samples: 2, ambientRays: 63, maxDepth: 2 },
  ])('at quality $samples $ambientRays $maxDepth', quality => {
    expect(differences(mixed, viewOf(size, { quality, frame: 3 }))).toEqual(NONE)
  })

  it.each([513, 1000, 1024])('with %i samples', samples => {
    const view = viewOf([12, 9], { quality: { samples, ambientRays: 2, maxDepth: 8 } })
    expect(differences(mixed, view)).toEqual(NONE)
  })

  it.each(MATERIALS)('for a heap of $kind triangles with normals from nowhere', material => {
    const floor = { mesh: quad([-6, -0.6, 6], [12, 0, 0], [0, 0, -12]), material: GREY }
    for (const seed of [1, 2, 3]) {
      const heap = open(sceneOf([floor, { mesh: wildSoup(40, seed), material }], LIGHTS))
      const quality = { samples: 2, ambientRays: 3, maxDepth: 12 }
      expect(differences(heap, viewOf(size, { quality, frame: seed }))).toEqual(NONE)
    }
  })

  it('for light that is next to nothing, glaring, or more than a sum holds', () => {
    for (const [light, exposure] of [
      [1e-6, 1],
      [1e5, 1e-5],
      [1e9, 1],
      [1, 1e-3],
    ] as const) {
      const sun = { direction: unit([0.3, 0.8, 0.5]), irradiance: [light, light, light] as Vec3 }
      const parts = MATERIALS.map((material, i) => ({ mesh: sphere([i - 2, 0.8, -i], 0.6, 2), material }))
      const bright = open(sceneOf(parts, { sun, sky: evenSky([light, light / 2, light / 3]) }))
      expect(differences(bright, viewOf(size, { exposure }))).toEqual(NONE)
    }
  })

  it('for triangles without an area', () => {
    const [random, positions] = [randoms(5), [] as number[]]
    for (let i = 0; i < 200; i++) {
      const [a, d] = [[0, 1, 2].map(() => Math.fround(random() * 2)), [0, 1, 2].map(() => Math.fround(random()))]
      for (const along of [0, 1, 2]) for (const k of [0, 1, 2]) positions.push(a[k]! + along * d[k]!)
    }
    const mesh = { ...wildSoup(200, 6), positions }
    const flat = open(sceneOf([{ mesh, material: MATERIALS[1]! }], LIGHTS))
    expect(differences(flat, viewOf([200, 120], { quality: { samples: 4, ambientRays: 2, maxDepth: 4 } }))).toEqual(
      NONE,
    )
  })

  it.each<[string, Partial<View>]>([
    ['of one pixel', { size: [1, 1] }],
    ['of one column', { size: [1, 77] }],
    ['of one row', { size: [131, 1] }],
    ['that is a late frame', { frame: 4294967295 }],
    ['from far away', { camera: camera({ origin: [0, 2e4, 1e5], tanHalfX: 1e-4, tanHalfY: 1e-4, far: 1e6 }) }],
    ['of half the world', { camera: camera({ tanHalfX: 1000, tanHalfY: 1000 }) }],
    ['through a keyhole', { camera: camera({ tanHalfX: 1e-7, tanHalfY: 1e-7 }) }],
    ['from inside glass', { camera: camera({ origin: [0.5, 0.6, 0.6], near: 1e-3 }) }],
    ['from the floor', { camera: camera({ origin: [0, 0, 5], up: [0, 1, 0], back: [0, 0, 1], near: 1e-6 }) }],
    ['straight down', { camera: camera({ origin: [0, 6, 0], up: [0, 0, -1], back: [0, 1, 0] }) }],
    ['cut near and far', { camera: camera({ near: 4.1, far: 5.6 }) }],
    ['mirrored', { camera: camera({ right: [-1, 0, 0] }) }],
  ])('for a view %s', (_, change) => {
    expect(differences(mixed, viewOf(size, change))).toEqual(NONE)
  })

  it.each(PATTERNS)('for the pixels of %j, as many as fill several blocks or as few', pattern => {
    const view = viewOf([480, 240], { quality: { samples: 1, ambientRays: 1, maxDepth: 4 } })
    const set = { rect: { x: 5, y: 3, w: 470, h: pattern.kind === 'lattice' ? 230 : 90 }, pattern }
    expect(differences(mixed, view, set)).toEqual(NONE)
  })

  it.each<SampleRange>([
    { from: 0, to: 1 },
    { from: 1, to: 4 },
    { from: 6, to: 7 },
    { from: 0, to: 7 },
  ])('for samples from $from to $to, in every bit of their sums', samples => {
    const view = viewOf(size, { quality: { samples: 7, ambientRays: 3, maxDepth: 8 } })
    const set = { rect: { x: 1, y: 2, w: 44, h: 27 } }
    expectSame(mixed, view, set, samples)
  })

  it('at the end of the largest frame', () => {
    const view = viewOf([65536, 65536])
    expect(differences(mixed, view, { rect: { x: 30_001, y: 40_003, w: 45, h: 19 } })).toEqual(NONE)
    expect(differences(mixed, view, { rect: { x: 65_513, y: 65_519, w: 23, h: 17 } })).toEqual(NONE)
  })
})

describe.each(BUILT_IN_SCENES.map(({ name }) => name))('in the scene %s both integrators make the same bytes', name => {
  it('along its paths', async () => {
    const size: Size = isNightly ? [192, 108] : [64, 36]
    const prepared = await prepareScene(name, size, 'fly-through', silentLog)
    const pair = open(bakedScene(readPackedScene((await prepared.held.content()).bytes)))
    for (const frame of [0, 9, 31]) {
      const quality = { samples: 2, ambientRays: 2, maxDepth: 6 }
      const view = { ...viewOf(size, { quality, frame }), camera: prepared.cameraAt(frame) }
      expect(trace(pair.wasm, view, { rect: frameRect(view.size) }).depth.some(Number.isFinite)).toBe(true)
      expect(differences(pair, view)).toEqual(NONE)
      expectSame(pair, { ...view, quality: { ...quality, bounces: 5 } })
    }
  })
})

describe('the path tracer makes the same bytes', () => {
  const path = (samples: number, bounces: number): Quality => ({ samples, ambientRays: 0, maxDepth: 0, bounces })
  const mixed = open(mixedScene())

  describe.each(comparedScenes())('of the compared scene $name', ({ scene, camera: place, bounces, filter }) => {
    const pair = openPlain(scene)
    const quality: Quality = { ...path(6, bounces), ...(filter ? { filter } : {}) }
    const view = viewOf([37, 37], { camera: place, quality, frame: 2 })

    it('as it is', () => expectSame(pair, view))
    it('in parallel projection, through the other filter', () => {
      const parallel: Camera = { ...place, orthographic: true, tanHalfX: 2.5, tanHalfY: 2.5 }
      const { filter: _, ...boxed } = quality
      expectSame(pair, { ...view, camera: parallel, quality: filter ? boxed : { ...quality, filter: 'gaussian' } })
    })
    it('through a round lens, for many bounces', () => {
      const lens = { radius: 0.1, focus: 4 }
      expectSame(pair, { ...view, camera: { ...place, lens }, quality: { ...quality, bounces: 64 } })
    })
    it('before nothing', () => expectSame(pair, { ...view, transparent: true }))
    it('without fireflies', () => expectSame(pair, { ...view, quality: { ...quality, clamp: 0.2, caustics: 'off' } }))
    it('by lights without a size', () => {
      const lights = scene.lights.map(light => {
        if (light.kind === 'distant') return { ...light, angle: 0 }
        return light.kind === 'rectangle' ? light : { ...light, radius: 0 }
      })
      expectSame(openPlain({ ...scene, lights }), view)
    })
  })

  it.each([
    [1, 0],
    [1, 1],
    [3, 2],
    [64, 8],
    [5, 1024],
  ])('with %i samples and %i bounces', (samples, bounces) => {
    expectSame(mixed, viewOf(size, { quality: path(samples, bounces), frame: 7 }))
  })

  it.each(MATERIALS)('of a heap of $kind triangles with normals from nowhere', material => {
    const floor = { mesh: quad([-6, -0.6, 6], [12, 0, 0], [0, 0, -12]), material: GREY }
    for (const seed of [1, 2, 3]) {
      const heap = open(sceneOf([floor, { mesh: wildSoup(40, seed), material }], LIGHTS))
      expectSame(heap, viewOf(size, { quality: path(3, 12), frame: seed }))
    }
  })

  it('of light that is next to nothing, or more than a sum holds', () => {
    for (const [light, exposure] of [
      [1e-6, 1],
      [1e9, 1],
    ] as const) {
      const sun = { direction: unit([0.3, 0.8, 0.5]), irradiance: [light, light, light] as Vec3 }
      const parts = MATERIALS.map((material, i) => ({ mesh: sphere([i - 2, 0.8, -i], 0.6, 2), material }))
      const bright = open(sceneOf(parts, { sun, sky: evenSky([light, light / 2, light / 3]) }))
      expectSame(bright, viewOf(size, { exposure, quality: path(2, 6) }))
    }
  })

  it.each(PATTERNS)('of the pixels of %j', pattern => {
    const view = viewOf([480, 240], { quality: path(2, 3) })
    expectSame(mixed, view, { rect: { x: 5, y: 3, w: 470, h: pattern.kind === 'lattice' ? 230 : 90 }, pattern })
  })

  it('of samples that are traced apart and added', () => {
    const view = viewOf(size, { quality: path(9, 5), frame: 4 })
    const set = { rect: { x: 1, y: 2, w: 44, h: 27 } }
    const whole = sumsOf(mixed.reference, view, set, allSamples(view)).light
    const sums = new Float64Array(whole.length)
    for (const [from, to] of [
      [3, 4],
      [0, 3],
      [4, 9],
    ] as const) {
      expectSame(mixed, view, set, { from, to })
      joinSums(sums, sumsOf(mixed.wasm, view, set, { from, to }).light)
    }
    expect(bytesOf(sums).compare(bytesOf(whole))).toBe(0)
  })

  it('of a frame however it is cut into blocks', () => {
    const frame: Size = [90, 61]
    const view = viewOf(frame, { quality: path(4, 5), frame: 1 })
    const whole = sumsOf(mixed.reference, view, { rect: frameRect(frame) }, allSamples(view)).light
    const joined = new Float64Array(whole.length)
    for (const side of [1, 7, 8, 30, 64, 90]) {
      joined.fill(Number.NaN)
      // One row of the narrowest blocks will do.
      const bottom = side === 1 ? 1 : frame[1]
      for (let y = 0; y < bottom; y += side)
        for (let x = 0; x < frame[0]; x += side) {
          const rect = { x, y, w: Math.min(side, frame[0] - x), h: Math.min(side, frame[1] - y) }
          const { light } = sumsOf(mixed.wasm, view, { rect }, allSamples(view))
          for (let row = 0; row < rect.h; row++)
            joined.set(light.subarray(row * rect.w * 3, (row + 1) * rect.w * 3), ((y + row) * frame[0] + x) * 3)
        }
      const sums = bottom * frame[0] * 3
      expect(bytesOf(joined.slice(0, sums)).compare(bytesOf(whole.slice(0, sums)))).toBe(0)
    }
  })
})
