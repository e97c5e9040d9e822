/** Batches of rays for the kernel: of any size and order, and called coherent whatever they are. */
import { describe, expect, it } from 'vitest'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { RAY_FIELDS, RAY_WORDS, type RayCaster } from '../../../../worker/engine/wasm/ray-caster.ts'
import { GREY, sceneOf, sphere } from '../../support/meshes.ts'
import { Aim, Dice, halfGlass, mapVec, randomRays, randomSoup, rays } from './aimed-rays.ts'
import { ask, castIn, compare, disagreements, PATHS, prepare, putRay, type Ray } from './brute-force.ts'

const NONE: string[] = []

describe('a batch', () => {
  const dice = new Dice(51)
  const packed = halfGlass(300, n => randomSoup(dice, n, 0.5))
  const [scene, another] = [prepare(packed, 1100), castIn(packed, 1100)]
  const all = randomRays(dice, 1000)
  const expected = all.map(scene.answer)

  describe.each(PATHS)('$name', path => {
    it.each([0, 1, 15, 16, 17, 63, 64, 65, 97, 1000])('of %i rays touches no other', size => {
      const { caster } = scene
      for (let i = 0; i < caster.capacity; i++) putRay(caster, i, all[i % all.length]!)
      const before = Uint32Array.from(caster.words)
      const some = all.slice(0, size)
      expect(disagreements(some, expected, ask(caster, some, path, 7), path)).toEqual(NONE)
      const isFree = (i: number) => i < 7 * RAY_WORDS || i >= (7 + size) * RAY_WORDS
      expect(caster.words.findIndex((word, i) => isFree(i) && word !== before[i])).toBe(-1)
    })

    it('leaves the rays as they were', () => {
      const { caster } = scene
      ask(caster, all, path)
      // A closest hit takes the place of tMax, the last of a ray's numbers.
      const kept = path.shadow ? RAY_FIELDS.tMax + 1 : RAY_FIELDS.tMax
      const fieldsOf = () => all.map((_, i) => caster.rays.slice(i * RAY_WORDS, i * RAY_WORDS + kept))
      const after = fieldsOf()
      all.forEach((ray, i) => {
        putRay(caster, i, ray)
      })
      expect(after).toEqual(fieldsOf())
    })

    it('in another order has the same answers (seed 51)', () => {
      const order = dice.shuffled(all.length)
      const [straight, shuffled] = [
        ask(scene.caster, all, path),
        ask(
          scene.caster,
          order.map(i => all[i]!),
          path,
        ),
      ]
      expect(shuffled).toEqual(order.map(i => straight[i]))
    })

    it('takes every ray some steps, and the same each time', () => {
      const stepsOf = (caster: RayCaster) => {
        ask(caster, all, path)
        return all.map((_, i) => caster.words[i * RAY_WORDS + RAY_FIELDS.steps]!)
      }
      const steps = stepsOf(scene.caster)
      expect(steps.every(count => count > 0 && count < 1000)).toBe(true)
      expect(stepsOf(scene.caster)).toEqual(steps)
      expect(stepsOf(another)).toEqual(steps)
    })
  })

  it('of rays called coherent may be of any kind (seed 52)', () => {
    const other = new Dice(52)
    const [one, two]: Vec3[] = [other.point(), other.point()]
    const kinds: [string, (i: number) => Ray][] = [
      ['two by turns', i => ({ origin: i % 2 ? one! : two!, direction: i % 2 ? two! : one! })],
      ['one and its opposite', i => ({ origin: one!, direction: mapVec(k => (i % 2 ? -two![k] : two![k])) })],
      ['all the same', () => ({ origin: one!, direction: two! })],
      ['from one place to all sides', () => ({ origin: one!, direction: other.point() })],
      ['one way from anywhere', () => ({ origin: other.point(3), direction: two! })],
      ['one way, of all lengths', i => ({ origin: one!, direction: mapVec(k => two![k] * 10 ** ((i % 13) - 6)) })],
      ['one way, ending anywhere', i => ({ origin: one!, direction: two!, tMin: other.next(), tMax: (i % 7) / 3 })],
      [
        'one way but for signs of zero',
        () => ({ origin: one!, direction: [1, other.oneOf([0, -0]), other.oneOf([0, -0])] }),
      ],
      ['nearly along an axis', () => ({ origin: one!, direction: [1e-9 * (other.next() - 0.5), 1, 0] })],
      [
        'along a diagonal',
        () => ({ origin: [-1, -1, -1], direction: [1 + other.next() / 8, 1 + other.next() / 8, 1] }),
      ],
      ['one way with a stranger in between', i => (i % 16 === 5 ? all[i]! : { origin: one!, direction: two! })],
    ]
    for (const [kind, make] of kinds) expect([kind, ...compare(scene, rays(200, make)).wrong]).toEqual([kind])
  })

  it('of rays from afar, sixty-four the same, may end at just what they meet (seed 53)', () => {
    const other = new Dice(53)
    const packed = sceneOf([{ mesh: sphere([0.3, -0.2, 0.1], 1, 1), material: GREY }])
    const [ball, aim] = [prepare(packed, 1024), new Aim(packed, other)]
    for (let batch = 0; batch < 20; batch++) {
      const same = rays(16, () => {
        const [target, direction, far] = [aim.edge(), other.axis(), 10 ** (1 + 3 * other.next())]
        const ray = { origin: mapVec(k => target[k] - direction[k] * far), direction }
        return { ...ray, tMax: ball.answer(ray).distance }
      }).flatMap(ray => rays(64, () => ray))
      expect(compare(ball, same).wrong).toEqual(NONE)
    }
  })
})
