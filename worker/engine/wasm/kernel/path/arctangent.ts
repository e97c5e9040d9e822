/** The angle of a point, from IEEE arithmetic alone. */

const TAU: f64 = 6.283185307179586
const TAN_EIGHTH: f64 = 0.41421356237309503

/** Angle of (x, y) from the x axis towards the y axis, turns, −1/2 to 1/2; 0 for the origin. Within 1e-15. */
export function turnsOf(y: f64, x: f64): f64 {
  const across = abs<f64>(x)
  const up = abs<f64>(y)
  const far = max<f64>(across, up)
  if (!(far > 0)) return 0
  let turns = eighth(min<f64>(across, up) / far)
  if (up > across) turns = 0.25 - turns
  if (x < 0) turns = 0.5 - turns
  return y < 0 ? -turns : turns
}

/** Arc tangent of 0 to 1, turns. */
function eighth(tangent: f64): f64 {
  // Less by an eighth of a turn, then half the angle: the series converges fast below 0.2.
  const less = tangent > TAN_EIGHTH
  const t = less ? (tangent - 1) / (tangent + 1) : tangent
  const half = t / (1 + sqrt<f64>(1 + t * t))
  const s = half * half
  let sum: f64 = 1.0 / 21.0
  sum = 1.0 / 19.0 - sum * s
  sum = 1.0 / 17.0 - sum * s
  sum = 1.0 / 15.0 - sum * s
  sum = 1.0 / 13.0 - sum * s
  sum = 1.0 / 11.0 - sum * s
  sum = 1.0 / 9.0 - sum * s
  sum = 1.0 / 7.0 - sum * s
  sum = 1.0 / 5.0 - sum * s
  sum = 1.0 / 3.0 - sum * s
  sum = 1 - sum * s
  const turns = (2 * half * sum) / TAU
  return less ? 0.125 + turns : turns
}
