import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hash32, unitOf } from '../../../shared/math/random.ts'

describe('hashed random numbers', () => {
  it('lie in [0, 1) for any bits', () => {
    expect(unitOf(0)).toBe(0)
    expect(unitOf(-1)).toBe(1 - 2 ** -32)
    fc.assert(fc.property(fc.integer(), bits => unitOf(bits) >= 0 && unitOf(bits) < 1))
  })

  it('depend on every word and on their order', () => {
    const words = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat(), fc.nat())
    fc.assert(
      fc.property(words, fc.nat({ max: 4 }), fc.integer({ min: 0, max: 31 }), (given, which, bit) => {
        const changed = given.with(which, given[which]! ^ (1 << bit)) as typeof given
        return hash32(...given) !== hash32(...changed)
      }),
    )
    expect(hash32(1, 2)).not.toBe(hash32(2, 1))
  })

  // Chi-squared over 64 classes: 63 degrees of freedom exceed 130 once in a million runs; nothing here is random.
  it.each([
    ['pixels', (i: number) => hash32(7, i % 256, i >> 8)],
    ['samples of one pixel', (i: number) => hash32(7, 31, 12, i)],
    ['frames', (i: number) => hash32(i, 31, 12)],
    ['dimensions', (i: number) => hash32(7, 31, 12, 0, i)],
  ])('are uniform over %s', (_, hash) => {
    const count = 65536
    const classes = new Float64Array(64)
    for (let i = 0; i < count; i++) classes[Math.floor(unitOf(hash(i)) * 64)]!++
    const expected = count / 64
    expect(classes.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)).toBeLessThan(130)
  })

  it('flip half of their bits when one bit of a word flips', () => {
    let flipped = 0
    for (let i = 0; i < 4096; i++) {
      for (let bits = hash32(3, i, 5) ^ hash32(3, i ^ (1 << (i % 20)), 5); bits !== 0; bits &= bits - 1) flipped++
    }
    expect(flipped / 4096).toBeGreaterThan(15.5)
    expect(flipped / 4096).toBeLessThan(16.5)
  })
})
