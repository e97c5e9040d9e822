/**
 * Long thin triangles: where a ray meets one, rounding may put the distance far from the triangle, and whatever a tree skips then depends on its boxes.
 * A hit's distance is by definition not before the ray is in the triangle's own box, so that all trees find what brute force does, bit for bit.
 */
import { describe, expect, it } from 'vitest'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { type BakedScene, bakedScene } from '../../../../shared/scene/ambient-look.ts'
import type { Instance } from '../../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL } from '../../../../shared/scene/material.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { RAY_FIELDS, RAY_WORDS } from '../../../../worker/engine/wasm/ray-caster.ts'
import type { WasmScene } from '../../../../worker/engine/wasm/wasm-scene.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { buildHere } from '../../support/engines.ts'
import { instancedScene, plain } from '../../support/instanced-scene.ts'
import { type Mesh, soup } from '../../support/meshes.ts'
import { Aim, Dice, halfGlass, mapVec, randomSoup, rays } from './aimed-rays.ts'
import { ask, castIn, compare, PATHS, type Prepared, prepare, type Ray } from './brute-force.ts'
import { refit, verticesIn } from './builder-harness.ts'

/** For each of forty scenes: more than a hundred thousand in all. */
const RAYS = 2608
const NONE: string[] = []

/** Triangles so many times as long as they are wide, in a cube of ± `scale`: half of them along axes. */
function slivers(dice: Dice, count: number, proportion: number, scale: number): Mesh {
  const positions: number[] = []
  for (let i = 0; i < count; i++) {
    const start = dice.point(scale)
    const along = i % 2 ? dice.axis() : dice.point()
    const aside = dice.point()
    const length = scale * (0.2 + dice.next())
    const thick = length / proportion
    const end = mapVec(k => start[k] + Math.max(-1, Math.min(1, along[k])) * length)
    // The third corner lies anywhere between both ends.
    const between = dice.next()
    const third = mapVec(k => start[k] + (end[k] - start[k]) * between + aside[k] * thick)
    positions.push(...start, ...end, ...third)
  }
  return soup(positions)
}

/** The same triangles in a tree that was built for others, and refitted. */
function refitted(scene: BakedScene, other: BakedScene): Prepared['caster'] {
  const engine = loadWasmEngine('wasm')
  const built = buildHere(engine, other) as WasmScene
  const memory = new KernelMemory(built.memory)
  verticesIn(memory).set(scene.vertices)
  refit(memory)
  return engine.castRays(built, RAYS)
}

/** Rays in sixteens from one place each, towards places along a triangle, from near and far; some end or begin about there. */
function towards(scene: BakedScene, dice: Dice, scale: number): Ray[] {
  const aim = new Aim(scene, dice)
  let [origin, from, to] = [dice.point(), aim.edge(), aim.edge()]
  return rays(RAYS, i => {
    if (i % 16 === 0) {
      origin = dice.point(scale * dice.oneOf([1, 3, 30]))
      const [a, b] = aim.triangle()
      ;[from, to] = [a, b]
    }
    const place = dice.next()
    const target = mapVec(k => from[k] + (to[k] - from[k]) * place)
    const direction = mapVec(k => target[k] - origin[k])
    const about = () => 1 + (dice.next() - 0.5) * dice.oneOf([1e-1, 1e-3, 1e-5])
    const ray: Ray = { origin, direction }
    return dice.oneOf<Ray>([ray, { ...ray, tMax: about() }, { ...ray, tMin: about() }])
  })
}

describe.each([1e2, 1e3, 1e4, 1e5, 1e6])('triangles %d times as long as wide', proportion => {
  it.each([1e-20, 1e-15, 1e-6, 1, 1e6, 1e10, 1e15, 1e18])('at a scale of %d (seed 91)', scale => {
    const dice = new Dice(91)
    const scene = halfGlass(80, n => slivers(dice, n, proportion, scale))
    const prepared = prepare(scene, RAYS)
    const through = towards(scene, dice, scale)
    expect(compare(prepared, through).wrong).toEqual(NONE)
    const other = halfGlass(80, n => slivers(dice, n, 3, scale))
    expect(compare({ ...prepared, caster: refitted(scene, other) }, through).wrong).toEqual(NONE)
  })
})

// Thinner ones may have no area any more where they are placed, and are left out.
describe.each([1e2, 1e3, 1e4, 1e5])('triangles %d times as long as wide', proportion => {
  it('in instances that are not turned (seed 92)', () => {
    const dice = new Dice(92)
    const mesh = plain(slivers(dice, 40, proportion, 1))
    const at = ([x, y, z]: Vec3, size: number): Instance => ({
      mesh: 0,
      transform: [size, 0, 0, x, 0, size, 0, y, 0, 0, -size, z],
      materials: [0],
    })
    const instances = [at([0, 0, 0], 1), at([1, 0.5, 0], 0.5), at([-2, 0, 1], 2)]
    const scene = bakedScene(
      packScene({ ...instancedScene(0), meshes: [mesh], instances, materials: [DEFAULT_MATERIAL] }),
    )
    const all = { saved: 0, savedOfMesh: 0 }
    const { hits, wrong } = compare(prepare(scene, RAYS, all), towards(scene, dice, 2))
    expect(wrong).toEqual(NONE)
    expect(hits).toBeGreaterThan(RAYS / 4)
  })
})

it('rays of a bundle in a scene so small that products vanish hit what they hit alone (seed 93)', () => {
  const dice = new Dice(93)
  for (const scale of [1e-20, 1e-19, 1e-18]) {
    const scene = prepare(
      halfGlass(200, n => randomSoup(dice, n, 0.3, scale)),
      RAYS,
    )
    const row = rays(RAYS, i => ({
      origin: [0, 0, -3 * scale],
      direction: [((i % 52) / 52 - 0.5) * scale, (i / RAYS - 0.5) * scale, scale],
    }))
    const { hits, wrong } = compare(scene, row)
    expect(wrong).toEqual(NONE)
    expect(hits).toBeGreaterThan(RAYS / 4)
  }
})

// Boxes are flat there, and what lets light through is met a little before them.
it.each(['opaque', 'blend'] as const)(
  'hits across an axis are not in doubt: nothing is traced twice that is %s',
  alpha => {
    const side = 24
    const squares = Array.from({ length: side * side }, (_, i) => {
      const [x, y] = [(i % side) / side - 0.5, Math.floor(i / side) / side - 0.5]
      return [x, y, 0.3, x + 1 / side, y, 0.3, x, y + 1 / side, 0.3]
    })
    const mesh = plain(soup(squares.flat()))
    const instances: Instance[] = [{ mesh: 0, transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], materials: [0] }]
    const materials = [{ ...DEFAULT_MATERIAL, alpha, opacity: 0.5 }]
    const caster = castIn(bakedScene(packScene({ ...instancedScene(0), meshes: [mesh], instances, materials })), RAYS)
    const row = rays(RAYS, i => ({ origin: [0.1, 0.2, -3], direction: [(i % 52) / 520, i / RAYS / 10, 1] }))
    const answers = ask(caster, row, PATHS[0])
    expect(answers.filter(({ triangle }) => triangle >= 0).length).toBeGreaterThan(RAYS / 4)
    // Alone, a ray takes more steps than its share of a bundle's.
    const alone = row.filter((_, i) => caster.words[i * RAY_WORDS + RAY_FIELDS.steps]! > 3)
    expect(alone).toEqual([])
  },
)
