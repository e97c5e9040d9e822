/**
 * The boxes stored in nodes. They are slightly wider than their triangles, so that rounding in the slab test never loses
 * one and no box is flat: each side is moved outwards by 2^-23 of itself (one or two ulps) and by the scene's margin,
 * which is 2^-40 of its largest coordinate. Both steps are monotonic: if boxes contain one another, so do the widened ones.
 *
 * Before that, the box of a triangle is widened by 2^-20 of its own longest side. The triangle test rounds by about 2^-24 of
 * the distance to the corners: next to a large flat triangle a ray can hit it outside of its box.
 */
import { Corner } from '../records'

const SIDE_WIDENING: f32 = 1.0 / 1048576.0
const RELATIVE_WIDENING: f32 = 1.0 / 8388608.0
const MIN_WIDENING: f32 = 1.0 / 1099511627776.0
/** Replaces the largest coordinate of a scene that lies entirely at the origin. */
const MIN_SIZE: f32 = 1e-24

/** Minimum widening for a scene within these bounds. */
@inline
export function marginOf(low: v128, high: v128): f32 {
  const far = f32x4.pmax(f32x4.abs(low), f32x4.abs(high))
  const largest = max(max(f32x4.extract_lane(far, 0), f32x4.extract_lane(far, 1)), f32x4.extract_lane(far, 2))
  return max(largest, MIN_SIZE) * MIN_WIDENING
}

/** How much the box of a triangle is widened, in every lane; its sides are in lanes 0 to 2. */
@inline
export function sideWidening(side: v128): v128 {
  const others = f32x4.pmax(v128.shuffle<i32>(side, side, 1, 2, 0, 0), v128.shuffle<i32>(side, side, 2, 0, 1, 0))
  return f32x4.mul(f32x4.pmax(side, others), f32x4.splat(SIDE_WIDENING))
}

/** The same for four triangles, their sides by axis. */
@inline
export function sideWidenings(x: v128, y: v128, z: v128): v128 {
  return f32x4.mul(f32x4.pmax(f32x4.pmax(x, y), z), f32x4.splat(SIDE_WIDENING))
}

@inline
export function widenDown(low: v128, margin: v128): v128 {
  return f32x4.sub(f32x4.sub(low, f32x4.mul(f32x4.abs(low), f32x4.splat(RELATIVE_WIDENING))), margin)
}

@inline
export function widenUp(high: v128, margin: v128): v128 {
  return f32x4.add(f32x4.add(high, f32x4.mul(f32x4.abs(high), f32x4.splat(RELATIVE_WIDENING))), margin)
}

/** For one coordinate of four triangles, the minimum over the three corners. */
@inline
export function leastOfCorners(coordinates: u32): v128 {
  const ab = f32x4.pmin(v128.load(coordinates), v128.load(coordinates, Corner.BYTES))
  return f32x4.pmin(ab, v128.load(coordinates, 2 * Corner.BYTES))
}

@inline
export function greatestOfCorners(coordinates: u32): v128 {
  const ab = f32x4.pmax(v128.load(coordinates), v128.load(coordinates, Corner.BYTES))
  return f32x4.pmax(ab, v128.load(coordinates, 2 * Corner.BYTES))
}

/** Writes the lower or the upper sides of a group's four boxes (xyz each), lane by lane. */
@inline
export function writeSides(at: u32, a: v128, b: v128, c: v128, d: v128): void {
  const abXy = v128.shuffle<i32>(a, b, 0, 4, 1, 5)
  const cdXy = v128.shuffle<i32>(c, d, 0, 4, 1, 5)
  const abZ = v128.shuffle<i32>(a, b, 2, 6, 3, 7)
  const cdZ = v128.shuffle<i32>(c, d, 2, 6, 3, 7)
  v128.store(at, v128.shuffle<i32>(abXy, cdXy, 0, 1, 4, 5))
  v128.store(at, v128.shuffle<i32>(abXy, cdXy, 2, 3, 6, 7), 16)
  v128.store(at, v128.shuffle<i32>(abZ, cdZ, 0, 1, 4, 5), 32)
}
