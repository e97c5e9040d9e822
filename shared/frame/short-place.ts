/** Places of eyes and targets in few digits, which a command line has, too. */
import type { Vec3 } from './view.ts'

/** Digits of a length: a millionth of it cannot be seen. No number has more than 17. */
const DIGITS = 6
const MOST_DIGITS = 17

/** @param depth from the eye to its target: a millionth of it cannot be seen. Far from the origin, that has more digits */
export function shortPlace(place: Vec3, depth: number): Vec3 {
  const [x, y, z] = place.map(at => {
    const more = Math.max(0, orderOf(at / depth) || 0)
    return Number(at.toPrecision(Math.min(MOST_DIGITS, DIGITS + more)))
  })
  return [x!, y!, z!]
}

/** The whole part of its logarithm to base 10, which the platform's own function may miss by one. NaN for what is not finite. */
const orderOf = (value: number): number => Number(value.toExponential().split('e')[1])
