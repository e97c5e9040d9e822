/** Angles of points, two at once, from IEEE arithmetic alone. */
import { add, mul, sub } from './doubles'

const TAU: f64 = 6.283185307179586
const TAN_EIGHTH: f64 = 0.41421356237309503

/** Angle of (x, y) from the x axis towards the y axis, turns, −1/2 to 1/2; 0 for the origin. Within 1e-15. */
export function turnsOf(y: f64, x: f64): f64 {
  return f64x2.extract_lane(turnsOfTwo(f64x2.splat(y), f64x2.splat(x)), 0)
}

/** The angles of two points, one in each lane. */
export function turnsOfTwo(y: v128, x: v128): v128 {
  const across = f64x2.abs(x)
  const up = f64x2.abs(y)
  const far = f64x2.max(across, up)
  let turns = eighth(f64x2.div(f64x2.min(across, up), far))
  turns = v128.bitselect(sub(f64x2.splat(0.25), turns), turns, f64x2.gt(up, across))
  turns = v128.bitselect(sub(f64x2.splat(0.5), turns), turns, f64x2.lt(x, f64x2.splat(0)))
  turns = v128.bitselect(f64x2.neg(turns), turns, f64x2.lt(y, f64x2.splat(0)))
  return v128.and(turns, f64x2.gt(far, f64x2.splat(0)))
}

/** Arc tangents of 0 to 1, turns. */
@inline
function eighth(tangent: v128): v128 {
  const one = f64x2.splat(1)
  // Less by an eighth of a turn, then half the angle: the series converges fast below 0.2.
  const less = f64x2.gt(tangent, f64x2.splat(TAN_EIGHTH))
  const t = v128.bitselect(f64x2.div(sub(tangent, one), add(tangent, one)), tangent, less)
  const half = f64x2.div(t, add(one, f64x2.sqrt(add(one, mul(t, t)))))
  const s = mul(half, half)
  let sum = f64x2.splat(1.0 / 21.0)
  sum = sub(f64x2.splat(1.0 / 19.0), mul(sum, s))
  sum = sub(f64x2.splat(1.0 / 17.0), mul(sum, s))
  sum = sub(f64x2.splat(1.0 / 15.0), mul(sum, s))
  sum = sub(f64x2.splat(1.0 / 13.0), mul(sum, s))
  sum = sub(f64x2.splat(1.0 / 11.0), mul(sum, s))
  sum = sub(f64x2.splat(1.0 / 9.0), mul(sum, s))
  sum = sub(f64x2.splat(1.0 / 7.0), mul(sum, s))
  sum = sub(f64x2.splat(1.0 / 5.0), mul(sum, s))
  sum = sub(f64x2.splat(1.0 / 3.0), mul(sum, s))
  sum = sub(one, mul(sum, s))
  const turns = f64x2.div(mul(mul(f64x2.splat(2), half), sum), f64x2.splat(TAU))
  return v128.bitselect(add(f64x2.splat(0.125), turns), turns, less)
}
