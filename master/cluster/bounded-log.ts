/** A log of which peers cannot make more than so many lines in a time: workers that join, fail and leave in a loop, for example. */

import type { Log } from '../../shared/text/log.ts'
import type { Clock } from '../../shared/time/clock.ts'

/** Lines beyond the bound are counted, and their number is logged before the next line that is within it. */
export function boundedLog(
  log: Log,
  clock: Clock,
  { lines, inMs }: { readonly lines: number; readonly inMs: number },
): Log {
  let since = clock.now()
  let logged = 0
  let left = 0
  const line = (write: (text: string) => void) => (text: string) => {
    const now = clock.now()
    if (now - since >= inMs) {
      if (left > 0) log.warn(`${left} lines were left out of this log: more than ${lines} in ${inMs / 1000} s`)
      since = now
      logged = 0
      left = 0
    }
    if (logged++ < lines) write(text)
    else left++
  }
  return { info: line(text => log.info(text)), warn: line(text => log.warn(text)) }
}
