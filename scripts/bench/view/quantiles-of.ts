/** What is said of many times. */
import { quantile } from '../../../shared/metrics/statistics.ts'

export interface Quantiles {
  readonly p50: number
  readonly p95: number
}

export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b)
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) }
}
