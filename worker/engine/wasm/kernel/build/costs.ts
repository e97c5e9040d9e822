/**
 * How to collapse a binary tree into nodes with up to eight children at minimum cost: dynamic programming from the leaves up.
 * Ylitie, Karras, Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", HPG 2017, §3.
 *
 * C(n, i) is the cost of representing subtree n by at most i subtrees or leaves. A leaf is always one triangle4, so its cost is
 * omitted, and wide nodes cost their weights (`weights.ts`), where the paper has areas:
 *
 *     D(n, i) = min over 0 < k < i of C(left, k) + C(right, i - k)     the i places shared among the children
 *     C(n, 1) = W(n) + D(n, 8)                                         n becomes a wide node
 *     C(n, i) = min(C(n, 1), D(n, i))                                  Eqs. (1) to (3), in our names
 *
 * A cost block is 64 bytes: eight infinities for C(n, i <= 0), then C(n, 1) to C(n, 7); its address is that of C(n, 1).
 */
export const COST_BYTES: u32 = 64
/** Distance from a block's start to its address. */
export const COST_PAD: u32 = 32

/** Writes the infinities of a block. */
@inline
export function padCosts(costs: u32): void {
  v128.store(costs - 32, f32x4.splat(Infinity))
  v128.store(costs - 16, f32x4.splat(Infinity))
}

@inline
export function leafCosts(costs: u32): void {
  v128.store(costs, f32x4.splat(0))
  v128.store(costs, f32x4.splat(0), 16)
}

/** Writes the cost block of a subtree with children of the given costs; returns its choices, to be read by `share`. */
export function innerCosts(costs: u32, left: u32, right: u32, weight: f32): u32 {
  // Lanes are i = 1..4 and i = 5..8. The last three bits of a sum are replaced by k, so that the minimum carries its k.
  let low = i32x4.splat(-1)
  let high = i32x4.splat(-1)
  for (let k: u32 = 1; k < 4; k++) {
    const ofLeft = v128.load32_splat(left + k * 4 - 4)
    low = i32x4.min_u(low, marked(f32x4.add(ofLeft, v128.load(right - k * 4)), k))
    high = i32x4.min_u(high, marked(f32x4.add(ofLeft, v128.load(right + 16 - k * 4)), k))
  }
  for (let k: u32 = 4; k < 8; k++) {
    const ofLeft = v128.load32_splat(left + k * 4 - 4)
    high = i32x4.min_u(high, marked(f32x4.add(ofLeft, v128.load(right + 16 - k * 4)), k))
  }
  const mask = i32x4.splat(7)
  const lowSums = v128.andnot(low, mask)
  const highSums = v128.andnot(high, mask)
  const own = f32x4.splat(weight + f32x4.extract_lane(highSums, 3))
  // Lane 0 is i = 1, whose sums are all infinite: the node itself.
  v128.store(costs, f32x4.pmin(own, lowSums))
  v128.store(costs, f32x4.pmin(own, highSums), 16)
  const lowShares = v128.andnot(v128.and(low, i32x4(0, 7, 7, 7)), f32x4.lt(own, lowSums))
  const highShares = v128.andnot(v128.and(high, mask), f32x4.lt(own, highSums))
  // A byte per i; then the upper four into the high nibbles of the lower four.
  const words = i16x8.narrow_i32x4_u(lowShares, highShares)
  const bytes = i64x2.extract_lane(i8x16.narrow_i16x8_u(words, words), 0)
  return <u32>(bytes | (bytes >> 28))
}

/** How many of i places (2 to 8) go to the left child; 0 if the subtree is cheaper as one node. */
@inline
export function share(choices: u32, i: u32): u32 {
  return (choices >> (i < 5 ? i * 8 - 8 : i * 8 - 36)) & 7
}

@inline
function marked(sum: v128, k: u32): v128 {
  return v128.or(v128.and(sum, i32x4.splat(~7)), i32x4.splat(k))
}
