/**
 * Powers and logarithms with the same bits on every machine: only +, −, × and ÷ of IEEE doubles, and the bits of their exponents,
 * not the platform's `Math` (whose last bit differs between engines and their versions).
 */

/** Scratch for the two words of a double; little-endian, as are all machines that run WebAssembly. Not re-entrant. */
const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

const EXPONENT_BITS = 20
const EXPONENT_MASK = 0x7ff
const BIAS = 1023

/** Binary logarithm. |error| ≤ 4e-16 × max(1, |result|). -Infinity for 0 and subnormal numbers, NaN below 0. */
export function log2(x: number): number {
  if (!(x >= 2 ** -1022)) return x >= 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  if (x === Number.POSITIVE_INFINITY) return x
  double[0] = x
  let exponent = ((words[1]! >>> EXPONENT_BITS) & EXPONENT_MASK) - BIAS
  // The mantissa, in [1, 2), then in [√½, √2).
  words[1] = (words[1]! & ((1 << EXPONENT_BITS) - 1)) | (BIAS << EXPONENT_BITS)
  let mantissa = double[0]
  if (mantissa >= Math.SQRT2) {
    mantissa *= 0.5
    exponent++
  }
  // ln m = 2 artanh s, s = (m − 1)/(m + 1); with |s| ≤ 0.172 the first term left out is s^23 / 23 < 2e-19.
  const s = (mantissa - 1) / (mantissa + 1)
  const square = s * s
  let sum = 1 / 21
  sum = sum * square + 1 / 19
  sum = sum * square + 1 / 17
  sum = sum * square + 1 / 15
  sum = sum * square + 1 / 13
  sum = sum * square + 1 / 11
  sum = sum * square + 1 / 9
  sum = sum * square + 1 / 7
  sum = sum * square + 1 / 5
  sum = sum * square + 1 / 3
  sum = sum * square + 1
  return exponent + 2 * s * sum * Math.LOG2E
}

/** 2 to the power of x. Relative error ≤ 4e-16; 0 below -1022, Infinity from 1024 on. */
export function exp2(x: number): number {
  if (!(x >= -1022)) return x < -1022 ? 0 : Number.NaN
  if (x >= 1024) return Number.POSITIVE_INFINITY
  const whole = Math.floor(x + 0.5)
  // e^y with |y| ≤ ln 2 / 2: the first term left out of Taylor's series is y^15 / 15! < 1e-19.
  const y = (x - whole) * Math.LN2
  let sum = 1 / 87178291200
  sum = sum * y + 1 / 6227020800
  sum = sum * y + 1 / 479001600
  sum = sum * y + 1 / 39916800
  sum = sum * y + 1 / 3628800
  sum = sum * y + 1 / 362880
  sum = sum * y + 1 / 40320
  sum = sum * y + 1 / 5040
  sum = sum * y + 1 / 720
  sum = sum * y + 1 / 120
  sum = sum * y + 1 / 24
  sum = sum * y + 1 / 6
  sum = sum * y + 1 / 2
  sum = sum * y + 1
  sum = sum * y + 1
  // Two steps, because 2^1024 is no double.
  return whole === 1024 ? sum * powerOfTwo(1023) * 2 : sum * powerOfTwo(whole)
}

/** x to the power of y, for x ≥ 0 and y > 0. Relative error about 1e-15 × max(1, |y log2 x|). */
export const power = (x: number, y: number): number => (x === 0 ? 0 : exp2(y * log2(x)))

/** 2^n, exact, for -1022 ≤ n ≤ 1023. */
function powerOfTwo(n: number): number {
  words[0] = 0
  words[1] = (n + BIAS) << EXPONENT_BITS
  return double[0]!
}
