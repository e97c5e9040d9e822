/**
 * Sine and cosine with the same bits on every machine: only +, −, × and ⌊ ⌋ of IEEE doubles, not the platform's `Math`
 * (whose last bit differs between engines and their versions). Angles are in turns, where the reduction to an eighth of a
 * turn is exact; the rest is a Taylor polynomial whose next term is below 1e-19.
 */

/** Sine of an angle in turns (1 = full circle). |error| ≤ 4e-16; exact at quarter turns. NaN beyond ±2^50 turns. */
export function sinTurns(turns: number): number {
  const quarter = Math.floor(turns * 4 + 0.5)
  return ofQuarter(quarter, turns - quarter * 0.25)
}

/** Cosine of an angle in turns (1 = full circle). |error| ≤ 4e-16; exact at quarter turns. NaN beyond ±2^50 turns. */
export function cosTurns(turns: number): number {
  const quarter = Math.floor(turns * 4 + 0.5)
  return ofQuarter(quarter + 1, turns - quarter * 0.25)
}

/** Tangent of an angle in turns, |turns| below a quarter. */
export const tanTurns = (turns: number): number => sinTurns(turns) / cosTurns(turns)

const TAU = 6.283185307179586
/** Beyond this, a double cannot tell an eighth of a turn from the next. */
const LARGEST_QUARTER = 2 ** 52

/** sin((quarter / 4 + rest) turns) for |rest| ≤ 1/8. */
function ofQuarter(quarter: number, rest: number): number {
  if (!(Math.abs(quarter) <= LARGEST_QUARTER)) return Number.NaN
  const x = rest * TAU
  const phase = quarter - Math.floor(quarter * 0.25) * 4
  const value = phase === 1 || phase === 3 ? cosineNearZero(x) : sineNearZero(x)
  return phase < 2 ? value : 0 - value
}

// Taylor, Horner's scheme. With |x| ≤ π/4 the first term left out is x^19/19! < 1e-19 and x^20/20! < 1e-20.
function sineNearZero(x: number): number {
  const s = x * x
  let sum = 1 / 355687428096000
  sum = sum * s - 1 / 1307674368000
  sum = sum * s + 1 / 6227020800
  sum = sum * s - 1 / 39916800
  sum = sum * s + 1 / 362880
  sum = sum * s - 1 / 5040
  sum = sum * s + 1 / 120
  sum = sum * s - 1 / 6
  return x + x * s * sum
}

function cosineNearZero(x: number): number {
  const s = x * x
  let sum = -1 / 6402373705728000
  sum = sum * s + 1 / 20922789888000
  sum = sum * s - 1 / 87178291200
  sum = sum * s + 1 / 479001600
  sum = sum * s - 1 / 3628800
  sum = sum * s + 1 / 40320
  sum = sum * s - 1 / 720
  sum = sum * s + 1 / 24
  return 1 - s * 0.5 + s * s * sum
}
