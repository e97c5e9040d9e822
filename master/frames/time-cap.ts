/**
 * How many samples the next pass of a frame takes that has only so much time. Passes double the samples, and so the last one says what the
 * next costs: its own time for each sample of a pixel, with all that a pass takes besides, which weighs less the longer passes are. A pass
 * that would not fit is made shorter, and what is left over then is a pass again. Pure.
 */

import type { PassFacts } from './frame-facts.ts'
import { laterTimedPasses, type Pass } from './passes.ts'

/** What of a frame decides how its time is spent; its time begins at `beganAt`, and without `timeMs` it has all. */
interface TimedFrame {
  readonly beganAt: number
  readonly timeMs?: number | undefined
  readonly samples: number
  readonly adaptive?: boolean
}

/** What was made of it until now, in passes; `since` is when its first tiles were ordered. */
interface SoFar {
  readonly made: readonly PassFacts[]
  readonly since: number
  readonly now: number
}

/** The passes to come, the next one as long as there is time for; none: time is up. @param pixels of the next pass */
export function passesInTime(
  passes: readonly Pass[],
  pixels: number,
  { beganAt, timeMs, samples, adaptive = false }: TimedFrame,
  { made, since, now }: SoFar,
): Pass[] {
  const [next, ...later] = passes
  const last = made.at(-1)
  if (timeMs === undefined || !next || !last) return [...passes]
  const { from, to } = next.samples
  const lastPass = {
    samples: last.samples.to - last.samples.from,
    pixels: last.pixels,
    ms: now - (made.at(-2)?.endedAt ?? since),
  }
  const time = { left: beganAt + timeMs - now, inAll: timeMs }
  const most = samplesInTime(lastPass, { pixels, most: to - from }, time)
  if (most === 0) return []
  if (most === to - from) return [next, ...later]
  return [{ ...next, samples: { from, to: from + most } }, ...laterTimedPasses(samples, adaptive, from + most)]
}

/** A pass that was made. */
export interface MadePass {
  /** That each of its pixels got. */
  readonly samples: number
  readonly pixels: number
  /** From the end of the one before it to its own. */
  readonly ms: number
}

/** As much of a frame's time is given away: passes that are this short say and bring little. */
const REST = 0.02

/**
 * The samples of the next pass, at most `most`; 0: the frame's time is up.
 * @param pixels of the next pass, among those of the last one
 * @param left of the frame's time, ms
 * @param inAll the frame's time, ms
 */
export function samplesInTime(
  last: MadePass,
  { pixels, most }: { readonly pixels: number; readonly most: number },
  { left, inAll }: { readonly left: number; readonly inAll: number },
): number {
  if (left < REST * inAll) return 0
  // With a clock of whole milliseconds, a pass may take none.
  const each = (last.ms * pixels) / (last.samples * last.pixels)
  return each * most <= left ? most : Math.floor(left / each)
}
