/**
 * Which samples of a pixel make up one half of them, so that the difference of both halves says how noisy their mean is. Halves have to
 * be as well spread as the whole: stretches of a sequence at multiples of their length are (Owen, "Randomly Permuted (t,m,s)-Nets and
 * (t,s)-Sequences", 1995), every other element is not. So samples are taken in ranges, the first half of each to the first half of all:
 *
 * - the moments of a frame with motion blur, each of which has its range;
 * - otherwise the passes that an adaptive frame would have: after each of these both halves have equally many.
 */
import { FIRST_SAMPLES } from './frame-limits.ts'
import type { SampleRange } from './view.ts'

export interface Sampling {
  /** Of a pixel. */
  readonly samples: number
  /** Of a frame with motion blur. @default 1 */
  readonly moments?: number
}

/** The samples of a range that belong to the second half, in order. */
export const secondHalf = (sampling: Sampling, range: SampleRange): SampleRange[] =>
  rangesOf(sampling).flatMap(whole => within({ from: middleOf(whole), to: whole.to }, range))

/** Those that do not. */
export const firstHalf = (sampling: Sampling, range: SampleRange): SampleRange[] =>
  rangesOf(sampling).flatMap(whole => within({ from: whole.from, to: middleOf(whole) }, range))

/** How many of the first `taken` samples belong to the second half. */
export const countInSecondHalf = (sampling: Sampling, taken: number): number =>
  secondHalf(sampling, { from: 0, to: taken }).reduce((sum, { from, to }) => sum + to - from, 0)

/** A number of ranges of equal length within one sample; empty ones are left out. */
export function equalRanges(samples: number, ranges: number): SampleRange[] {
  const edge = (i: number) => Math.floor((i * samples) / ranges)
  return Array.from({ length: ranges }, (_, i) => ({ from: edge(i), to: edge(i + 1) })).filter(
    ({ from, to }) => to > from,
  )
}

/** Ranges of which each has as many samples as all before it together. */
export function doublingRanges(samples: number): SampleRange[] {
  const ranges: SampleRange[] = []
  for (let from = 0; from < samples; ) {
    const to = Math.min(samples, from === 0 ? FIRST_SAMPLES : 2 * from)
    ranges.push({ from, to })
    from = to
  }
  return ranges
}

const rangesOf = ({ samples, moments = 1 }: Sampling): SampleRange[] =>
  moments > 1 ? equalRanges(samples, moments) : doublingRanges(samples)

/** So that of the first n samples, at the end of a range, n / 2 belong to the second half, rounded down. */
const middleOf = ({ from, to }: SampleRange): number => to - (to >> 1) + (from >> 1)

function within(part: SampleRange, range: SampleRange): SampleRange[] {
  const [from, to] = [Math.max(part.from, range.from), Math.min(part.to, range.to)]
  return from < to ? [{ from, to }] : []
}
