/**
 * Numbers of a sample: pairs from Owen-scrambled Sobol sequences, each pair with its own shuffled order, so that any two pairs
 * are independent of each other and each is well spread over a pixel's samples (Burley, "Practical Hash-based Owen Scrambling",
 * JCGT 9(4), 2020). Those of four elements at a time, one in each lane.
 *
 * With bits mirrored at the binary point scrambling is a hash in which a bit depends only on those below it (Laine and Karras,
 * "Stratified Sampling for Stochastic Transparency", 2011; constants by Vegdahl, 2021). The first Sobol dimension is the
 * mirrored index; the second is the mirrored product of the index with Pascal's triangle modulo 2.
 *
 * A patch of pixels shares its sequences: each pixel has its own stretch of them, and neighbours in Morton order have stretches that
 * complete each other, where pixels have as many samples as a stretch has numbers (`sample-layout.ts`). So what one pixel is too bright its
 * neighbours tend to be too dark (Ahmed and Wonka, "Screen-Space Blue-Noise
 * Diffusion of Monte Carlo Sampling Error via Hierarchical Ordering of Pixels", ACM TOG 39(6), 2020).
 */
import { Drawn } from '../records'

/** Pairs of a set. */
const PAIRS: u32 = 4

/** Side of a patch, and its logarithm: with 2^14 samples of a pixel, the most there are, numbers have 26 bits. */
const PATCH_BITS: u32 = 6
const PATCH_MASK: u32 = (1 << PATCH_BITS) - 1
const UNIT: f64 = 1.0 / 4294967296.0

/**
 * Writes pair number `pair` of a set of four elements, one in each lane, as two f64 in [0, 1), to the places of that pair in four Drawn at `out`.
 * @param seeds of their patches in their frame @param mirroredNumbers see `mirrored`
 */
@inline
export function drawPair(out: u32, pair: u32, seeds: v128, sets: v128, mirroredNumbers: v128): void {
  const place = i32x4.add(i32x4.mul(sets, i32x4.splat(PAIRS)), i32x4.splat(pair))
  const own = i32x4.add(seeds, i32x4.mul(place, i32x4.splat(0x9e3779b9)))
  const index = mirrored(scrambled(mirroredNumbers, mixed(own)))
  const first = mirrored(scrambled(index, mixed(v128.xor(own, i32x4.splat(0x51633e2d)))))
  const second = mirrored(scrambled(pascal(index), mixed(v128.xor(own, i32x4.splat(0x68bc21eb)))))
  const low = v128.shuffle<i32>(first, second, 0, 4, 1, 5)
  const high = v128.shuffle<i32>(first, second, 2, 6, 3, 7)
  const to = out + pair * 16
  v128.store(to, fractions(low))
  v128.store(to + Drawn.BYTES, fractions(v128.shuffle<i32>(low, low, 2, 3, 2, 3)))
  v128.store(to + 2 * Drawn.BYTES, fractions(high))
  v128.store(to + 3 * Drawn.BYTES, fractions(v128.shuffle<i32>(high, high, 2, 3, 2, 3)))
}

/** Seed of a pixel's patch in a frame. */
export function patchSeed(x: u32, y: u32, frame: u32): u32 {
  return mixedWord(mixedWord(mixedWord((x >> PATCH_BITS) + 0x9e3779b9) + (y >> PATCH_BITS)) + frame)
}

/** Number of a pixel's first sample in the sequences of its patch, where pixels have up to 2^bits samples. */
export function firstNumber(x: u32, y: u32, bits: u32): u32 {
  return (apart(x & PATCH_MASK) | (apart(y & PATCH_MASK) << 1)) << bits
}

/** Six bits with zeros in between. */
@inline
function apart(bits: u32): u32 {
  const x = (bits | (bits << 4)) & 0x30f
  const y = (x | (x << 2)) & 0x333
  return (y | (y << 1)) & 0x555
}

/** The words of four elements. */
@inline
export function four(a: u32, b: u32, c: u32, d: u32): v128 {
  return i32x4.replace_lane(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(a), 1, b), 2, c), 3, d)
}

/** The lower two 32-bit fractions as f64. */
@inline
function fractions(bits: v128): v128 {
  return f64x2.mul(f64x2.convert_low_i32x4_u(bits), f64x2.splat(UNIT))
}

/** Nested uniform scrambling of mirrored bits. */
@inline
function scrambled(bits: v128, seed: v128): v128 {
  let x = v128.xor(bits, i32x4.mul(bits, i32x4.splat(0x3d20adea)))
  x = i32x4.add(x, seed)
  x = i32x4.mul(x, v128.or(i32x4.shr_u(seed, 16), i32x4.splat(1)))
  x = v128.xor(x, i32x4.mul(x, i32x4.splat(0x05526c56)))
  return v128.xor(x, i32x4.mul(x, i32x4.splat(0x53a22864)))
}

/** Bit k becomes the parity of the bits whose number contains all ones of k: the product with Pascal's triangle modulo 2. */
@inline
function pascal(bits: v128): v128 {
  let x = bits
  x = v128.xor(x, v128.and(i32x4.shr_u(x, 1), i32x4.splat(0x55555555)))
  x = v128.xor(x, v128.and(i32x4.shr_u(x, 2), i32x4.splat(0x33333333)))
  x = v128.xor(x, v128.and(i32x4.shr_u(x, 4), i32x4.splat(0x0f0f0f0f)))
  x = v128.xor(x, v128.and(i32x4.shr_u(x, 8), i32x4.splat(0x00ff00ff)))
  return v128.xor(x, i32x4.shr_u(x, 16))
}

/** Bits in reverse order: those of four by a table, then the halves of bytes, then bytes. */
@inline
export function mirrored(bits: v128): v128 {
  const halves = i8x16.splat(15)
  const low = i8x16.swizzle(i8x16(0, -128, 64, -64, 32, -96, 96, -32, 16, -112, 80, -48, 48, -80, 112, -16), v128.and(bits, halves))
  const high = i8x16.swizzle(i8x16(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15), v128.and(i32x4.shr_u(bits, 4), halves))
  const x = v128.or(low, high)
  return v128.shuffle<i8>(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)
}

/** Wellons' hash ("Hash Function Prospector", 2018), with constants found by his search. */
@inline
function mixed(bits: v128): v128 {
  let x = v128.xor(bits, i32x4.shr_u(bits, 16))
  x = i32x4.mul(x, i32x4.splat(0x21f0aaad))
  x = v128.xor(x, i32x4.shr_u(x, 15))
  x = i32x4.mul(x, i32x4.splat(0x735a2d97))
  return v128.xor(x, i32x4.shr_u(x, 15))
}

export function mixedWord(bits: u32): u32 {
  let x = bits ^ (bits >> 16)
  x *= 0x21f0aaad
  x ^= x >> 15
  x *= 0x735a2d97
  return x ^ (x >> 15)
}
