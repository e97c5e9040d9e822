/**
 * Linear light to 8-bit sRGB through a table of thresholds instead of a power function: the table is computed with
 * + - * / and sqrt alone, which IEEE 754 rounds the same everywhere, so bytes are equal on every machine.
 * Transfer function: IEC 61966-2-1 (sRGB).
 *
 * The byte of a value is the number of thresholds at or below it. They lie at least 1/3295 apart, so at most one of them
 * lies within 1/8192 of any multiple of 1/4096: a second table gives the number before such a cell, and one comparison
 * does the rest.
 */

import { power } from './exponential.ts'

const CELLS = 4096

/**
 * The 255 linear values at which the nearest sRGB byte steps up: entry b is the smallest value that gives byte b + 1.
 * Ascending; owned by the caller.
 */
export function srgbThresholds(): Float64Array {
  return Float64Array.from({ length: 255 }, (_, b) => linearFromSrgb((b + 0.5) / 255))
}

/** The quantiser. */
export class SrgbBytes {
  /** With a sentinel, so that there is always one to compare with. */
  readonly #thresholds = Float64Array.of(...srgbThresholds(), Number.POSITIVE_INFINITY)
  readonly #before = new Uint8Array(CELLS + 1)

  constructor() {
    let before = 0
    for (let cell = 0; cell <= CELLS; cell++) {
      while ((cell - 0.5) / CELLS >= this.#thresholds[before]!) before++
      this.#before[cell] = before
    }
  }

  /** The sRGB byte nearest to linear light `x`; values outside [0, 1] clamp, NaN gives 0. */
  nearest(x: number): number {
    if (!(x > 0)) return 0
    if (x >= 1) return 255
    const before = this.#before[(x * CELLS + 0.5) | 0]!
    return x >= this.#thresholds[before]! ? before + 1 : before
  }
}

/** Linear light of an sRGB value, both in [0, 1]. */
export function linearFromSrgb(s: number): number {
  if (s <= 0.04045) return s / 12.92
  const y = (s + 0.055) / 1.055
  // y^2.4 = y² · (y²)^(1/5)
  return y * y * fifthRoot(y * y)
}

/** The sRGB value, in [0, 1], of linear light; what is outside [0, 1] clamps, NaN gives 0. |error| ≤ 1e-14. */
export function srgbFromLinear(x: number): number {
  if (!(x > 0)) return 0
  if (x >= 1) return 1
  return x <= 0.0031308 ? 12.92 * x : 1.055 * power(x, 1 / 2.4) - 0.055
}

/** Newton's iteration for r^5 = a with a in (0, 1]; from 1 it falls monotonically onto the root. */
function fifthRoot(a: number): number {
  let root = 1
  // 16 steps: the first ones shrink the error by 4/5 at worst, then its digits double; more steps change nothing.
  for (let i = 0; i < 16; i++) root = (4 * root + a / (root * root * root * root)) / 5
  return root
}
