import { expect, it } from 'vitest'
import { fillHoles } from '../../../master/costs/fill-holes.ts'

const spread = (values: number[], known: number[], columns: number, ranks = values): number[] => {
  const filled = Float64Array.from(values)
  fillHoles(filled, Uint8Array.from(known), Float32Array.from(ranks), columns)
  return [...filled]
}

it('gives holes the value that is the fewest steps away', () => {
  expect(spread([5, 0, 0, 0, 0, 7], [1, 0, 0, 0, 0, 1], 6)).toEqual([5, 5, 5, 7, 7, 7])
  expect(spread([5, 0, 0, 0, 0, 0, 0, 0, 7], [1, 0, 0, 0, 0, 0, 0, 0, 1], 3)[1]).toBe(5)
})

it('takes the lower rank where two are as near', () => {
  expect(spread([5, 0, 7], [1, 0, 1], 3, [1, 0, 2])).toEqual([5, 5, 7])
  expect(spread([5, 0, 7], [1, 0, 1], 3, [2, 0, 1])).toEqual([5, 7, 7])
})

it('does not go around the ends of rows', () => {
  expect(spread([1, 0, 9, 0, 0, 0], [1, 0, 1, 0, 0, 0], 3)).toEqual([1, 1, 9, 1, 1, 9])
})

it('gives values that fit some holes only to no others', () => {
  const filled = Float64Array.from([5, 0, 0, 0, 0, 7])
  const fits = { of: Uint8Array.of(0, 0, 0, 0, 0, 1), to: Uint8Array.of(0, 0, 0, 0, 1, 0) }
  fillHoles(filled, Uint8Array.of(1, 0, 0, 0, 0, 1), new Float32Array(6), 6, fits)
  expect([...filled]).toEqual([5, 5, 5, 5, 7, 7])
})

it('leaves what is known alone, and everything where nothing is known', () => {
  expect(spread([1, 2, 3], [1, 1, 1], 3)).toEqual([1, 2, 3])
  expect(spread([4, 5], [0, 0], 2)).toEqual([4, 5])
})
