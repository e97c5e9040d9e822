/**
 * Sample positions inside a pixel, and the directions of ambient rays. Path tracing has numbers of its own (`path/sampler.ts`): these are
 * laid out for few samples, and the bytes of frames depend on both.
 *
 * A pixel's samples are a Hammersley set: one per column and, for powers of two, per row of the pixel; a single sample is the pixel's
 * centre. Ambient directions are one long R2 sequence (Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018),
 * distributed over the pixels along a Hilbert curve (`surface/hilbert.ts`): the few rays of a pixel are well spread, those of its
 * neighbours fall between them, and the remaining noise is fine-grained. Integers modulo 2^32: the same bits everywhere.
 */
import { mul, splat } from '../surface/math/floats'
import { hash32 } from '../surface/math/random'

/** Odd integers nearest to 2^32/g and 2^32/g², g³ = g + 1: the generators of R2. */
const R2_FIRST: u32 = 3242174889
const R2_SECOND: u32 = 2447445413

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
