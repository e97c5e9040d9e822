/**
 * Which samples of a pixel make up one half of them, so that the difference of both halves says how noisy their mean is. Halves have to
 * be as well spread as the whole: stretches of a sequence at multiples of their length are (Owen, "Randomly Permuted (t,m,s)-Nets and
 * (t,s)-Sequences", 1995), every other element is not, nor are those of even parity: each pair of dimensions has an order of its own, so
 * they are no longer spread at all. (Of 24 pictures with 16 samples the mean of (A − B)² / 4 is 1.06 to 1.35 times the true variance, with
 * every other sample 1.4 to 2.3 times.) So the halves are the first samples and the last, of each part that has to be divided:
 *
 * - of a frame with motion blur every moment;
 * - of an adaptive frame every pass: each pixel has all samples of some of them. The samples of any other frame to which more can be added
 *   (`sample-layout.ts`) are divided in the same way, so that those that are there stay in their half;
 * - of a frame with only so much time, too, whose passes are as long as there is time for: each range of samples is one.
 */
import { FIRST_SAMPLES } from './frame-limits.ts'
import type { SampleRange } from './view.ts'

export interface Sampling {
  /** Of a pixel. */
  readonly samples: number
  /** Of a frame with motion blur. @default 1 */
  readonly moments?: number | undefined
  /** Or divided as if it were. */
  readonly isAdaptive?: boolean
  readonly isTimed?: boolean
}

/** The samples of a range that belong to the second half, in order. */
export const secondHalf = (sampling: Sampling, range: SampleRange): SampleRange[] =>
  rangesOf(sampling, range).flatMap(whole => within({ from: middleOf(whole), to: whole.to }, range))

/** Those that do not. */
export const firstHalf = (sampling: Sampling, range: SampleRange): SampleRange[] =>
  rangesOf(sampling, range).flatMap(whole => within({ from: whole.from, to: middleOf(whole) }, range))

/** How many of the samples before the end of a range belong to the second half. */
export const inSecondHalf = (samples: number): number => samples >> 1

/** A number of ranges of equal length within one sample; empty ones are left out. */
export function equalRanges(samples: number, ranges: number): SampleRange[] {
  const edge = (i: number) => Math.floor((i * samples) / ranges)
  return Array.from({ length: ranges }, (_, i) => ({ from: edge(i), to: edge(i + 1) })).filter(
    ({ from, to }) => to > from,
  )
}

/**
 * Those of an adaptive frame's passes: each has as many samples as all before it together.
 * @param first samples of the first one
 * @param done samples that were taken before, of the ranges that follow
 */
export function doublingRanges(samples: number, first = FIRST_SAMPLES, done = 0): SampleRange[] {
  const ranges: SampleRange[] = []
  for (let from = done; from < samples; ) {
    const to = Math.min(samples, from === 0 ? first : 2 * from)
    ranges.push({ from, to })
    from = to
  }
  return ranges
}

function rangesOf(
  { samples, moments = 1, isAdaptive = false, isTimed = false }: Sampling,
  pass: SampleRange,
): SampleRange[] {
  if (isTimed) return [pass]
  return isAdaptive ? doublingRanges(samples) : equalRanges(samples, moments)
}

const middleOf = ({ from, to }: SampleRange): number => to - inSecondHalf(to) + inSecondHalf(from)

function within(part: SampleRange, range: SampleRange): SampleRange[] {
  const [from, to] = [Math.max(part.from, range.from), Math.min(part.to, range.to)]
  return from < to ? [{ from, to }] : []
}
