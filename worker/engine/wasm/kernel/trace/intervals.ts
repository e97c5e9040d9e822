/**
 * Coherent rays as intervals: bounds of all their origins and inverse directions at once (Reshetov, Soupikov and Hurley,
 * "Multi-Level Ray Tracing Algorithm", SIGGRAPH 2005). For bundles and beams; BEST (the farthest that any ray goes) and NEAR lie
 * at the same offsets as in a ray's context, followed by
 *
 *     +208 f32 nearOrigin, each axis in four lanes: the origins that minimise the near planes' distances
 *     +256 f32 farOrigin: those that maximise the far planes' distances
 *     +304 f32 lowInverse, +352 highInverse: bounds of 1 / direction
 */
import { Group, Slab } from '../records'
import { BEST, BOX_SLACK, inverseSize, NEAR, spread } from './ray-context'

const NEAR_ORIGIN: u32 = 208
const FAR_ORIGIN: u32 = 256
const LOW_INVERSE: u32 = 304
const HIGH_INVERSE: u32 = 352
export const INTERVALS_END: u32 = 400

/** Stores the intervals of rays with these bounds. */
@inline
export function storeIntervals(at: u32, lowOrigin: v128, highOrigin: v128, lowDirection: v128, highDirection: v128): void {
  const zero = f32x4.splat(0)
  const one = f32x4.splat(1)
  // Zero counts as positive, whatever its sign, as it does for a single ray.
  const up = f32x4.ge(lowDirection, zero)
  const down = f32x4.lt(highDirection, zero)
  // On an axis with directions of both signs the planes exclude nothing: they are made infinitely near and far.
  const mixed = v128.not(v128.or(up, down))
  const nowhere = f32x4.splat(Infinity)
  // For one sign, 1 / direction is monotonic: its bounds swap.
  const sign = v128.and(down, i32x4.splat(0x80000000))
  spread(at + LOW_INVERSE, v128.bitselect(one, v128.or(inverseSize(highDirection), sign), mixed))
  spread(at + HIGH_INVERSE, v128.bitselect(one, v128.or(inverseSize(lowDirection), sign), mixed))
  // For positive directions, a near plane is nearest to the highest origin; for negative ones, to the lowest.
  spread(at + NEAR_ORIGIN, v128.bitselect(nowhere, v128.bitselect(lowOrigin, highOrigin, down), mixed))
  spread(at + FAR_ORIGIN, v128.bitselect(f32x4.neg(nowhere), v128.bitselect(highOrigin, lowOrigin, down), mixed))
  v128.store(at, v128.or(v128.and(down, i32x4(64, 64, 64, 0)), i32x4(0, 16, 32, 0)), NEAR)
}

/** For each child of a group, the earliest distance at which any of the rays may enter; -1 if none can. */
@inline
export function entriesOf(at: u32, group: u32): v128 {
  const planeX = group + load<u32>(at, NEAR)
  const planeY = group + load<u32>(at, NEAR + 4)
  const planeZ = group + load<u32>(at, NEAR + 8)
  let entry = f32x4.pmax(f32x4.splat(0), nearBound(at, planeX, 0))
  let exit = f32x4.pmin(v128.load(at, BEST), farBound(at, planeX ^ Slab.OTHER_SIDE, 0))
  entry = f32x4.pmax(entry, nearBound(at, planeY, 16))
  exit = f32x4.pmin(exit, farBound(at, planeY ^ Slab.OTHER_SIDE, 16))
  entry = f32x4.pmax(entry, nearBound(at, planeZ, 32))
  exit = f32x4.pmin(exit, farBound(at, planeZ ^ Slab.OTHER_SIDE, 32))
  // A distance that is compared later must not be too large by rounding, either.
  entry = f32x4.mul(entry, f32x4.splat(2 - BOX_SLACK))
  const missed = f32x4.gt(entry, f32x4.mul(exit, f32x4.splat(BOX_SLACK)))
  return v128.or(v128.or(entry, missed), i32x4.eq(Group.childrenLanes(group), i32x4.splat(0)))
}

/** The minimum distance from the origins to four planes; `axis` is 16 times its number. */
@inline
function nearBound(at: u32, plane: u32, axis: u32): v128 {
  const apart = f32x4.sub(v128.load(plane), v128.load(at + axis, NEAR_ORIGIN))
  const low = f32x4.mul(apart, v128.load(at + axis, LOW_INVERSE))
  return f32x4.pmin(low, f32x4.mul(apart, v128.load(at + axis, HIGH_INVERSE)))
}

/** The maximum distance. */
@inline
function farBound(at: u32, plane: u32, axis: u32): v128 {
  const apart = f32x4.sub(v128.load(plane), v128.load(at + axis, FAR_ORIGIN))
  const low = f32x4.mul(apart, v128.load(at + axis, LOW_INVERSE))
  return f32x4.pmax(low, f32x4.mul(apart, v128.load(at + axis, HIGH_INVERSE)))
}
