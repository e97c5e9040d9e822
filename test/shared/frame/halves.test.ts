import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  doublingRanges,
  equalRanges,
  firstHalf,
  inSecondHalf,
  type Sampling,
  secondHalf,
} from '../../../shared/frame/halves.ts'
import type { SampleRange } from '../../../shared/frame/view.ts'
import { times } from '../../support/nightly.ts'

const numbersIn = (ranges: readonly SampleRange[]): number[] =>
  ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i))

const sampling = fc
  .tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 9 }))
  .map(([samples, moments]): Sampling => (moments === 0 ? { samples, isAdaptive: true } : { samples, moments }))

describe('the halves of the samples', () => {
  it('are all of a range, and differ by one sample at most', () => {
    fc.assert(
      fc.property(sampling, sampling => {
        const all = { from: 0, to: sampling.samples }
        const [first, second] = [numbersIn(firstHalf(sampling, all)), numbersIn(secondHalf(sampling, all))]
        expect([...first, ...second].sort((a, b) => a - b)).toEqual(numbersIn([all]))
        expect(inSecondHalf(sampling.samples)).toBe(second.length)
        expect(first.length - second.length).toBe(sampling.samples % 2)
      }),
      { numRuns: times(100) },
    )
  })

  it('do not depend on the range of a pass', () => {
    fc.assert(
      fc.property(sampling, fc.nat(), fc.nat(), (sampling, a, b) => {
        const [from, to] = [a % sampling.samples, 1 + (b % sampling.samples)].sort((x, y) => x - y) as [number, number]
        const part = numbersIn(secondHalf(sampling, { from, to }))
        const whole = numbersIn(secondHalf(sampling, { from: 0, to: sampling.samples }))
        expect(part).toEqual(whole.filter(number => from <= number && number < to))
      }),
      { numRuns: times(100) },
    )
  })

  it('are halves of every pass of a frame with only so much time, however long these are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 299 })),
        (samples, cuts) => {
          const ends = [...cuts.filter(cut => cut < samples), samples].sort((a, b) => a - b)
          let [from, second] = [0, 0]
          for (const to of ends) {
            const halves = [firstHalf, secondHalf].map(half =>
              numbersIn(half({ samples, isTimed: true }, { from, to })),
            )
            expect(halves.flat().sort((a, b) => a - b)).toEqual(numbersIn([{ from, to }]))
            second += halves[1]!.length
            expect(second).toBe(inSecondHalf(to))
            from = to
          }
        },
      ),
      { numRuns: times(100) },
    )
  })

  it('have as many samples after every pass of an adaptive frame, and every moment of one with motion blur', () => {
    const ends = [32, 64, 100, 4096].flatMap(samples =>
      doublingRanges(samples).map(({ to }) => ({ samples, isAdaptive: true, to })),
    )
    for (const { to, ...sampling } of [
      ...ends,
      ...equalRanges(50, 7).map(({ to }) => ({ samples: 50, moments: 7, to })),
    ])
      expect(numbersIn(secondHalf(sampling, { from: 0, to }))).toHaveLength(inSecondHalf(to))
  })

  it('have samples of every moment that has more than one', () => {
    const sampling = { samples: 16, moments: 4 }
    expect(numbersIn(secondHalf(sampling, { from: 0, to: 16 }))).toEqual([2, 3, 6, 7, 10, 11, 14, 15])
    expect(numbersIn(secondHalf({ samples: 4, moments: 4 }, { from: 0, to: 4 }))).toEqual([1, 3])
  })
})
