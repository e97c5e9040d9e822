import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accumulate } from '../../../shared/light/accumulate.ts'

const sumOf = (lights: readonly number[]) => lights.reduce(accumulate, 0)
/** Light as it comes: much of it next to nothing, some of it glaring, once in a while more than a sum can hold. */
const light = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 3e5, noNaN: true }),
  fc.constantFrom(
    0,
    -1,
    -1e-12,
    Number.NaN,
    2 ** -33,
    2 ** -32,
    2 ** 20 - 2 ** -32,
    2 ** 21,
    1e300,
    Number.POSITIVE_INFINITY,
  ),
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

  it('stays at its most', () => {
    expect(sumOf([1e9, 1])).toBe(2 ** 20)
  })

  it('loses nothing to shares that rounding has left below 0, or to what is no number', () => {
    expect(sumOf([1, -1e-9, -5])).toBe(1)
    // What is taken away after the bound counts, before it does not: the order would matter.
    expect(sumOf([2 ** 20, -1, 1])).toBe(sumOf([-1, 2 ** 20, 1]))
    expect(sumOf([1, Number.NaN, 1])).toBe(2)
  })
})
