import { describe, expect, it } from 'vitest'
import { frameRect } from '../../../../shared/frame/rect.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { BadRayError, RAY_FIELDS, RAY_WORDS } from '../../../../worker/engine/wasm/ray-caster.ts'
import { engineByName } from '../../../../worker/node/engines.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { openHere, traceTile } from '../../support/engines.ts'
import { GREY, mixedScene, quad, sceneOf, viewOf } from '../../support/meshes.ts'

const engine = loadWasmEngine('wasm')
const glass = { kind: 'glass', color: [1, 1, 1], ior: 1.5 } as const
// A floor, a glass pane one above it, and nothing over half of both.
const scene = sceneOf([
  { mesh: quad([-2, 0, 2], [4, 0, 0], [0, 0, -4]), material: GREY },
  { mesh: quad([0, 1, 2], [2, 0, 0], [0, 0, -4]), material: glass },
])
const cast = () => engine.castRays(engine.finish(engine.begin(scene.bytes, 1)), 100)

describe('picking', () => {
  const caster = cast()

  it('finds the nearest triangle and how far it is, however long the direction', () => {
    expect(caster.pick([-1, 3, 0.5], [0, -1, 0])).toMatchObject({ distance: 3 })
    expect(caster.pick([-1, 3, 0.5], [0, -0.001, 0])).toMatchObject({ distance: 3 })
    expect([0, 1]).toContain(caster.pick([-1, 3, 0.5], [0, -1, 0])?.triangle)
    const pane = caster.pick([1, 3, 0.5], [0, -7, 0])
    expect(pane?.distance).toBe(2)
    expect([2, 3]).toContain(pane?.triangle)
  })

  it('finds nothing where nothing is', () => {
    expect(caster.pick([0, 3, 0], [0, 1, 0])).toBeUndefined()
    expect(caster.pick([5, 3, 0], [0, -1, 0])).toBeUndefined()
  })

  it.each<[string, Vec3, Vec3, string]>([
    ['a direction of no length', [0, 0, 0], [0, 0, 0], 'expected a direction of nonzero length'],
    ['a direction that is no number', [0, 0, 0], [0, Number.NaN, 0], 'expected finite numbers'],
    ['an infinite direction', [0, 0, 0], [0, Number.NEGATIVE_INFINITY, 0], 'expected finite numbers'],
    ['an origin that is no number', [Number.NaN, 0, 0], [0, 1, 0], 'origin NaN, 0, 0'],
  ])('refuses %s', (_, origin, direction, words) => {
    expect(() => caster.pick(origin, direction)).toThrow(BadRayError)
    expect(() => caster.pick(origin, direction)).toThrow(words)
  })
})

describe('many rays at once', () => {
  const put = (rays: Float32Array, ray: number, origin: Vec3, direction: Vec3) =>
    rays.set([...origin, 0, ...direction, Number.POSITIVE_INFINITY], ray * RAY_WORDS)
  /** Straight down, in ten rows of ten over ±2.25. */
  const downwards = (rays: Float32Array) => {
    for (let ray = 0; ray < 100; ray++)
      put(rays, ray, [(ray % 10) / 2 - 2.25, 3, Math.floor(ray / 10) / 2 - 2.25], [0, -1, 0])
  }
  const inside = (ray: number) => [ray % 10, Math.floor(ray / 10)].every(at => at > 0 && at < 9)
  const underGlass = (ray: number) => inside(ray) && ray % 10 > 4

  it.each([true, false])('are answered as one by one (coherent: %s)', coherent => {
    const caster = cast()
    downwards(caster.rays)
    caster.closest(100, coherent)
    for (let ray = 0; ray < 100; ray++) {
      const hit = caster.words[ray * RAY_WORDS + RAY_FIELDS.hit]!
      expect(hit !== 0).toBe(inside(ray))
      if (hit !== 0) expect(caster.rays[ray * RAY_WORDS + RAY_FIELDS.tMax]).toBe(underGlass(ray) ? 2 : 3)
      if (hit !== 0) expect(caster.triangleOf(ray) >= 2).toBe(underGlass(ray))
    }
  })

  it.each([true, false])('tell glass from what throws a shadow (coherent: %s)', coherent => {
    const caster = cast()
    for (let ray = 0; ray < 100; ray++) {
      const at: Vec3 = [(ray % 10) / 2 - 2.25, 0.5, Math.floor(ray / 10) / 2 - 2.25]
      put(caster.rays, ray, at, [0, 1, 0])
    }
    caster.shadow(100, coherent)
    for (let ray = 0; ray < 100; ray++)
      expect(caster.words[ray * RAY_WORDS + RAY_FIELDS.hit]! & 3).toBe(underGlass(ray) ? 2 : 0)
    downwards(caster.rays)
    caster.shadow(100, coherent)
    for (let ray = 0; ray < 100; ray++)
      expect(caster.words[ray * RAY_WORDS + RAY_FIELDS.hit]! & 1).toBe(inside(ray) ? 1 : 0)
  })

  it('are asked in room that is used again', () => {
    const held = engine.finish(engine.begin(scene.bytes, 1))
    const sizes: number[] = []
    for (let round = 0; round < 20; round++) {
      const casters = [engine.castRays(held, 1000), engine.castRays(held, 20_000 - round)]
      for (const caster of casters) expect(caster.pick([-1, 3, 0.5], [0, -1, 0])).toMatchObject({ distance: 3 })
      sizes.push(held.memory.buffer.byteLength)
      // Closing twice gives nothing twice.
      for (const caster of [...casters, ...casters]) caster.close()
    }
    expect(new Set(sizes).size).toBe(1)
    const [one, two] = [engine.castRays(held, 900), engine.castRays(held, 900)]
    expect(one.rays.byteOffset).not.toBe(two.rays.byteOffset)
  })

  it('do not disturb who traces the same scene', () => {
    const mixed = mixedScene()
    const view = viewOf([32, 20])
    const held = engine.finish(engine.begin(mixed.bytes, 1))
    const tracer = engine.open(held, 0)
    engine.castRays(held, 1000).pick([0, 5, 0], [0, -1, 0])
    const alone = traceTile(openHere(engineByName('wasm'), mixed), view, frameRect([32, 20]))
    expect(traceTile(tracer, view, frameRect([32, 20]))).toEqual(alone)
  })
})
