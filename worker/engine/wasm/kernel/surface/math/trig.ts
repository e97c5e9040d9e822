/**
 * Sine and cosine of two angles of 0 to 1 turns at once, bit-identical to `shared/math/trig.ts`. Both evaluate both
 * polynomials: near an odd number of quarter turns, the sine uses the cosine's. A caller of both functions pays for them
 * only once.
 */
import { add, mul, sub } from './doubles'

const TAU: f64 = 6.283185307179586

@inline
export function sinTurns(turns: v128): v128 {
  const quarter = nearestQuarter(turns)
  const x = restAngle(turns, quarter)
  const phase = wholeNumbers(quarter)
  return negatedIf(bit(phase, 1), v128.bitselect(cosineNearZero(x), sineNearZero(x), bit(phase, 0)))
}

@inline
export function cosTurns(turns: v128): v128 {
  const quarter = nearestQuarter(turns)
  const x = restAngle(turns, quarter)
  const phase = wholeNumbers(quarter)
  // One quarter turn more than for the sine.
  const negative = v128.xor(bit(phase, 1), bit(phase, 0))
  return negatedIf(negative, v128.bitselect(sineNearZero(x), cosineNearZero(x), bit(phase, 0)))
}

/**
 * Cosine and sine of one angle, in this order, with the bits of the two functions above: one polynomial in each lane, so that both cost what one of
 * them does. A subtraction is the addition of the negative, bit by bit.
 */
@inline
export function onCircle(turns: f64): v128 {
  const quarter = floor<f64>(turns * 4 + 0.5)
  const x = (turns - quarter * 0.25) * TAU
  const square = x * x
  const s = f64x2.splat(square)
  let sum = f64x2(-1.0 / 6402373705728000.0, 1.0 / 355687428096000.0)
  sum = add(mul(sum, s), f64x2(1.0 / 20922789888000.0, -1.0 / 1307674368000.0))
  sum = add(mul(sum, s), f64x2(-1.0 / 87178291200.0, 1.0 / 6227020800.0))
  sum = add(mul(sum, s), f64x2(1.0 / 479001600.0, -1.0 / 39916800.0))
  sum = add(mul(sum, s), f64x2(-1.0 / 3628800.0, 1.0 / 362880.0))
  sum = add(mul(sum, s), f64x2(1.0 / 40320.0, -1.0 / 5040.0))
  sum = add(mul(sum, s), f64x2(-1.0 / 720.0, 1.0 / 120.0))
  sum = add(mul(sum, s), f64x2(1.0 / 24.0, -1.0 / 6.0))
  const first = f64x2.replace_lane(f64x2.splat(1 - square * 0.5), 1, x)
  const rest = mul(f64x2.replace_lane(s, 1, x), s)
  const near = add(first, mul(rest, sum))
  // At odd quarters each is the other's polynomial; the cosine has the sign of the sine a quarter turn later.
  const phase = wholeNumbers(f64x2.splat(quarter))
  const swapped = v128.bitselect(v128.shuffle<f64>(near, near, 1, 0), near, bit(phase, 0))
  return negatedIf(bit(i64x2.add(phase, i64x2(1, 0)), 1), swapped)
}

@inline
function nearestQuarter(turns: v128): v128 {
  return f64x2.floor(add(mul(turns, f64x2.splat(4)), f64x2.splat(0.5)))
}

@inline
function restAngle(turns: v128, quarter: v128): v128 {
  return mul(sub(turns, mul(quarter, f64x2.splat(0.25))), f64x2.splat(TAU))
}

/** All ones in the lanes where bit `index` (0 or 1) of an integer is set. */
@inline
function bit(integers: v128, index: i32): v128 {
  return i64x2.shr_s(i64x2.shl(integers, 63 - index), 63)
}

@inline
function negatedIf(negative: v128, value: v128): v128 {
  return v128.bitselect(sub(f64x2.splat(0), value), value, negative)
}

@inline
function sineNearZero(x: v128): v128 {
  const s = mul(x, x)
  let sum = f64x2.splat(1.0 / 355687428096000.0)
  sum = sub(mul(sum, s), f64x2.splat(1.0 / 1307674368000.0))
  sum = add(mul(sum, s), f64x2.splat(1.0 / 6227020800.0))
  sum = sub(mul(sum, s), f64x2.splat(1.0 / 39916800.0))
  sum = add(mul(sum, s), f64x2.splat(1.0 / 362880.0))
  sum = sub(mul(sum, s), f64x2.splat(1.0 / 5040.0))
  sum = add(mul(sum, s), f64x2.splat(1.0 / 120.0))
  sum = sub(mul(sum, s), f64x2.splat(1.0 / 6.0))
  return add(x, mul(mul(x, s), sum))
}

@inline
function cosineNearZero(x: v128): v128 {
  const s = mul(x, x)
  let sum = f64x2.splat(-1.0 / 6402373705728000.0)
  sum = add(mul(sum, s), f64x2.splat(1.0 / 20922789888000.0))
  sum = sub(mul(sum, s), f64x2.splat(1.0 / 87178291200.0))
  sum = add(mul(sum, s), f64x2.splat(1.0 / 479001600.0))
  sum = sub(mul(sum, s), f64x2.splat(1.0 / 3628800.0))
  sum = add(mul(sum, s), f64x2.splat(1.0 / 40320.0))
  sum = sub(mul(sum, s), f64x2.splat(1.0 / 720.0))
  sum = add(mul(sum, s), f64x2.splat(1.0 / 24.0))
  return add(sub(f64x2.splat(1), mul(s, f64x2.splat(0.5))), mul(mul(s, s), sum))
}

/**
 * Rounds two doubles, 0 <= x < 2^31, to the nearest integers, in the low words of both lanes, without the checks of a
 * conversion: at 2^52 a double has no bits for fractions, so its low bits are the integer.
 */
@inline
function wholeNumbers(x: v128): v128 {
  return f64x2.add(x, f64x2.splat(4503599627370496))
}
