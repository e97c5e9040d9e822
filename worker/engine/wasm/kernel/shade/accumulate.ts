/**
 * Adding up a pixel's light so that the order does not matter: every summand is rounded to a multiple of 2^-32, those below 0
 * count as 0, and sums saturate at 2^20, so that all sums are exact. Counterpart of `shared/light/accumulate.ts`, which explains
 * why. A sum is three f64 in 32 bytes.
 */

const GRID: f64 = 1572864
const LARGEST: f64 = 1048576

/** Adds light to the sum at an address. */
@inline
export function accumulate(sum: u32, red: f64, green: f64, blue: f64): void {
  const redGreen = f64x2.replace_lane(f64x2.splat(red), 1, green)
  v128.store(sum, capped(v128.load(sum), redGreen))
  // The last lane is unused.
  v128.store(sum, capped(v128.load(sum, 16), f64x2.splat(blue)), 16)
}

@inline
function capped(sum: v128, light: v128): v128 {
  // With this operand order NaN becomes 0, too.
  const some = f64x2.pmax(f64x2.splat(0), light)
  const rounded = f64x2.sub(f64x2.add(some, f64x2.splat(GRID)), f64x2.splat(GRID))
  return f64x2.pmin(f64x2.add(sum, rounded), f64x2.splat(LARGEST))
}
