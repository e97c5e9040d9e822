/**
 * 95 % intervals of means and of ratios of means, by the percentile bootstrap: Efron & Tibshirani, "An Introduction to the
 * Bootstrap", 1993, §13.3. Frames of one run share the state of the machine, so several runs are resampled first, then the
 * frames within each: Davison & Hinkley, "Bootstrap Methods and their Application", 1997, §3.8. With a single run only frames
 * can be resampled; the interval then says nothing about other runs. Seeded: equal values give equal intervals.
 */
import { hash32, unitOf } from '../math/random.ts'
import { quantile } from './statistics.ts'

export type Interval = [low: number, high: number]

/** One value per frame, for each run. */
export type Runs = readonly (readonly number[])[]

/** Interval of the mean over all frames of all runs. Undefined for a single value. */
export const meanInterval = (runs: Runs): Interval | undefined =>
  ratioInterval(
    runs,
    runs.map(run => run.map(() => 1)),
  )

/**
 * Interval of the mean of `above` over the mean of `below`, whose values are paired: the same frame of the same round. Pairs are
 * resampled together, so what both have in common, such as the frame's content, does not widen the interval. Values without a
 * partner are ignored. Undefined for a single pair, and for a division by zero.
 */
export function ratioInterval(above: Runs, below: Runs): Interval | undefined {
  const runs = above.flatMap((run, i) => {
    const pairs = pairsOf(run, below[i] ?? [])
    return pairs.length > 0 ? [pairs] : []
  })
  if (runs.length === 0 || (runs.length === 1 && runs[0]!.length < 2)) return undefined
  const ratios = Array.from({ length: RESAMPLES }, (_, resample) => ratioOf(drawn(runs, resample)))
  const estimate = ratioOf(runs.flat())
  if (![estimate, ...ratios].every(Number.isFinite)) return undefined
  ratios.sort((a, b) => a - b)
  // If all values are equal, sums in another order may differ from the estimate by an ulp.
  return [Math.min(quantile(ratios, 0.025), estimate), Math.max(quantile(ratios, 0.975), estimate)]
}

const RESAMPLES = 2000
const SEED = 1

/** Resampling units of a run. In longer runs neighbouring frames, which are similar anyway, form one unit. */
const MAX_UNITS = 256

interface Pair {
  readonly above: number
  readonly below: number
}

function pairsOf(above: readonly number[], below: readonly number[]): Pair[] {
  const frames = Math.min(above.length, below.length)
  const together = Math.ceil(frames / MAX_UNITS)
  const pairs: { above: number; below: number }[] = []
  for (let frame = 0; frame < frames; frame++) {
    if (frame % together === 0) pairs.push({ above: 0, below: 0 })
    const last = pairs.at(-1)!
    last.above += above[frame]!
    last.below += below[frame]!
  }
  return pairs
}

/** A resample of equal size: runs, and pairs within each, all drawn with replacement. */
function* drawn(runs: readonly (readonly Pair[])[], resample: number): Generator<Pair> {
  for (let slot = 0; slot < runs.length; slot++) {
    const run = pick(runs, hash32(SEED, resample, slot))
    for (let draw = 1; draw <= run.length; draw++) yield pick(run, hash32(SEED, resample, slot, draw))
  }
}

const pick = <T>(values: readonly T[], bits: number): T => values[Math.floor(unitOf(bits) * values.length)]!

function ratioOf(pairs: Iterable<Pair>): number {
  let above = 0
  let below = 0
  for (const pair of pairs) {
    above += pair.above
    below += pair.below
  }
  return above / below
}
