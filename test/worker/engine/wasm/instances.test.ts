/** Meshes with trees of their own: whatever is instanced, the picture has the bytes of the one in which everything is baked. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Quality, Vec3, View } from '../../../../shared/frame/view.ts'
import { bakedScene } from '../../../../shared/scene/ambient-look.ts'
import { IDENTITY, type Instance, type SceneDescription } from '../../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../../shared/scene/material.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import type { KernelName } from '../../../../worker/engine/engine.ts'
import {
  ALL_INSTANCES as ALL,
  INSTANCING,
  instancingOf,
  NO_INSTANCES as NONE,
} from '../../../../worker/engine/wasm/instances/instancing.ts'
import { pictureOf } from '../../support/instanced-picture.ts'
import { everything, instancedScene, numbers, plain } from '../../support/instanced-scene.ts'
import { sphere, viewOf } from '../../support/meshes.ts'
import { ask, castIn, compare, PATHS, prepare, type Ray } from './brute-force.ts'

const AMBIENT: Quality = { samples: 2, ambientRays: 2, maxDepth: 4 }
const PATH: Quality = { samples: 2, ambientRays: 0, maxDepth: 0, bounces: 4 }

const far = (scene: SceneDescription, by: number): SceneDescription => ({
  ...scene,
  instances: scene.instances.map(instance => ({
    ...instance,
    transform: instance.transform.map((x, i) => (i % 4 === 3 ? x + by : x)),
  })),
})

describe.each<KernelName>(['wasm', 'reference'])('with the engine %s', name => {
  const size: View['size'] = name === 'wasm' ? [160, 120] : [48, 36]
  it.each([
    ['of the ambient integrator', AMBIENT],
    ['of the path tracer', PATH],
  ])('pictures %s have the bytes of baked triangles', (_, quality) => {
    const scene = instancedScene(120)
    const view = viewOf(size, { quality })
    const baked = pictureOf(name, scene, view, NONE)
    const instanced = pictureOf(name, scene, view)
    expect(baked.instances).toBe(0)
    expect(instanced.instances).toBeGreaterThan(90)
    expect(instanced.instances).toBeLessThan(120)
    expect(new Set(baked.out.centre.id).size).toBeGreaterThan(100)
    expect(instanced.out).toEqual(baked.out)
  })
})

it('pictures of things far from the origin have the bytes of baked triangles', () => {
  const scene = far(instancedScene(60), 4000)
  const view = viewOf([120, 90], { quality: AMBIENT })
  const camera = { ...view.camera, origin: view.camera.origin.map(x => x + 4000) as [number, number, number] }
  const seen = { ...view, camera }
  expect(pictureOf('wasm', scene, seen).out).toEqual(pictureOf('wasm', scene, seen, NONE).out)
})

it('panes that let light through have no seams where they touch, instanced or not', () => {
  // A row of panes, every second one mirrored; rays through the middle of the picture meet the edges that they share.
  const pane = plain({
    positions: [0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0, 0, 3, 0, 1, 3, 0],
    normals: Array.from({ length: 18 }, (_, i) => Number(i % 3 === 2)),
    indices: [0, 1, 2, 0, 2, 3, 3, 2, 5, 3, 5, 4],
  })
  const instances = [-2, -1, 0, 1].map(
    (x): Instance => ({
      mesh: 0,
      transform: [x % 2 === 0 ? 1 : -1, 0, 0, x % 2 === 0 ? x : x + 1, 0, 1, 0, 0, 0, 0, 1, 0],
      materials: [0],
    }),
  )
  const glass: Material = { ...DEFAULT_MATERIAL, color: [0, 0, 0], unlit: true, alpha: 'blend', opacity: 0.5 }
  const scene: SceneDescription = {
    ...instancedScene(0),
    meshes: [pane],
    instances,
    materials: [glass],
    environment: { kind: 'sky', zenith: [1, 1, 1], horizon: [1, 1, 1], ground: [1, 1, 1] },
  }
  const view = viewOf([9, 9], { quality: { samples: 1, ambientRays: 0, maxDepth: 4 } })
  const camera = { ...view.camera, origin: [0, 0, 8], right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] } as const
  const seen: View = { ...view, camera: { ...camera, tanHalfX: 1 / 16, tanHalfY: 1 / 16 } }
  const { out, instances: count } = pictureOf('wasm', scene, seen)
  expect(count).toBe(4)
  expect([...new Set(out.light)]).toEqual([0.5])
  expect(out).toEqual(pictureOf('wasm', scene, seen, NONE).out)
})

const mapped = ([x, y, z]: Vec3, change: (value: number, axis: number) => number): Vec3 => [
  Math.fround(change(x, 0)),
  Math.fround(change(y, 1)),
  Math.fround(change(z, 2)),
]

describe('rays', () => {
  const within = (least: number, most: number) => fc.double({ min: least, max: most, noNaN: true }).map(Math.fround)
  const point = (reach: number) => fc.tuple(within(-reach, reach), within(-reach, reach), within(-reach, reach))
  const isLong = (direction: Vec3) => Math.hypot(...direction) > 1e-3
  const along = fc.oneof(
    point(1).filter(isLong),
    // Along an axis of the scene, and nearly so.
    fc.constantFrom<Vec3>([1, 0, 0], [0, -1, 0], [0, 0, 1], [1, 1e-30, 0], [1e-7, 1, -1e-7]),
  )
  const ray: fc.Arbitrary<Ray> = fc.record(
    { origin: fc.oneof(point(3), point(1000)), direction: along, tMin: within(0, 2), tMax: within(0, 2000) },
    { requiredKeys: ['origin', 'direction'] },
  )
  /** Towards the middle of everything, from however far: most of them hit something. */
  const aimed: fc.Arbitrary<Ray> = fc
    .record({ origin: fc.oneof(point(6), point(3000)), at: point(1.5) })
    .map(({ origin, at }) => ({ origin, direction: mapped(origin, (x, axis) => at[axis]! - x) }))
    .filter(({ direction }) => isLong(direction))

  it('meet instances as if they were baked, bit for bit', () => {
    const all = instancedScene(40)
    // Of what lets light through, brute force knows glass alone.
    const materials = all.materials.map((each): Material => ({ ...each, alpha: 'opaque' }))
    const prepared = prepare(bakedScene(packScene({ ...all, materials })), 1000, ALL)
    let hits = 0
    fc.assert(
      fc.property(fc.array(fc.oneof(ray, aimed), { minLength: 60, maxLength: 60 }), rays => {
        const comparison = compare(prepared, rays)
        hits += comparison.hits
        expect(comparison.wrong).toEqual([])
      }),
      { numRuns: 30, endOnFailure: true },
    )
    expect(hits).toBeGreaterThan(300)
  })

  /** Where floats are a hundredth apart, boxes that are not wide enough lose triangles. */
  it('meet instances where coordinates are coarse as they meet baked triangles', () => {
    const by = 100_000
    const scene = bakedScene(packScene(far(instancedScene(40), by)))
    const [instanced, baked] = [castIn(scene, 40_000, ALL), castIn(scene, 40_000, NONE)]
    const next = numbers()
    const rays = Array.from({ length: 40_000 }, (): Ray => {
      const reach = [3, 30, 1000, by][Math.floor(next() * 4)]!
      const origin = mapped([0, 0, 0], () => by + (next() - 0.5) * 2 * reach)
      return { origin, direction: mapped(origin, x => by + (next() - 0.5) * 3 - x) }
    })
    for (const path of PATHS) expect(ask(instanced, rays, path)).toEqual(ask(baked, rays, path))
  })

  it('that meet two things at one place tell the first in the scene, baked or not', () => {
    // The same sphere three times over, once baked because it emits.
    const mesh = plain(sphere([0, 0, 0], 1, 2))
    const instances: Instance[] = [0, 1, 0, 0].map(material => ({
      mesh: 0,
      transform: IDENTITY,
      materials: [material],
    }))
    const materials = [DEFAULT_MATERIAL, { ...DEFAULT_MATERIAL, emission: [1, 1, 1] } as Material]
    for (const order of [instances, [...instances].reverse(), [instances[1]!, ...instances]]) {
      const scene = bakedScene(packScene({ ...instancedScene(0), meshes: [mesh], instances: order, materials }))
      const prepared = prepare(scene, 100, ALL)
      const rays = Array.from({ length: 49 }, (_, i): Ray => {
        const [x, y] = [(i % 7) / 4 - 0.75, Math.floor(i / 7) / 4 - 0.75]
        return { origin: [x, y, 5], direction: [0, 0, -1] }
      })
      expect(compare(prepared, rays)).toEqual({ hits: 45, wrong: [] })
    }
  })
})

describe('the rule', () => {
  const mesh = everything(2)
  const count = mesh.indices.length / 3
  const at = (x: number, materials: readonly number[] = [0, 0], size = 1): Instance => ({
    mesh: 0,
    transform: [size, 0, 0, x, 0, size, 0, 0, 0, 0, size, 0],
    materials,
  })
  const materials: Material[] = [
    DEFAULT_MATERIAL,
    { ...DEFAULT_MATERIAL, emission: [1, 0, 0] },
    { ...DEFAULT_MATERIAL, alpha: 'mask' },
    { ...DEFAULT_MATERIAL, transmission: 1, roughness: 0 },
  ]
  const scene = (instances: readonly Instance[], meshes = [mesh]) => ({ meshes, instances, materials })
  const meshesOf = (instances: readonly Instance[], rule = ALL, meshes = [mesh]) => {
    const instancing = instancingOf(scene(instances, meshes), rule)
    return instancing ? [...instancing.meshOf] : undefined
  }

  it('begins where instancing saves enough, in all and of a mesh', () => {
    const three = [at(0), at(1), at(2)]
    expect(meshesOf(three, { saved: 2 * count, savedOfMesh: 2 * count })).toEqual([0, 0, 0])
    expect(meshesOf(three, { saved: 2 * count + 1, savedOfMesh: 0 })).toBeUndefined()
    expect(meshesOf(three, { saved: 0, savedOfMesh: 2 * count + 1 })).toEqual(undefined)
    expect(meshesOf(three, INSTANCING)).toBeUndefined()
    const many = Array.from({ length: 1 + Math.ceil(INSTANCING.saved / count) }, (_, i) => at(i))
    expect(meshesOf(many, INSTANCING)).toEqual(many.map(() => 0))
    expect(meshesOf(many.slice(1), INSTANCING)).toBeUndefined()
  })

  it('bakes what is there once, what emits, what is flattened, and what has no normals', () => {
    expect(meshesOf([at(0), at(1, [0, 1]), at(2), at(3, [0, 0], 0), at(4, [3, 1])])).toEqual([0, -1, 0, -1, -1])
    expect(meshesOf([at(0)])).toBeUndefined()
    const lines = { ...mesh, indices: mesh.indices.map((vertex, i) => (i % 3 === 2 ? mesh.indices[i - 1]! : vertex)) }
    expect(meshesOf([at(0), at(1)], ALL, [lines])).toBeUndefined()
    const bare = { ...mesh, vertices: mesh.vertices.map((x, i) => (i < 18 && i > 2 && i < 6 ? 0 : x)) }
    expect(meshesOf([at(0), at(1)], ALL, [bare])).toBeUndefined()
  })

  it('bakes what emits by a texture, and what bounds one of several glasses', () => {
    const shines: Material = {
      ...DEFAULT_MATERIAL,
      emission: [1, 1, 1],
      maps: { emission: { texture: 0, set: 0, transform: [1, 0, 0, 0, 1, 0] } },
    }
    const glass = (ior: number): Material => ({ ...DEFAULT_MATERIAL, transmission: 1, roughness: 0, ior })
    const baked = (materials: readonly Material[]) => {
      const pairs = materials.flatMap((_, slot) => [at(0, [slot, slot]), at(1, [slot, slot])])
      return [...(instancingOf({ meshes: [mesh], instances: pairs, materials }, ALL)?.meshOf ?? [])]
    }
    expect(baked([DEFAULT_MATERIAL, shines])).toEqual([0, 0, -1, -1])
    expect(baked([DEFAULT_MATERIAL, glass(1.4)])).toEqual([0, 0, 1, 1])
    expect(baked([DEFAULT_MATERIAL, glass(1.4), glass(1.3)])).toEqual([0, 0, -1, -1, -1, -1])
  })

  it('gives a mesh a tree for each way in which its materials let light through', () => {
    expect(meshesOf([at(0), at(1, [0, 2]), at(2, [0, 3]), at(3, [2, 0]), at(4), at(5, [3, 0]), at(6, [2, 2])])).toEqual(
      [0, 1, 1, 2, 0, 2, -1],
    )
  })
})
