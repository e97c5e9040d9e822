/**
 * Adding up a pixel's light so that the order does not matter: every summand is rounded to a multiple of 2^-32, those below 0
 * count as 0, and sums saturate at 2^20, so that all sums are exact. Counterpart of `shared/light/accumulate.ts`, which explains
 * why. A sum is three f64 in 32 bytes.
 */
import { Sum } from '../records'

const GRID: f64 = 1572864
const LARGEST: f64 = 1048576

/** Adds light to the sum at an address. */
@inline
export function accumulate(sum: u32, red: f64, green: f64, blue: f64): void {
  add(sum, f64x2.replace_lane(f64x2.splat(red), 1, green), f64x2.splat(blue))
}

/** Adds light, the red, green and blue lanes of four floats. */
@inline
export function accumulateFloats(sum: u32, light: v128): void {
  const blue = v128.shuffle<f32>(light, light, 2, 3, 2, 3)
  add(sum, f64x2.promote_low_f32x4(light), f64x2.promote_low_f32x4(blue))
}

/** The last lane is unused. */
@inline
function add(sum: u32, redGreen: v128, blue: v128): void {
  Sum.setLightLow(sum, capped(Sum.lightLow(sum), redGreen))
  Sum.setLightHigh(sum, capped(Sum.lightHigh(sum), blue))
}

@inline
function capped(sum: v128, light: v128): v128 {
  // With this operand order NaN becomes 0, too.
  const some = f64x2.pmax(f64x2.splat(0), light)
  const rounded = f64x2.sub(f64x2.add(some, f64x2.splat(GRID)), f64x2.splat(GRID))
  return f64x2.pmin(f64x2.add(sum, rounded), f64x2.splat(LARGEST))
}
