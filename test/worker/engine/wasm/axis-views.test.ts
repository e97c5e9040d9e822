/**
 * Pictures of cameras that look exactly along an axis, and of suns that stand on one: waves make the bytes of the scalar driver, and take at
 * most twice as many steps as for a camera or a sun beside it.
 */
import { describe, expect, it } from 'vitest'
import { type PixelSet, pixelCount } from '../../../../shared/frame/pixel-set.ts'
import { frameRect, type Size } from '../../../../shared/frame/rect.ts'
import { allSamples, type Camera, type Quality, type Vec3, type View } from '../../../../shared/frame/view.ts'
import { type BakedScene, bakedScene } from '../../../../shared/scene/ambient-look.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import type { Tracer } from '../../../../worker/engine/engine.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { openHere } from '../../support/engines.ts'
import { instancedScene } from '../../support/instanced-scene.ts'
import { GREY, mountains, quad, sceneOf, sphere, viewOf } from '../../support/meshes.ts'

// Of odd numbers, so that some rays start exactly in the middle.
const size: Size = [41, 31]
const whole: PixelSet = { rect: frameRect(size) }
const probes: PixelSet = { ...whole, pattern: { kind: 'lattice', stepX: 4, stepY: 4, dx: 1, dy: 2 } }
const QUALITIES: readonly (readonly [string, Quality])[] = [
  ['ambient', { samples: 2, ambientRays: 2, maxDepth: 4 }],
  ['path', { samples: 2, ambientRays: 0, maxDepth: 0, bounces: 3 }],
]
const ALL = { saved: 0, savedOfMesh: 0 }

/** Hills, balls and walls, of which one stands in the middle; `place` scales and moves them. */
function hills(sun: Vec3, place = (x: number, _axis: number) => x): BakedScene {
  const parts = [
    { mesh: mountains(60), material: GREY },
    { mesh: sphere([0, 1, 0], 1, 4), material: { kind: 'mirror', color: [0.9, 0.9, 0.9] } },
    { mesh: sphere([2, 1, 1], 0.7, 3), material: { kind: 'glass', color: [0.9, 0.9, 1], ior: 1.5 } },
    { mesh: quad([-4, -1, -3], [0, 3, 0], [6, 0, 0]), material: GREY },
    { mesh: quad([0, -1, -3], [0, 3, 0], [0, 0, 6]), material: { kind: 'coated', color: [0.3, 0.6, 0.3], ior: 1.5 } },
  ] as const
  const sky = { zenith: [0.2, 0.5, 1], horizon: [0.9, 0.8, 0.7], ground: [0.2, 0.3, 0.1] } as const
  return sceneOf(
    parts.map(({ mesh, material }) => ({
      mesh: { ...mesh, positions: mesh.positions.map((x, i) => Math.fround(place(x, i % 3))) },
      material,
    })),
    { sky, sun: { direction: sun, irradiance: [3, 2.5, 2] } },
  )
}

const instances = (): BakedScene => {
  const lights = [{ kind: 'distant', direction: [0, 1, 0], irradiance: [2, 2, 1], angle: 0 }] as const
  return bakedScene(packScene({ ...instancedScene(60), lights }))
}

/** Looks along `back` × -1 at the origin. */
const cameraOf = (back: Vec3, up: Vec3, orthographic: boolean): Camera => ({
  origin: [back[0] * 12, back[1] * 12, back[2] * 12],
  right: [up[1] * back[2] - up[2] * back[1], up[2] * back[0] - up[0] * back[2], up[0] * back[1] - up[1] * back[0]],
  up,
  back,
  ...(orthographic ? { orthographic, tanHalfX: 4.1, tanHalfY: 3.1 } : { tanHalfX: 0.41, tanHalfY: 0.31 }),
  near: 0.01,
  far: 1000,
})
const [c, s] = [Math.cos(1e-3), Math.sin(1e-3)]
const CAMERAS: Readonly<Record<string, { camera: Camera; beside?: Camera }>> = {
  'along -z': { camera: cameraOf([0, 0, 1], [0, 1, 0], true), beside: cameraOf([s, 0, c], [0, 1, 0], true) },
  'along z, with other zeros': {
    camera: cameraOf([-0, -0, -1], [-0, 1, -0], true),
    beside: cameraOf([-s, 0, -c], [0, 1, 0], true),
  },
  'along -x': { camera: cameraOf([1, 0, 0], [0, 1, 0], true), beside: cameraOf([c, 0, s], [0, 1, 0], true) },
  'straight down': { camera: cameraOf([0, 1, 0], [0, 0, -1], true), beside: cameraOf([0, c, s], [0, s, -c], true) },
  'straight up': { camera: cameraOf([0, -1, 0], [0, 0, 1], true), beside: cameraOf([0, -c, s], [0, s, c], true) },
  'across x': { camera: cameraOf([0, 0.6, 0.8], [0, 0.8, -0.6], true) },
  'in perspective along -z': { camera: cameraOf([0, 0, 1], [0, 1, 0], false) },
  'in perspective straight down': {
    camera: cameraOf([0, 1, 0], [0, 0, -1], false),
    beside: cameraOf([0, c, s], [0, s, -c], false),
  },
}

function trace(tracer: Tracer, view: View, set: PixelSet) {
  const pixels = pixelCount(set)
  const floats = (count: number) => new Float32Array(pixels * count)
  const sums = { light: new Float64Array(pixels * 3), albedo: new Float64Array(pixels * 3) }
  const centre = {
    normal: floats(3),
    mappedNormal: floats(3),
    position: floats(3),
    depth: floats(1),
    id: new Uint32Array(pixels),
  }
  const out = { ...sums, alpha: new Uint16Array(pixels), depth: floats(1), centre }
  const steps = new Uint32Array(pixels)
  tracer.trace(view, set, allSamples(view), { ...out, steps })
  return { out, steps: steps.reduce((sum, count) => sum + count, 0) }
}

describe.each<[string, scene: BakedScene, move: (camera: Camera) => Camera]>([
  ['hills under a sun overhead', hills([0, 1, 0]), camera => camera],
  ['hills beside a sun on the horizon', hills([-0, 0, 1]), camera => camera],
  [
    'hills that are small and away from the origin',
    hills([0, 1, 0], (x, axis) => x / 100 + [500, -200, -200][axis]!),
    ({ origin: [x, y, z], orthographic, ...camera }) => ({
      ...camera,
      origin: [x / 100 + 500, y / 100 - 200, z / 100 - 200],
      near: 1e-4,
      ...(orthographic && { orthographic, tanHalfX: camera.tanHalfX / 100, tanHalfY: camera.tanHalfY / 100 }),
    }),
  ],
  ['instances under a sun overhead', instances(), camera => camera],
])('of %s', (_, scene, move) => {
  const reference = openHere(loadWasmEngine('reference', ALL), scene)
  const wasm = openHere(loadWasmEngine('wasm', ALL), scene)

  describe.each(QUALITIES)('the integrator %s', (__, quality) => {
    const view = (camera: Camera): View => viewOf(size, { camera: move(camera), quality, frame: 3 })

    it.each(Object.keys(CAMERAS))('%s', name => {
      const { camera, beside } = CAMERAS[name]!
      for (const set of [whole, probes]) {
        const [expected, got] = [trace(reference, view(camera), set), trace(wasm, view(camera), set)]
        expect(got.out).toEqual(expected.out)
        expect(got.out.depth.some(Number.isFinite)).toBe(true)
        if (beside) expect(got.steps / trace(wasm, view(beside), set).steps).toBeLessThanOrEqual(2)
      }
    })
  })
})

it.each(QUALITIES)('a sun overhead costs the integrator %s no more than one beside it', (_, quality) => {
  const view = viewOf(size, { quality })
  const stepsUnder = (sun: Vec3) => trace(openHere(loadWasmEngine('wasm'), hills(sun)), view, whole).steps
  for (const [sun, beside] of [
    [
      [0, 1, 0],
      [s, c, 0],
    ],
    [
      [-0, 1, -0],
      [0, c, s],
    ],
    [
      [1, 0, 0],
      [c, 0, s],
    ],
    [
      [0, 0, 1],
      [0, s, c],
    ],
  ] as const)
    expect(stepsUnder(sun) / stepsUnder(beside)).toBeLessThanOrEqual(1.5)
})

it.each<[string, Partial<Camera>]>([
  ['in parallel projection', { orthographic: true, tanHalfX: 4, tanHalfY: 3 }],
  ['through a lens', { lens: { radius: 0.5, focus: 12 } }],
])('camera rays %s that start many triangles apart take hardly more steps together than one by one', (_, change) => {
  const scene = sceneOf([{ mesh: sphere([0, 0, 0], 1, 6), material: GREY }])
  const quality = { samples: 2, ambientRays: 0, maxDepth: 0, bounces: 0 }
  const camera = { ...cameraOf([0, 0, 1], [0, 1, 0], false), tanHalfX: 0.11, tanHalfY: 0.08, ...change }
  const [alone, together] = (['reference', 'wasm'] as const).map(name =>
    trace(openHere(loadWasmEngine(name), scene), viewOf(size, { camera, quality }), whole),
  )
  expect(together!.out).toEqual(alone!.out)
  expect(together!.steps / alone!.steps).toBeLessThan(1.05)
})
