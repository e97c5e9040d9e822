/**
 * Finds the cheapest border between bins, on all three axes at once: axes are lanes. Expected cost of a split by the surface
 * area heuristic, up to constants: area(left) · triangle4s(left) + area(right) · triangle4s(right), where n triangles fill
 * ceil(n / 4) triangle4s. Counting triangle4s instead of triangles favours full triangle4s.
 *
 * A bin contains the triangles of one interval of each axis:
 *
 *     f32 min[4], max[4] along x | the same along y | along z | u32 count[4] | f32 cost[4] of this bin and all above
 */
export const MAX_BINS: u32 = 32
export const BIN_BYTES: u32 = 128
export const BIN_COUNTS: u32 = 96
const BIN_COSTS: u32 = 112
/**
 * Added to the sides of boxes, so that they are not flat: if all areas are zero, lengths and triangle4s still count.
 */
export const THICKNESS: f32 = 1e-6

/** Clears the first `count` bins. */
export function clearBins(bins: u32, count: u32): void {
  const low = f32x4.splat(Infinity)
  const high = f32x4.splat(-Infinity)
  for (let bin = bins, end = bins + count * BIN_BYTES; bin < end; bin += BIN_BYTES) {
    v128.store(bin, low)
    v128.store(bin, high, 16)
    v128.store(bin, low, 32)
    v128.store(bin, high, 48)
    v128.store(bin, low, 64)
    v128.store(bin, high, 80)
    v128.store(bin, i32x4.splat(0), BIN_COUNTS)
  }
}

/**
 * The best split of `count` bins: axis + 4 × the first bin on the right, or 0 if no border has triangles on both
 * sides. `scale` is the reciprocal of the range's extent, so that no area over- or underflows.
 */
export function cheapestBorder(bins: u32, count: u32, scale: f32): u32 {
  const scales = f32x4.splat(scale)
  const last = bins + (count - 1) * BIN_BYTES
  const three = i32x4.splat(3)
  let lowX = f32x4.splat(Infinity)
  let lowY = lowX
  let lowZ = lowX
  let highX = f32x4.splat(-Infinity)
  let highY = highX
  let highZ = highX
  let counts = i32x4.splat(0)

  // What is to the right of each border.
  for (let bin = last; bin > bins; bin -= BIN_BYTES) {
    lowX = f32x4.pmin(lowX, v128.load(bin))
    highX = f32x4.pmax(highX, v128.load(bin, 16))
    lowY = f32x4.pmin(lowY, v128.load(bin, 32))
    highY = f32x4.pmax(highY, v128.load(bin, 48))
    lowZ = f32x4.pmin(lowZ, v128.load(bin, 64))
    highZ = f32x4.pmax(highZ, v128.load(bin, 80))
    counts = i32x4.add(counts, v128.load(bin, BIN_COUNTS))
    const triangle4s = f32x4.convert_i32x4_s(i32x4.shr_u(i32x4.add(counts, three), 2))
    v128.store(bin, f32x4.mul(areas(lowX, highX, lowY, highY, lowZ, highZ, scales), triangle4s), BIN_COSTS)
  }

  // Then what is to the left, and the best of the sums.
  lowX = f32x4.splat(Infinity)
  lowY = lowX
  lowZ = lowX
  highX = f32x4.splat(-Infinity)
  highY = highX
  highZ = highX
  counts = i32x4.splat(0)
  let best = f32x4.splat(Infinity)
  let borders = i32x4.splat(0)
  let border = i32x4.splat(1)
  const one = i32x4.splat(1)
  for (let bin = bins; bin < last; bin += BIN_BYTES) {
    lowX = f32x4.pmin(lowX, v128.load(bin))
    highX = f32x4.pmax(highX, v128.load(bin, 16))
    lowY = f32x4.pmin(lowY, v128.load(bin, 32))
    highY = f32x4.pmax(highY, v128.load(bin, 48))
    lowZ = f32x4.pmin(lowZ, v128.load(bin, 64))
    highZ = f32x4.pmax(highZ, v128.load(bin, 80))
    counts = i32x4.add(counts, v128.load(bin, BIN_COUNTS))
    const triangle4s = f32x4.convert_i32x4_s(i32x4.shr_u(i32x4.add(counts, three), 2))
    const left = f32x4.mul(areas(lowX, highX, lowY, highY, lowZ, highZ, scales), triangle4s)
    // A side without triangles costs infinity times zero, which is not less than anything.
    const cost = f32x4.add(left, v128.load(bin + BIN_BYTES, BIN_COSTS))
    const better = f32x4.lt(cost, best)
    best = v128.bitselect(cost, best, better)
    borders = v128.bitselect(border, borders, better)
    border = i32x4.add(border, one)
  }

  let axis: u32 = 0
  let at: u32 = i32x4.extract_lane(borders, 0)
  let least = f32x4.extract_lane(best, 0)
  if (f32x4.extract_lane(best, 1) < least) {
    least = f32x4.extract_lane(best, 1)
    at = i32x4.extract_lane(borders, 1)
    axis = 1
  }
  if (f32x4.extract_lane(best, 2) < least) {
    at = i32x4.extract_lane(borders, 2)
    axis = 2
  }
  return at == 0 ? 0 : axis + 4 * at
}

/** Half the surface areas of three boxes, in lanes 0 to 2. */
@inline
function areas(lowX: v128, highX: v128, lowY: v128, highY: v128, lowZ: v128, highZ: v128, scales: v128): v128 {
  const thickness = f32x4.splat(THICKNESS)
  const ofX = f32x4.add(f32x4.mul(f32x4.sub(highX, lowX), scales), thickness)
  const ofY = f32x4.add(f32x4.mul(f32x4.sub(highY, lowY), scales), thickness)
  const ofZ = f32x4.add(f32x4.mul(f32x4.sub(highZ, lowZ), scales), thickness)
  // Transpose: from a vector per box to a vector per side.
  const xy = v128.shuffle<i32>(ofX, ofY, 0, 4, 1, 5)
  const zw = v128.shuffle<i32>(ofX, ofY, 2, 6, 3, 7)
  const x = v128.shuffle<i32>(xy, ofZ, 0, 1, 4, 5)
  const y = v128.shuffle<i32>(xy, ofZ, 2, 3, 5, 5)
  const z = v128.shuffle<i32>(zw, ofZ, 0, 1, 6, 6)
  return f32x4.add(f32x4.mul(x, f32x4.add(y, z)), f32x4.mul(y, z))
}
