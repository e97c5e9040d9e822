import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Backoff } from '../../../shared/time/backoff.ts'

const pauses = fc.record({
  first: fc.integer({ min: 1, max: 1000 }),
  factor: fc.double({ min: 1, max: 4, noNaN: true }),
  most: fc.integer({ min: 1000, max: 60_000 }),
})
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('pauses between attempts', () => {
  it('grow to their bound, and chance takes up to half of each', () => {
    fc.assert(
      fc.property(pauses, fc.array(chance, { minLength: 1, maxLength: 40 }), (pauses, chances) => {
        const left = [...chances]
        const backoff = new Backoff(() => left.shift()!, pauses)
        for (const [i, random] of chances.entries()) {
          const longest = Math.min(pauses.first * pauses.factor ** i, pauses.most)
          expect(backoff.next() / (longest * (1 - random / 2))).toBeCloseTo(1, 9)
        }
      }),
    )
  })

  it('are those of the first time again when it went well', () => {
    const backoff = new Backoff(() => 0)
    const first = [backoff.next(), backoff.next()]
    backoff.reset()
    expect([backoff.next(), backoff.next()]).toEqual(first)
  })

  it('differ for those who have lost the same peer, and are at most two seconds', () => {
    const [a, b] = [new Backoff(() => 0.1), new Backoff(() => 0.9)]
    for (let i = 0; i < 50; i++) {
      const pauses = [a.next(), b.next()]
      expect(pauses[0]).toBeGreaterThan(pauses[1]!)
      expect(Math.max(...pauses)).toBeLessThanOrEqual(2000)
    }
  })
})
