/**
 * Rounds two doubles, 0 <= x < 2^31, to the nearest integers, in the low words of both lanes, without the checks of a
 * conversion: at 2^52 a double has no bits for fractions, so its low bits are the integer.
 */
@inline
export function wholeNumbers(x: v128): v128 {
  return f64x2.add(x, f64x2.splat(4503599627370496))
}
