import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hash32, unitOf } from '../../../shared/math/random.ts'
import { meanInterval, ratioInterval } from '../../../shared/metrics/bootstrap.ts'
import { mean } from '../../../shared/metrics/statistics.ts'

/** Standard normal by the sum of twelve, seeded. */
const normal = (...what: [number, number, number?]): number =>
  Array.from({ length: 12 }, (_, i) => unitOf(hash32(what[0], what[1], what[2] ?? 0, i))).reduce((a, b) => a + b) - 6

const run = (seed: number, frames: number, level = 100, spread = 10): number[] =>
  Array.from({ length: frames }, (_, frame) => level + spread * normal(seed, frame))

const width = (interval: [number, number] | undefined): number => interval![1] - interval![0]

describe('the interval of a mean', () => {
  it('is the textbook’s where values are independent: about 2 × 1.96 σ / √n wide', () => {
    expect(width(meanInterval([run(1, 100)]))).toBeCloseTo((2 * 1.96 * 10) / Math.sqrt(100), 0)
  })

  it('covers the true mean about as often as it says', () => {
    const covered = Array.from({ length: 200 }, (_, seed) => meanInterval([run(seed, 40)])!).filter(
      ([low, high]) => low <= 100 && 100 <= high,
    )
    expect(covered.length).toBeGreaterThanOrEqual(180)
  })

  it('knows that runs differ, which frames of one run cannot tell', () => {
    const levels = [90, 97, 100, 104, 112]
    const runs = levels.map((level, i) => run(i, 200, level, 1))
    expect(width(meanInterval([runs.flat()]))).toBeLessThan(3)
    expect(width(meanInterval(runs))).toBeGreaterThan(8)
  })

  it('is of runs alone where each has one frame, and none of a single value', () => {
    const [low, high] = meanInterval([[1], [2], [3]])!
    expect([low >= 1, high <= 3, low < high]).toEqual([true, true, true])
    expect(meanInterval([[5]])).toBeUndefined()
    expect(meanInterval([])).toBeUndefined()
  })

  it('is the same each time, holds the mean and lies within the values', () => {
    const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 12 })
    fc.assert(
      fc.property(values, frames => {
        const interval = meanInterval([frames])!
        expect(meanInterval([frames])).toEqual(interval)
        const [low, high] = interval
        const tiny = 1e-9 * Math.max(...frames)
        expect(low).toBeLessThanOrEqual(mean(frames) + tiny)
        expect(high).toBeGreaterThanOrEqual(mean(frames) - tiny)
        expect(low).toBeGreaterThanOrEqual(Math.min(...frames) - tiny)
        expect(high).toBeLessThanOrEqual(Math.max(...frames) + tiny)
      }),
      { numRuns: 30 },
    )
  })

  it('of a very long film is soon there: neighbours are drawn together', () => {
    expect(width(meanInterval([run(3, 100_000)]))).toBeCloseTo((2 * 1.96 * 10) / Math.sqrt(100_000), 1)
  })
})

describe('the interval of a ratio', () => {
  it('is not widened by what both have in common', () => {
    const frames = run(1, 40, 100, 40)
    const half = frames.map((value, i) => value / 2 + normal(9, i))
    const [low, high] = ratioInterval([frames], [half])!
    expect(low).toBeGreaterThan(1.97)
    expect(high).toBeLessThan(2.03)
  })

  it('holds 1 where there is no difference but noise', () => {
    const [low, high] = ratioInterval([run(1, 30)], [run(2, 30)])!
    expect(low).toBeLessThan(1)
    expect(high).toBeGreaterThan(1)
  })

  it('does without what has no partner, and is none where nothing took any time', () => {
    expect(ratioInterval([[2, 4, 6, 99]], [[1, 2, 3]])).toEqual([2, 2])
    expect(ratioInterval([[0, 0]], [[0, 0]])).toBeUndefined()
    expect(ratioInterval([[1, 2]], [])).toBeUndefined()
  })
})
