/**
 * Rays along axes and across them: components of directions that are exactly zero, of either sign. Such a ray stays in a plane, and of two
 * parallel sides of a box it is between them everywhere or nowhere. It has to cost what rays beside it cost, and to hit what brute force
 * says.
 */
import { describe, expect, it } from 'vitest'
import { beside, EXACT_DIRECTIONS } from '../../../../scripts/bench/axes/directions.ts'
import { parallelRays } from '../../../../scripts/bench/axes/parallel-rays.ts'
import { RAY_FLOATS } from '../../../../scripts/bench/kernel/rays/ray-kinds.ts'
import { putRays } from '../../../../scripts/bench/kernel/wasm.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { type BakedScene, bakedScene } from '../../../../shared/scene/ambient-look.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import { RAY_FIELDS, RAY_WORDS, type RayCaster } from '../../../../worker/engine/wasm/ray-caster.ts'
import { isNightly, times } from '../../../support/nightly.ts'
import { instancedScene } from '../../support/instanced-scene.ts'
import { GREY, type Mesh, mountains, quad, sceneOf, sphere } from '../../support/meshes.ts'
import { Aim, Dice, GLASS, mapVec } from './aimed-rays.ts'
import { castIn, compare, PATHS, prepare, type Ray } from './brute-force.ts'

const ALL = { saved: 0, savedOfMesh: 0 }
const NONE: string[] = []
const ORIGIN: Vec3 = [0, 0, 0]

function joined(meshes: readonly Mesh[]): Mesh {
  let vertices = 0
  return {
    positions: meshes.flatMap(({ positions }) => positions),
    normals: meshes.flatMap(({ normals }) => normals),
    indices: meshes.flatMap(({ indices, positions }) => {
      const first = vertices
      vertices += positions.length / 3
      return indices.map(index => first + index)
    }),
  }
}

const placed = (mesh: Mesh, scale: number, offset: Vec3): Mesh => ({
  ...mesh,
  positions: mesh.positions.map((x, i) => Math.fround(x * scale + offset[i % 3]!)),
})

/** Those sides of a box that have an area. */
function box(corner: Vec3, extent: Vec3): Mesh[] {
  const side = (axis: number): Vec3 => mapVec(k => (k === axis ? extent[k] : 0))
  return [0, 1, 2].flatMap(axis => {
    const [one, other] = [(axis + 1) % 3, (axis + 2) % 3]
    if (extent[one] === 0 || extent[other] === 0) return []
    const opposite = mapVec(k => corner[k] + side(axis)[k])
    return [corner, opposite].map(from => quad(from, side(one), side(other)))
  })
}

/** Boxes whose corners are whole numbers: many share planes, and some have no thickness. */
const blocks = (dice: Dice, count: number): Mesh =>
  joined(
    Array.from({ length: count }, () => {
      const thin = dice.below(4)
      return box(
        mapVec(() => dice.below(8) - 4),
        mapVec(k => (k === thin ? 0 : 1 + dice.below(2))),
      )
    }).flat(),
  )

/** Rectangles that contain the direction of an axis, and are at any angle to the others. */
const walls = (dice: Dice, count: number): Mesh =>
  joined(
    Array.from({ length: count }, () => {
      const [axis, height, across] = [dice.below(3), dice.below(4) + 0.5, dice.point(4)]
      const start = dice.oneOf([dice.point(4), mapVec(() => dice.below(8) - 4)])
      return quad(
        start,
        mapVec(k => (k === axis ? 0 : across[k])),
        mapVec(k => (k === axis ? height : 0)),
      )
    }),
  )

/** A floor of 200 triangles, as thick as a plane. */
const plane = (axis: number): Mesh =>
  joined(
    Array.from({ length: 100 }, (_, i) => {
      const [one, other] = [(axis + 1) % 3, (axis + 2) % 3]
      const corner = mapVec(k => (k === axis ? 0.25 : (k === one ? i % 10 : Math.floor(i / 10)) - 5))
      return quad(
        corner,
        mapVec(k => Number(k === one)),
        mapVec(k => Number(k === other)),
      )
    }),
  )

/** Two of each kind, or all. */
const DIRECTIONS = EXACT_DIRECTIONS.flatMap(({ directions }, kind) =>
  directions.filter((_, i) => isNightly || i % 4 === kind % 4),
)

describe('a ray along or across axes costs at most twice as much as those beside it', () => {
  const side = 32
  const count = side * side
  const ways = [
    ...PATHS.map(({ name, shadow, coherent }) => ({
      name,
      trace: (caster: RayCaster) => (shadow ? caster.shadow(count, coherent) : caster.closest(count, coherent)),
    })),
    ...[false, true].map(coherent => ({
      name: `closest ${coherent ? 'coherent' : 'incoherent'}, one at a time`,
      trace(caster: RayCaster) {
        for (let i = 0; i < count; i++) caster.closest(1, coherent, i)
      },
    })),
  ]
  const grey = (mesh: Mesh): BakedScene => sceneOf([{ mesh, material: GREY }])
  const far: Vec3 = [3e3, -2e3, 1e3]

  describe.each<[name: string, scene: BakedScene, centre: Vec3, radius: number]>([
    ['hills', grey(mountains(100)), ORIGIN, 5],
    // Rays are so close to each other there that bundles are full.
    ['hills, seen closely', grey(mountains(100)), ORIGIN, 0.5],
    ['a sphere', grey(sphere(ORIGIN, 1, 5)), ORIGIN, 1],
    ['a sphere of 1e-6', grey(sphere(ORIGIN, 1e-6, 5)), ORIGIN, 1e-6],
    ['a sphere of 1e6', grey(sphere(ORIGIN, 1e6, 5)), ORIGIN, 1e6],
    ['a sphere far away', grey(sphere(far, 1, 5)), far, 1],
    ['blocks', grey(blocks(new Dice(1), 300)), ORIGIN, 4.1],
    ['instances', bakedScene(packScene(instancedScene(200))), ORIGIN, 2],
  ])('in %s', (name, scene, centre, radius) => {
    const caster = castIn(scene, count, name === 'instances' ? ALL : undefined)
    const stepsOf = (rays: Float32Array, trace: (caster: RayCaster) => void) => {
      putRays(caster, { rays, count })
      trace(caster)
      let steps = 0
      for (let i = 0; i < count; i++) steps += caster.words[i * RAY_WORDS + RAY_FIELDS.steps]!
      return steps
    }
    /** The rays of a direction, with something else for each of its zeros. */
    const parallel = (direction: Vec3, zero?: () => number) => {
      const rays = parallelRays(direction, { centre, radius }, side)
      if (zero)
        for (let at = 4; at < rays.length; at += RAY_FLOATS)
          for (let k = at; k < at + 3; k++) if (rays[k] === 0) rays[k] = zero()
      return rays
    }

    it.each(ways)('$name', ({ trace }) => {
      const dice = new Dice(91)
      for (const direction of DIRECTIONS) {
        const others = [1, 2, 3, 4].map(number => stepsOf(parallel(beside(direction, number)), trace))
        const mean = others.reduce((sum, steps) => sum + steps) / others.length
        for (const [kind, rays] of Object.entries({
          'as they are': parallel(direction),
          'with zeros of both signs': parallel(direction, () => dice.oneOf([0, -0])),
          'with something next to zero': parallel(direction, () => -1e-30),
          'with zero and what is nearest to it': parallel(direction, () => dice.oneOf([0, 1e-45])),
        }))
          expect(stepsOf(rays, trace) / mean, `along ${direction}, ${kind}`).toBeLessThanOrEqual(2)
      }
    })
  })
})

describe('parallel rays along or across axes hit what brute force says', () => {
  /** Runs of parallel rays, apart from each other or not, many of them in planes of vertices. */
  function runs(scene: BakedScene, dice: Dice, scale: number, least: number): Ray[] {
    const [aim, all] = [new Aim(scene, dice), [] as Ray[]]
    while (all.length < least) {
      const direction = dice.oneOf([dice.axis(), dice.axis(), dice.plane()])
      const spread = dice.oneOf([0, 0.01, 0.5, 8]) * scale
      const back = dice.oneOf([0, 0.5, 7.3, 20, 1000]) * scale
      const [start, bothSigns] = [dice.oneOf([aim.edge(), aim.inside()]), dice.next() < 0.3]
      for (let i = dice.oneOf([1, 5, 16, 64]); i > 0; i--) {
        const vertex = aim.edge()
        const target = mapVec(k => {
          if (dice.next() < 0.5) return start[k]
          return Math.abs(vertex[k] - start[k]) <= spread ? vertex[k] : start[k] + (dice.next() - 0.5) * spread
        })
        const own = bothSigns ? mapVec(k => (direction[k] === 0 ? dice.oneOf([0, -0]) : direction[k])) : direction
        all.push({ origin: mapVec(k => target[k] - own[k] * back), direction: own })
      }
    }
    return all.slice(0, least)
  }

  describe.each<[where: string, scale: number, offset: Vec3]>([
    ['around the origin', 1, ORIGIN],
    ['at a scale of 1e-6', 1e-6, ORIGIN],
    ['at a scale of 1e6', 1e6, ORIGIN],
    // Floats are coarser there than the slack of boxes that follows from the size of a triangle.
    ['away from the origin', 1, [1000, -3000, 500]],
    ['where floats are an eighth apart', 1, [1e6, -1e6, 1e6]],
    ['small and away from the origin', 0.01, [70_000.3, -33.7, 1234.5]],
  ])('%s', (_, scale, offset) => {
    it.each<[string, (dice: Dice) => Mesh]>([
      ['blocks', dice => blocks(dice, 30)],
      ['walls', dice => walls(dice, 60)],
      ['planes', dice => plane(dice.below(3))],
      ['a box without thickness', () => joined(box(ORIGIN, [0, 1, 1]))],
      ['a sphere', () => sphere(ORIGIN, 4, 3)],
    ])('%s', (__, make) => {
      let hits = 0
      for (let seed = 1; seed <= times(1); seed++) {
        const dice = new Dice(seed)
        const mesh = placed(make(dice), scale, offset)
        const half = Math.floor(mesh.indices.length / 6) * 3
        const scene = sceneOf([
          { mesh: { ...mesh, indices: mesh.indices.slice(half) }, material: GREY },
          { mesh: { ...mesh, indices: mesh.indices.slice(0, half) }, material: GLASS },
        ])
        const comparison = compare(prepare(scene), runs(scene, dice, scale, 1000))
        expect(comparison.wrong).toEqual(NONE)
        hits += comparison.hits
      }
      expect(hits).toBeGreaterThan(times(100))
    })
  })

  it.each<[string, number]>([
    ['around the origin', 0],
    ['away from the origin', 3000],
  ])('in instances %s', (_, by) => {
    const dice = new Dice(5)
    const described = instancedScene(40)
    const instances = described.instances.map(instance => {
      // Turned by right angles, so that axes stay axes, exactly or all but.
      const [c, s] = dice.oneOf([
        [1, 0],
        [0, 1],
        [Math.cos(Math.PI / 2), 1],
      ] as const)
      const [x, y, z] = mapVec(() => dice.below(4) - 2 + by)
      return { ...instance, transform: [c, -s, 0, x, s, c, 0, y, 0, 0, 1, z] }
    })
    // Of what lets light through, brute force knows glass alone.
    const materials = described.materials.map(each => ({ ...each, alpha: 'opaque' as const }))
    const scene = bakedScene(packScene({ ...described, instances, materials } as typeof described))
    const comparison = compare(prepare(scene, 1000, ALL), runs(scene, dice, 1, 1000))
    expect(comparison.wrong).toEqual(NONE)
    expect(comparison.hits).toBeGreaterThan(300)
  })
})
