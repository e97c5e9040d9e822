import type { Clock } from '../time/clock.ts'

/** What `setTimeout` can count, ms. */
const MOST_MS = 2 ** 31 - 1

/**
 * Alarms that are never early by a clock. Timers of Node.js are, by a fraction of a millisecond: who asks the clock then whether a pause
 * is over hears that it is not, and never asks again.
 * @returns calls `wake` after `inMs`, unless the function that it returns was called
 */
export function alarmsBy(clock: Clock): (wake: () => void, inMs: number) => () => void {
  return (wake, inMs) => {
    const due = clock.now() + inMs
    let timer: NodeJS.Timeout
    const arm = (ms: number): void => {
      timer = setTimeout(look, Math.min(Math.ceil(ms), MOST_MS))
    }
    const look = (): void => {
      const left = due - clock.now()
      if (left > 0) arm(left)
      else wake()
    }
    arm(inMs)
    return () => clearTimeout(timer)
  }
}
