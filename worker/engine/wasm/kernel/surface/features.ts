/**
 * Features of pixels, by which a denoiser tells what belongs together: colour, normal and depth of what a sample sees, each from 0 to 1
 * in steps of 1 / 65535. The sums over samples are integers, so they do not depend on order either.
 */
import { Features } from '../records'
import { features, hasFeatures } from './workspace'

const STEPS: f32 = 65535

/** Empties the sums of a block's pixels. */
export function clearFeatures(pixels: u32): void {
  if (hasFeatures) memory.fill(features, 0, pixels * Features.BYTES)
}

/** Adds what a sample sees; values beyond 0 and 1 count as these. @param first, second as in Features */
export function addFeatures(pixel: u32, first: v128, second: v128): void {
  const sum = features + pixel * Features.BYTES
  Features.setFirst(sum, i32x4.add(Features.first(sum), stepsOf(first)))
  Features.setSecond(sum, i32x4.add(Features.second(sum), stepsOf(second)))
}

@inline
function stepsOf(values: v128): v128 {
  // With this operand order NaN becomes 0.
  const some = f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), values))
  return i32x4.trunc_sat_f32x4_u(f32x4.add(f32x4.mul(some, f32x4.splat(STEPS)), f32x4.splat(0.5)))
}
