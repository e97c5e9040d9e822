/** Finds when something is first seen of a scene that moves and has nothing to show at time 0. */
import type { Motion } from '../scene-source.ts'

/** Most vertices of all looks together: each look may pose all of them. */
const MOST_VERTICES = 2 ** 25
const FEWEST_LOOKS = 4
const MOST_LOOKS = 1000
/** For modules that count frames. */
const FRAMES_PER_SECOND = 24

/**
 * What `see` finds at the first of the scene's times at which it finds anything. The scene is then as it is at time 0 again.
 * @param vertices that are looked at each time: of a large scene, fewer times are tried
 */
export async function firstSight<T>(
  motion: Pick<Motion, 'times' | 'setTime'>,
  vertices: number,
  see: () => T | undefined,
): Promise<{ readonly seconds: number; readonly seen: T } | undefined> {
  const looks = Math.min(Math.max(Math.floor(MOST_VERTICES / vertices), FEWEST_LOOKS), MOST_LOOKS)
  let found: { readonly seconds: number; readonly seen: T } | undefined
  for (const seconds of motion.times(looks)) {
    await motion.setTime(seconds, Math.round(seconds * FRAMES_PER_SECOND))
    const seen = see()
    if (seen === undefined) continue
    found = { seconds, seen }
    break
  }
  await motion.setTime(0, 0)
  return found
}

/** At most so many of a list, evenly. */
export function evenly(all: ArrayLike<number>, most: number): number[] {
  const count = Math.min(all.length, most)
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!)
}
