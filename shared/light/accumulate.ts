/**
 * Adding up a pixel's light so that the order does not matter: an engine may trace one ray after the other or thousands in
 * parallel, samples may be traced in any number of passes, and the sums have the same bits.
 *
 * Sums of doubles depend on the order only because they are rounded. Here every summand is first rounded to a multiple of
 * 2^-32, and sums saturate at 2^20: between these lie 52 bits, so a double represents every sum exactly, and exact sums are
 * associative. (Demmel and Nguyen, "Fast Reproducible Floating-Point Summation", ARITH 2013, split summands of any size
 * like this; light needs only one part.) At an exposure of 1 a step of 2^-32 is a 650,000th of
 * the smallest difference between two bytes, and 2^20 is brighter than any environment map; what exceeds it is white. For exposures far from
 * 1, light is scaled before (`sum-scale.ts`).
 */
import { invariant } from '../errors.ts'

/** Doubles of this magnitude are multiples of 2^-32: adding it rounds, and subtracting it again is exact. */
const GRID = 1.5 * 2 ** 20
const LARGEST = 2 ** 20

/**
 * The sum with light added to it. Light below 0 (from rounding) or NaN counts as 0: a saturating sum is independent of the order
 * only if nothing is ever subtracted.
 */
export const accumulate = (sum: number, light: number): number =>
  Math.min(sum + ((light > 0 ? light : 0) + GRID - GRID), LARGEST)

/** The sum of two sums of other samples of the same pixel. Exact, in any order. */
export const joined = (sum: number, other: number): number => Math.min(sum + other, LARGEST)

/**
 * Adds the sums of other samples of the same pixels to `sums`: both are `light` channels of equal length. Exact, in any order.
 */
export function joinSums(sums: Float64Array, others: Float64Array): void {
  invariant(sums.length === others.length, `expected ${sums.length} sums, got ${others.length}`)
  for (let i = 0; i < sums.length; i++) sums[i] = joined(sums[i]!, others[i]!)
}
