import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyPairs } from '../../../master/costs/body-pairs.ts'

/** A body whose box is that of `kind`, at x. */
const body = (kind: number, x = 0) => [0, 0, 0, kind, 1, 1, 1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0]
const bodies = (...each: number[][]) => Float64Array.from(each.flat())
const pairsOf = (from: Float64Array, to: Float64Array) => bodyPairs(from, to).map(({ before, now }) => [before, now])

describe('pairs of bodies', () => {
  it('are those at the same places in order, wherever they have gone', () => {
    const from = bodies(body(1), body(2), body(2, 5))
    expect(pairsOf(from, bodies(body(1, 9), body(2, 5), body(2, -3)))).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
  })

  it('leave out what is gone, and what is new', () => {
    const [few, many] = [bodies(body(1), body(4)), bodies(body(1), body(2), body(3), body(4))]
    expect(pairsOf(many, few)).toEqual([
      [0, 0],
      [1, -1],
      [2, -1],
      [3, 1],
    ])
    expect(pairsOf(few, many)).toEqual([
      [0, 0],
      [-1, 1],
      [-1, 2],
      [1, 3],
    ])
  })

  it('of equal ones, some of which are gone, are those that are near each other', () => {
    const from = bodies(body(2, 0), body(2, 10), body(2, 20))
    expect(pairsOf(from, bodies(body(2, 1), body(2, 21)))).toEqual([
      [0, 0],
      [1, -1],
      [2, 1],
    ])
    expect(pairsOf(from, bodies(body(2, 11), body(2, 21)))).toEqual([
      [0, -1],
      [1, 0],
      [2, 1],
    ])
  })

  it('may deform a little; another body in the same place is new', () => {
    const from = bodies(body(1), body(4), body(5))
    expect(pairsOf(from, bodies(body(1), body(4.5), body(5)))).toContainEqual([1, 1])
    expect(pairsOf(from, bodies(body(1), body(9), body(5)))).toEqual([
      [0, 0],
      [1, -1],
      [-1, 1],
      [2, 2],
    ])
  })

  it('have every body of both frames once', () => {
    const some = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 3 })), { maxLength: 12 })
    fc.assert(
      fc.property(some, some, (a, b) => {
        const all = (each: [number, number][]) => bodies(...each.map(([kind, x]) => body(kind, x)))
        const pairs = pairsOf(all(a), all(b))
        const numbers = (side: 0 | 1) => pairs.flatMap(pair => (pair[side]! < 0 ? [] : [pair[side]!]))
        expect(numbers(0)).toEqual(a.map((_, i) => i))
        expect(numbers(1)).toEqual(b.map((_, i) => i))
      }),
    )
  })
})
