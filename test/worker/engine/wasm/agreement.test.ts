/** The kernel and the reference engine make the same bytes: of every pixel, and of every depth. */
import { describe, expect, it } from 'vitest'
import { prepareScene } from '../../../../scripts/run/prepare-scene.ts'
import { silentLog } from '../../../../shared/log.ts'
import { type PixelPattern, type PixelSet, pixelCount } from '../../../../shared/pixel-set.ts'
import { frameRect, type Size } from '../../../../shared/rect.ts'
import type { AmbientMaterial } from '../../../../shared/scene/ambient-look.ts'
import { type BakedScene, bakedScene } from '../../../../shared/scene/ambient-look.ts'
import { readPackedScene } from '../../../../shared/scene/packed-scene.ts'
import {
  allSamples,
  type Camera,
  type Quality,
  type SampleRange,
  type Vec3,
  type View,
} from '../../../../shared/view.ts'
import type { Tracer } from '../../../../worker/engine/engine.ts'
import { engineByName } from '../../../../worker/node/engines.ts'
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

describe('wasm and reference agree in every byte', () => {
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

  it.each<PixelPattern>([
    { kind: 'strided', cellW: 1, cellH: 1, columns: 480, stride: 3, phase: 1 },
    { kind: 'strided', cellW: 1, cellH: 1, columns: 480, stride: 61, phase: 40 },
    { kind: 'strided', cellW: 480, cellH: 1, columns: 1, stride: 5, phase: 2 },
    { kind: 'cells', cellW: 32, cellH: 32, columns: 15, cells: [3, 4, 20, 36, 77, 104] },
    { kind: 'lattice', stepX: 8, stepY: 8, dx: 4, dy: 4 },
    { kind: 'gaps', stepX: 8, stepY: 8, dx: 4, dy: 4 },
  ])('for the pixels of %j, as many as fill several blocks or as few', pattern => {
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
    const [expected, got] = [mixed.reference, mixed.wasm].map(tracer => {
      const made = { light: new Float64Array(44 * 27 * 3), depth: new Float32Array(44 * 27) }
      tracer.trace(view, set, samples, made)
      return made
    })
    expect(Buffer.compare(new Uint8Array(expected!.light.buffer), new Uint8Array(got!.light.buffer))).toBe(0)
    expect(got!.depth).toEqual(expected!.depth)
    expect(expected!.light.some(sum => sum > 0)).toBe(true)
  })

  it('at the end of the largest frame', () => {
    const view = viewOf([65536, 65536])
    expect(differences(mixed, view, { rect: { x: 30_001, y: 40_003, w: 45, h: 19 } })).toEqual(NONE)
    expect(differences(mixed, view, { rect: { x: 65_513, y: 65_519, w: 23, h: 17 } })).toEqual(NONE)
  })
})

describe.each(['glass', 'corner', 'crowd'])('wasm and reference agree in the scene %s', name => {
  it('along its paths', async () => {
    const prepared = await prepareScene(name, [96, 54], 'fly-through', silentLog)
    const pair = open(bakedScene(readPackedScene(prepared.held.bytes)))
    for (const frame of [0, 9, 31]) {
      const quality = { samples: 2, ambientRays: 2, maxDepth: 6 }
      const view = { ...viewOf([96, 54], { quality, frame }), camera: prepared.cameraAt(frame) }
      expect(trace(pair.wasm, view, { rect: frameRect(view.size) }).depth.some(Number.isFinite)).toBe(true)
      expect(differences(pair, view)).toEqual(NONE)
    }
  })
})
