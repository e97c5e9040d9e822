/** Bounds what a worker says of its own time by the master's clock. Honest workers are never near these bounds. Pure. */
import type { TileTimes } from '../../shared/protocol/codec.ts'

/** CPU clocks of some systems advance in steps of this length, ms. */
const CLOCK_STEP_MS = 16

/**
 * @param elapsedMs from the order, or the part before, to the answer, on the master's clock
 * @param threads of the area
 */
export function boundedTimes(times: TileTimes, elapsedMs: number, threads: number): TileTimes {
  const renderMs = Math.min(times.renderMs, elapsedMs)
  const encodeMs = Math.min(times.encodeMs, elapsedMs - renderMs)
  const waitMs = Math.min(times.waitMs, elapsedMs - renderMs - encodeMs)
  const cpuMs = Math.min(times.cpuMs, threads * (elapsedMs + CLOCK_STEP_MS))
  return { ...times, waitMs, renderMs, encodeMs, cpuMs }
}
