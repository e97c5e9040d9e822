/**
 * Numbers of a sample: pairs from Owen-scrambled Sobol sequences, each pair with its own shuffled order, so that any two pairs
 * are independent of each other and each is well spread over a pixel's samples (Burley, "Practical Hash-based Owen Scrambling",
 * JCGT 9(4), 2020). Four pairs at a time, one in each lane.
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

/** Pairs of a set. */
const PAIRS: u32 = 4

/** Side of a patch, and its logarithm: with 2^14 samples of a pixel, the most there are, numbers have 26 bits. */
const PATCH_BITS: u32 = 6
const PATCH_MASK: u32 = (1 << PATCH_BITS) - 1
const UNIT: f64 = 1.0 / 4294967296.0

/**
 * Writes set number `set` of an element of the sequences to `out`: PAIRS pairs of f64 in [0, 1), as Drawn names them.
 * @param seed of the patch in its frame
 */
export function draw(out: u32, seed: u32, set: u32, number: u32): void {
  const pairs = i32x4.add(i32x4.splat(set * PAIRS), i32x4(0, 1, 2, 3))
  const own = i32x4.add(i32x4.splat(seed), i32x4.mul(pairs, i32x4.splat(0x9e3779b9)))
  const index = mirrored(scrambled(mirrored(i32x4.splat(number)), mixed(own)))
  const first = mirrored(scrambled(index, mixed(v128.xor(own, i32x4.splat(0x51633e2d)))))
  const second = mirrored(scrambled(pascal(index), mixed(v128.xor(own, i32x4.splat(0x68bc21eb)))))
  storePairs(out, v128.shuffle<i32>(first, second, 0, 4, 1, 5))
  storePairs(out + 32, v128.shuffle<i32>(first, second, 2, 6, 3, 7))
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

/** Writes two pairs of 32-bit fractions as f64. */
@inline
function storePairs(out: u32, bits: v128): void {
  v128.store(out, f64x2.mul(f64x2.convert_low_i32x4_u(bits), f64x2.splat(UNIT)))
  const high = v128.shuffle<i32>(bits, bits, 2, 3, 2, 3)
  v128.store(out + 16, f64x2.mul(f64x2.convert_low_i32x4_u(high), f64x2.splat(UNIT)))
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

/** Bits in reverse order. */
@inline
function mirrored(bits: v128): v128 {
  let x = bits
  x = v128.or(v128.and(i32x4.shr_u(x, 1), i32x4.splat(0x55555555)), i32x4.shl(v128.and(x, i32x4.splat(0x55555555)), 1))
  x = v128.or(v128.and(i32x4.shr_u(x, 2), i32x4.splat(0x33333333)), i32x4.shl(v128.and(x, i32x4.splat(0x33333333)), 2))
  x = v128.or(v128.and(i32x4.shr_u(x, 4), i32x4.splat(0x0f0f0f0f)), i32x4.shl(v128.and(x, i32x4.splat(0x0f0f0f0f)), 4))
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
