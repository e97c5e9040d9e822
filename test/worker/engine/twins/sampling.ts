/**
 * Twins of the kernel's `ambient/sampling.ts` and `surface/hilbert.ts`: sample positions inside a pixel, and the directions of ambient
 * rays, of the ambient integrator.
 */
import { hash32 } from '../../../../shared/math/random.ts'

/** Odd integers nearest to 2^32/g and 2^32/g², g³ = g + 1: the generators of R2. */
const R2_FIRST = 3242174889
const R2_SECOND = 2447445413
/** Bits per coordinate of the Hilbert curve: frames are at most 65536 pixels wide. */
const CURVE_BITS = 16

/**
 * Horizontal position of camera sample `sample` of `samples` inside its pixel, in (0, 1). With `sampleY` a Hammersley set: one
 * sample per column and, for powers of two, per row of the pixel; a single sample is the pixel's centre.
 */
export const sampleX = (sample: number, samples: number): number => (sample + 0.5) / samples

/** Vertical position of the same sample, in (0, 1). */
export function sampleY(sample: number, samples: number): number {
  // The sample's bits mirrored at the binary point are at most 1 - 2^-k with 2^k >= samples: adding 1/2samples stays below 1.
  let mirrored = 0
  for (let bits = sample, digit = 0.5; bits > 0; bits >>>= 1, digit *= 0.5) mirrored += (bits & 1) * digit
  return mirrored + 0.5 / samples
}

/** Position of a pixel along the Hilbert curve, as 32 bits. */
export function hilbertIndex(x: number, y: number): number {
  let index = 0
  for (let bit = 1 << (CURVE_BITS - 1); bit > 0; bit >>= 1) {
    const right = (x & bit) > 0 ? 1 : 0
    const below = (y & bit) > 0 ? 1 : 0
    index = (index << 2) | ((3 * right) ^ below)
    if (below === 1) continue
    // Rotate the quadrant so that its curve joins those of its neighbours.
    if (right === 1) {
      x = ~x
      y = ~y
    }
    const swap = x
    x = y
    y = swap
  }
  return index >>> 0
}

/** Hash that shifts the ambient directions of all pixels at one position in the ray tree of one frame. */
export const ambientShift = (frame: number, path: number, dimension: 0 | 1): number => hash32(frame, path, dimension)

/** The two coordinates, in [0, 1), of element `index` (32 bits) of the sequence, shifted. */
export const ambientFirst = (index: number, shift: number): number => floatUnit(Math.imul(index, R2_FIRST) + shift)
export const ambientSecond = (index: number, shift: number): number => floatUnit(Math.imul(index, R2_SECOND) + shift)

/** The highest bits, as many as a float holds, as a fraction. */
const floatUnit = (bits: number): number => (bits >>> 8) / 2 ** 24
