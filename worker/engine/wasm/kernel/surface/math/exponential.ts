/** The exponential function and the natural logarithm, from IEEE arithmetic alone and without tables. */

const LOG2_E: f64 = 1.4426950408889634
/** ln 2 in two parts: the first has few digits, so that its multiples are exact. */
const LN2_HIGH: f64 = 6.93147180369123816490e-1
const LN2_LOW: f64 = 1.90821492927058770002e-10
const SQRT2: f64 = 1.4142135623730951

/** e^x for x ≤ 0, within 1e-15 of its value; 0 below −708. */
export function exponential(x: f64): f64 {
  if (!(x > -708)) return 0
  const power = floor<f64>(x * LOG2_E + 0.5)
  const rest = x - power * LN2_HIGH - power * LN2_LOW
  // Taylor, Horner's scheme: |rest| ≤ 0.35, and the first term that is left out below 1e-17.
  let sum: f64 = 1.0 / 6227020800.0
  sum = sum * rest + 1.0 / 479001600.0
  sum = sum * rest + 1.0 / 39916800.0
  sum = sum * rest + 1.0 / 3628800.0
  sum = sum * rest + 1.0 / 362880.0
  sum = sum * rest + 1.0 / 40320.0
  sum = sum * rest + 1.0 / 5040.0
  sum = sum * rest + 1.0 / 720.0
  sum = sum * rest + 1.0 / 120.0
  sum = sum * rest + 1.0 / 24.0
  sum = sum * rest + 1.0 / 6.0
  sum = sum * rest + 0.5
  sum = sum * rest + 1
  sum = sum * rest + 1
  return sum * reinterpret<f64>(<i64>(power + 1023) << 52)
}

/** ln x for a normal x > 0, within 1e-15 of its value. */
export function logarithm(x: f64): f64 {
  const bits = reinterpret<u64>(x)
  let power = <f64>(<i64>(bits >> 52) - 1023)
  let rest = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000)
  if (rest > SQRT2) {
    rest *= 0.5
    power += 1
  }
  // 2 artanh((rest − 1) / (rest + 1)), where that quotient is at most 0.172.
  const s = (rest - 1) / (rest + 1)
  const square = s * s
  let sum: f64 = 1.0 / 21.0
  sum = sum * square + 1.0 / 19.0
  sum = sum * square + 1.0 / 17.0
  sum = sum * square + 1.0 / 15.0
  sum = sum * square + 1.0 / 13.0
  sum = sum * square + 1.0 / 11.0
  sum = sum * square + 1.0 / 9.0
  sum = sum * square + 1.0 / 7.0
  sum = sum * square + 1.0 / 5.0
  sum = sum * square + 1.0 / 3.0
  sum = sum * square + 1
  return power * LN2_HIGH + (2 * s * sum + power * LN2_LOW)
}
