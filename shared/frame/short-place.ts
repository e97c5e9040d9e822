/** Places of eyes and targets in few digits, which a command line has, too. */
import type { Vec3 } from './view.ts'

/** Digits of a length: a millionth of it cannot be seen. No number has more than 17. */
const DIGITS = 6
const MOST_DIGITS = 17

/** @param depth from the eye to its target: a millionth of it cannot be seen. Far from the origin, that has more digits */
export function shortPlace(place: Vec3, depth: number): Vec3 {
  const [x, y, z] = place.map(at => {
    const more = Math.max(0, Math.floor(Math.log10(Math.abs(at) / depth)) || 0)
    return Number(at.toPrecision(Math.min(MOST_DIGITS, DIGITS + more)))
  })
  return [x!, y!, z!]
}
