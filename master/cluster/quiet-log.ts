/** A log for what strangers can cause: however many there are, it passes on a few warnings at a time, then says how many it left out. */
import { inWords } from '../../shared/duration.ts'
import type { Log } from '../../shared/log.ts'

export interface QuietLimits {
  /** Warnings passed on in each interval. */
  readonly lines: number
  readonly everyMs: number
}

export const DEFAULT_QUIET_LIMITS: QuietLimits = { lines: 20, everyMs: 10_000 }

/** @param alarm calls `wake` after `inMs` */
export function quietLog(
  log: Log,
  alarm: (wake: () => void, inMs: number) => void,
  { lines, everyMs }: QuietLimits = DEFAULT_QUIET_LIMITS,
): Log {
  let passed = 0
  let leftOut = 0
  const next = () => {
    if (leftOut > 0) log.warn(`${leftOut} more like these in the last ${inWords(everyMs)}`)
    passed = 0
    leftOut = 0
  }
  return {
    info: text => log.info(text),
    warn: text => {
      if (passed === 0 && leftOut === 0) alarm(next, everyMs)
      if (passed >= lines) leftOut++
      else {
        passed++
        log.warn(text)
      }
    },
  }
}
