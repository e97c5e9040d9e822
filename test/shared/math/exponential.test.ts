import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exp2, log2, power } from '../../../shared/math/exponential.ts'

const close = (value: number, expected: number, tolerance: number) =>
  Math.abs(value - expected) <= tolerance * Math.max(1, Math.abs(expected))
const relative = (value: number, expected: number, tolerance: number) =>
  Math.abs(value - expected) <= tolerance * Math.abs(expected)

describe('our own powers and logarithms', () => {
  it('agree with the platform’s', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), x => close(log2(x), Math.log2(x), 1e-15)),
      { numRuns: 5000 },
    )
    fc.assert(
      fc.property(fc.double({ min: 0.4, max: 3, noNaN: true }), x => close(log2(x), Math.log2(x), 1e-15)),
      { numRuns: 5000 },
    )
    fc.assert(
      fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), x => relative(exp2(x), 2 ** x, 1e-15)),
      { numRuns: 5000 },
    )
    const base = fc.double({ min: 0, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(
        base,
        fc.double({ min: 0.1, max: 4, noNaN: true }),
        (x, y) => x < 1e-60 || relative(power(x, y), x ** y, 1e-12),
      ),
      { numRuns: 5000 },
    )
  })

  it('are exact at powers of two', () => {
    for (let n = -1022; n <= 1023; n++) {
      expect(log2(2 ** n)).toBe(n)
      expect(exp2(n)).toBe(2 ** n)
    }
  })

  it('end where doubles end', () => {
    expect([log2(0), log2(Infinity), exp2(2000), exp2(-2000), power(0, 2.2)]).toEqual([
      -Infinity,
      Infinity,
      Infinity,
      0,
      0,
    ])
    expect([log2(-1), log2(Number.NaN), exp2(Number.NaN)]).toEqual([NaN, NaN, NaN])
  })
})
