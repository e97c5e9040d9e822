/** Repeatable timing of a function within this process, in CPU time, because a busy host stretches wall time. */
import { quantile } from '../../shared/metrics/statistics.ts'

export interface Timing {
  /** Milliseconds of CPU time per call. */
  readonly medianMs: number
  readonly bestMs: number
  readonly rounds: number
}

export const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  )

/** Calls `work` until warm, then `rounds` times. */
export function measure(rounds: number, work: () => unknown): Timing {
  for (let i = 0; i < 3; i++) work()
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }).sort((a, b) => a - b)
  return { medianMs: quantile(times, 0.5), bestMs: times[0] ?? 0, rounds }
}
