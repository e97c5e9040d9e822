/** Basic statistics of a series of frame times. */

export interface Statistics {
  readonly mean: number
  readonly median: number
  readonly p95: number
  /** Sample standard deviation (n − 1); 0 for a single value. */
  readonly stddev: number
  readonly min: number
  readonly max: number
}

/** Statistics of at least one value. Percentiles interpolate linearly between order statistics. */
export function statistics(values: readonly number[]): Statistics {
  const sorted = [...values].sort((a, b) => a - b)
  const average = mean(sorted)
  const squares = sorted.reduce((total, value) => total + (value - average) ** 2, 0)
  return {
    mean: average,
    median: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    stddev: sorted.length > 1 ? Math.sqrt(squares / (sorted.length - 1)) : 0,
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
  }
}

export const mean = (values: readonly number[]): number =>
  values.length > 0 ? values.reduce((total, value) => total + value, 0) / values.length : 0

/** The q-quantile of sorted values. */
export function quantile(sorted: readonly number[], q: number): number {
  const at = (sorted.length - 1) * q
  const low = sorted[Math.floor(at)] ?? 0
  const high = sorted[Math.ceil(at)] ?? low
  return low + (high - low) * (at - Math.floor(at))
}
