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
