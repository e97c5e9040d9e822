/**
 * Adding up a pixel's light so that the order does not matter: an engine may follow one ray after the other or thousands
 * side by side, samples may be traced in any number of passes, and the sums have the same bits.
 *
 * Sums of doubles depend on the order only because they are rounded. Here every summand is first rounded to a multiple of
 * 2^-32, and a sum stops at 2^20: between these lie 52 bits, so that a double holds every sum exactly, and exact sums are
 * associative. (Demmel and Nguyen, "Fast Reproducible Floating-Point Summation", ARITH 2013, split summands of any size
 * like this; light needs one part only.) In units of the display's white, a step of 2^-32 is a 650,000th of the least
 * difference between two bytes, and what is brighter than 2^20 is white by any measure.
 */
import { invariant } from '../errors.ts'

/** A double beside this number is a multiple of 2^-32: adding it rounds, and taking it away again is exact. */
const GRID = 1.5 * 2 ** 20
const LARGEST = 2 ** 20

/**
 * The sum with light added to it. Where rounding has left a share of light below 0, or no number at all, that is none: a sum that
 * stops at a bound depends on no order only as long as nothing is taken away from it.
 */
export const accumulate = (sum: number, light: number): number =>
  Math.min(sum + ((light > 0 ? light : 0) + GRID - GRID), LARGEST)

/**
 * Adds the sums of other samples of the same pixels to those at hand: both are `light` channels of as many pixels. Exact, in
 * any order.
 */
export function joinSums(sums: Float64Array, others: Float64Array): void {
  invariant(sums.length === others.length, `expected ${sums.length} sums, got ${others.length}`)
  for (let i = 0; i < sums.length; i++) sums[i] = Math.min(sums[i]! + others[i]!, LARGEST)
}
