/**
 * The nearest whole numbers to two doubles, 0 <= x < 2^31, in the low words of both lanes; without the checks of a
 * conversion: beside 2^52 a double has no bits for less than 1, and what it has are the whole number's.
 */
@inline
export function wholeNumbers(x: v128): v128 {
  return f64x2.add(x, f64x2.splat(4503599627370496))
}
