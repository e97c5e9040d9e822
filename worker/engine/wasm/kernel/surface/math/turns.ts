/** Sine and cosine of four angles of 0 to 1 turns at once, within 2e-7: for directions that only have to look random. In doubles: `trig.ts`. */
import { add, mul, splat, sub } from './floats'

const TAU: f32 = 6.283185307179586

@inline
export function sines(turns: v128): v128 {
  const quarter = nearestQuarter(turns)
  const x = restAngle(turns, quarter)
  const phase = i32x4.trunc_sat_f32x4_s(quarter)
  return negatedIf(bit(phase, 1), v128.bitselect(cosineNearZero(x), sineNearZero(x), bit(phase, 0)))
}

@inline
export function cosines(turns: v128): v128 {
  const quarter = nearestQuarter(turns)
  const x = restAngle(turns, quarter)
  const phase = i32x4.trunc_sat_f32x4_s(quarter)
  // One quarter turn more than for the sine.
  const negative = v128.xor(bit(phase, 1), bit(phase, 0))
  return negatedIf(negative, v128.bitselect(sineNearZero(x), cosineNearZero(x), bit(phase, 0)))
}

@inline
function nearestQuarter(turns: v128): v128 {
  return f32x4.floor(add(mul(turns, splat(4)), splat(0.5)))
}

/** In [-π/4, π/4]. */
@inline
function restAngle(turns: v128, quarter: v128): v128 {
  return mul(sub(turns, mul(quarter, splat(0.25))), splat(TAU))
}

/** All ones in the lanes where bit `index` (0 or 1) of an integer is set. */
@inline
function bit(integers: v128, index: i32): v128 {
  return i32x4.shr_s(i32x4.shl(integers, 31 - index), 31)
}

@inline
function negatedIf(negative: v128, value: v128): v128 {
  return v128.xor(value, v128.and(negative, i32x4.splat(0x80000000)))
}

/** The Taylor series' next term is below half an ulp. */
@inline
function sineNearZero(x: v128): v128 {
  const s = mul(x, x)
  let sum = splat(1.0 / 362880.0)
  sum = sub(mul(sum, s), splat(1.0 / 5040.0))
  sum = add(mul(sum, s), splat(1.0 / 120.0))
  sum = sub(mul(sum, s), splat(1.0 / 6.0))
  return add(x, mul(mul(x, s), sum))
}

@inline
function cosineNearZero(x: v128): v128 {
  const s = mul(x, x)
  let sum = splat(1.0 / 40320.0)
  sum = sub(mul(sum, s), splat(1.0 / 720.0))
  sum = add(mul(sum, s), splat(1.0 / 24.0))
  return add(sub(splat(1), mul(s, splat(0.5))), mul(mul(s, s), sum))
}
