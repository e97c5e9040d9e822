import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accumulate } from '../../../shared/light/accumulate.ts'

const sumOf = (lights: readonly number[]) => lights.reduce(accumulate, 0)
/** Light as it comes: much of it next to nothing, some of it glaring, once in a while more than a sum can hold. */
const light = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 3e5, noNaN: true }),
  fc.constantFrom(0, 2 ** -33, 2 ** -32, 2 ** 20 - 2 ** -32, 2 ** 21, 1e300, Number.POSITIVE_INFINITY),
)

describe('a sum of light', () => {
  it('does not depend on the order', () => {
    fc.assert(
      fc.property(fc.array(light, { maxLength: 40 }), lights => {
        const sum = sumOf(lights)
        expect(sumOf([...lights].reverse())).toBe(sum)
        expect(sumOf([...lights].sort((a, b) => a - b))).toBe(sum)
      }),
      { numRuns: 2000 },
    )
  })

  it('is what was added but for half a step of 2^-32 each', () => {
    for (const x of [0.1, 1 / 3, 0.7, 123.456, 99999.9])
      expect(Math.abs(accumulate(0, x) - x)).toBeLessThanOrEqual(2 ** -33)
    expect(accumulate(0.25, 0.5)).toBe(0.75)
  })

  it('stays at its most, and stays no number once it is none', () => {
    expect(sumOf([1e9, 1])).toBe(2 ** 20)
    expect(sumOf([1, Number.NaN, 1])).toBeNaN()
  })
})
