/**
 * Arithmetic on pairs of doubles, under names short enough for formulas; each lane is bit-identical to scalar arithmetic.
 */

@inline
export function add(a: v128, b: v128): v128 {
  return f64x2.add(a, b)
}

@inline
export function sub(a: v128, b: v128): v128 {
  return f64x2.sub(a, b)
}

@inline
export function mul(a: v128, b: v128): v128 {
  return f64x2.mul(a, b)
}

@inline
export function div(a: v128, b: v128): v128 {
  return f64x2.div(a, b)
}

@inline
export function splat(x: f64): v128 {
  return f64x2.splat(x)
}

@inline
export function two(a: f64, b: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(a), 1, b)
}

/** Sum of three products, from left to right. */
@inline
export function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return add(add(mul(ax, bx), mul(ay, by)), mul(az, bz))
}
