/** Says which strategies' frames are too short to compare them by. Pure. */
import type { Summary } from '../../../shared/frame/summary.ts'
import { isShort } from '../../../shared/metrics/short-frames.ts'
import { formatMs, listed } from './numbers.ts'

/** `pbt 8.31 ms and scatter 9.02 ms on average`; undefined if all frames are long enough. */
export function shortWords({ strategies }: Pick<Summary, 'strategies'>): string | undefined {
  const short = strategies.filter(isShort)
  if (short.length === 0) return undefined
  const named = short.slice(0, MAX_NAMED).map(({ name, frameMs }) => `${name} ${formatMs(frameMs.mean)} ms`)
  const more = short.length > MAX_NAMED ? [`${short.length - MAX_NAMED} more`] : []
  return `${listed([...named, ...more])} on average`
}

const MAX_NAMED = 4
