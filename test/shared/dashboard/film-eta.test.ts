import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filmEta } from '../../../shared/dashboard/film-eta.ts'

describe('when a film will be done', () => {
  it('is known of one whose frames all take as long', () => {
    const { ms, leastMs, mostMs } = filmEta(new Array(20).fill(50), 10)!
    expect(ms).toBeCloseTo(500, 6)
    expect(leastMs).toBeGreaterThan(450)
    expect(mostMs).toBeLessThan(550)
  })

  it('is now without frames to come, and unknown before the first', () => {
    expect(filmEta([], 0)).toEqual({ ms: 0, leastMs: 0, mostMs: 0 })
    expect(filmEta([], 5)).toBeUndefined()
  })

  it('lies within its band, which is never empty', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1e6, noNaN: true })), { minLength: 1 }),
        fc.integer({ min: 1, max: 1e6 }),
        (times, left) => {
          const { ms, leastMs, mostMs } = filmEta(times, left)!
          expect(leastMs).toBeLessThanOrEqual(ms)
          expect(mostMs).toBeGreaterThanOrEqual(ms)
          expect(Number.isFinite(mostMs)).toBe(true)
        },
      ),
    )
  })

  /** Films of several kinds: even, with noise, with scenes that change, with a slow trend. */
  const FILMS: Readonly<Record<string, (frame: number, random: () => number) => number>> = {
    noisy: (_, random) => 40 * (0.8 + 0.4 * random()),
    waves: (frame, random) => 40 + 20 * Math.sin(frame / 15) + 4 * random(),
    trend: (frame, random) => 30 + frame / 4 + 5 * random(),
    spikes: (_, random) => (random() < 0.05 ? 200 : 40 + 4 * random()),
  }

  it.each(Object.keys(FILMS))('is within the band nine of ten times: %s', kind => {
    let [inside, all] = [0, 0]
    for (let seed = 1; seed <= 12; seed++) {
      let state = seed * 7919
      const random = () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0
        return state / 2 ** 32
      }
      const times = Array.from({ length: 160 }, (_, frame) => FILMS[kind]!(frame, random))
      for (let at = 12; at < 150; at += 6) {
        const truth = times.slice(at).reduce((sum, ms) => sum + ms, 0)
        const { leastMs, mostMs } = filmEta(times.slice(0, at), times.length - at)!
        all++
        if (truth >= leastMs && truth <= mostMs) inside++
      }
    }
    expect(inside / all).toBeGreaterThanOrEqual(0.9)
  })
})
