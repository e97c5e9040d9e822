/**
 * Sample positions inside a pixel, and the directions of ambient rays, of the ambient integrator.
 *
 * A pixel's samples are a Hammersley set: one per column and, for powers of two, per row of the pixel; a single sample is the pixel's
 * centre. Ambient directions are one long R2 sequence (Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018),
 * distributed over the pixels along a Hilbert curve: the few rays of a pixel are well spread, those of its neighbours fall between
 * them, and the remaining noise is fine-grained. Integers modulo 2^32: the same bits everywhere.
 */
import { mul, splat } from './floats'
import { hash32 } from './random'

/** Odd integers nearest to 2^32/g and 2^32/g², g³ = g + 1: the generators of R2. */
const R2_FIRST: u32 = 3242174889
const R2_SECOND: u32 = 2447445413
/** Bits per coordinate of the Hilbert curve: frames are at most 65536 pixels wide. */
const CURVE_BITS: u32 = 16
/** Side of the squares whose pixels are traced one after the other, and its logarithm. */
export const SQUARE: u32 = 8
const SQUARE_BITS: u32 = 3

/** Writes the positions of a pixel's samples, x and y, to a table of f64 pairs. */
export function fillSamples(table: u32, samples: u32): void {
  for (let sample: u32 = 0; sample < samples; sample++) {
    // The sample's bits mirrored at the binary point are at most 1 - 2^-k with 2^k >= samples: adding 1/2samples stays below 1.
    let mirrored: f64 = 0
    let digit: f64 = 0.5
    for (let bits = sample; bits > 0; bits >>= 1) {
      if ((bits & 1) == 1) mirrored += digit
      digit *= 0.5
    }
    store<f64>(table + sample * 16, (<f64>sample + 0.5) / <f64>samples)
    store<f64>(table + sample * 16, mirrored + 0.5 / <f64>samples, 8)
  }
}

/**
 * State of the Hilbert curve at the square around pixel (x, y): its index there, with bit 0 set if coordinates are swapped
 * in the square and bit 1 if they are mirrored; the index of a square's corner does not need those bits.
 */
export function curveAtSquare(x: u32, y: u32): u32 {
  const walked = walk(x, y, 1 << (CURVE_BITS - 1), SQUARE)
  return ((walked >> 2) << (2 * SQUARE_BITS)) | (walked & 3)
}

/** Pixels of a square; those of all its four orientations. */
const SQUARE_PIXELS: u32 = SQUARE * SQUARE
export const CURVE_BYTES: u32 = 4 * SQUARE_PIXELS

/** Writes a table of bytes: the curve positions of a square's pixels in Morton order, for each state of its two bits. */
export function fillCurve(table: u32): void {
  for (let place: u32 = 0; place < SQUARE_PIXELS; place++) {
    for (let turned: u32 = 0; turned < 4; turned++) {
      const mirror: u32 = (turned & 2) != 0 ? SQUARE - 1 : 0
      const x = evenBits(place) ^ mirror
      const y = evenBits(place >> 1) ^ mirror
      const swapped = (turned & 1) != 0
      const position = walk(swapped ? y : x, swapped ? x : y, SQUARE >> 1, 1) >> 2
      store<u8>(table + turned * SQUARE_PIXELS + place, position)
    }
  }
}

/**
 * Index from the coordinates' bits `from` down to `to`, times four; plus 1 if they end up swapped, 2 if mirrored.
 */
function walk(x: u32, y: u32, from: u32, to: u32): u32 {
  let index: u32 = 0
  let turned: u32 = 0
  for (let bit = from; bit >= to; bit >>= 1) {
    const right: u32 = (x & bit) > 0 ? 1 : 0
    const below: u32 = (y & bit) > 0 ? 1 : 0
    index = (index << 2) | ((3 * right) ^ below)
    if (below == 1) continue
    if (right == 1) {
      x = ~x
      y = ~y
      turned ^= 2
    }
    const swap = x
    x = y
    y = swap
    turned ^= 1
  }
  return (index << 2) | turned
}

/** Position along the Hilbert curve of a square's pixel, given by its place in Morton order. */
@inline
export function hilbertIndex(table: u32, square: u32, place: u32): u32 {
  return (square & ~3) | <u32>load<u8>(table + (square & 3) * SQUARE_PIXELS + place)
}

/** Bits 0, 2 and 4, compacted: x of a place in Morton order. */
@inline
export function evenBits(bits: u32): u32 {
  return (bits & 1) | ((bits >> 1) & 2) | ((bits >> 2) & 4)
}

/** Hash that shifts the ambient directions of all pixels at one position in the ray tree of one frame. */
@inline
export function ambientShift(frame: u32, path: u32, dimension: u32): u32 {
  return hash32(frame, path, dimension)
}

/** The first coordinates, in [0, 1), of the four elements of the sequence from `index` on, shifted. */
@inline
export function ambientFirst(index: u32, shift: u32): v128 {
  return unitsOf(index, R2_FIRST, shift)
}

/** Their second coordinates. */
@inline
export function ambientSecond(index: u32, shift: u32): v128 {
  return unitsOf(index, R2_SECOND, shift)
}

@inline
function unitsOf(index: u32, generator: u32, shift: u32): v128 {
  const steps = i32x4.mul(i32x4(0, 1, 2, 3), i32x4.splat(generator))
  const bits = i32x4.add(i32x4.splat(index * generator + shift), steps)
  // As many bits as a float holds.
  return mul(f32x4.convert_i32x4_u(i32x4.shr_u(bits, 8)), splat(1.0 / 16777216.0))
}
