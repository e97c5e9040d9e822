/**
 * Coherent rays as intervals: bounds of all their origins and inverse directions at once (Reshetov, Soupikov and Hurley,
 * "Multi-Level Ray Tracing Algorithm", SIGGRAPH 2005). For bundles and beams; BEST (the farthest that any ray goes) and NEAR lie
 * at the same offsets as in a ray's context, followed by
 *
 *     +208 f32 nearOrigin, each axis in four lanes: the origins that minimise the near planes' distances
 *     +256 f32 farOrigin: those that maximise the far planes' distances
 *     +304 f32 nearInverse, +352 farInverse: of 1 / direction, what is least in size, and greatest
 *
 * One product bounds a distance. To a near plane ahead of the origins it is least with the inverse that is least in size; one behind them is at 0 to every ray,
 * and so it is here. To a far plane ahead it is greatest with the other; of a box that is behind no ray enters anything, and no product makes it be ahead.
 */
import { Group, Slab } from '../records'
import { BEST, BOX_SLACK, inverseSize, NEAR, spread } from './ray-context'

const NEAR_ORIGIN: u32 = 208
const FAR_ORIGIN: u32 = 256
const NEAR_INVERSE: u32 = 304
const FAR_INVERSE: u32 = 352
export const INTERVALS_END: u32 = 400

/**
 * Of directions with smaller components no distance to a plane is rounded to 0, by which a box behind a ray would be where it starts, unless an origin is
 * within 2^-121 of the plane. What is in the box keeps a margin of 2^-120 from its planes at least (`build/boxes.ts`), so from there a ray meets it or not whatever the distance is rounded to.
 */
const LARGE: f32 = 1048576

/** Stores the intervals of rays with these bounds. */
@inline
export function storeIntervals(at: u32, lowOrigin: v128, highOrigin: v128, lowDirection: v128, highDirection: v128): void {
  const zero = f32x4.splat(0)
  const one = f32x4.splat(1)
  // Zero counts as positive, whatever its sign, as it does for a single ray.
  const up = f32x4.ge(lowDirection, zero)
  const down = f32x4.lt(highDirection, zero)
  // On an axis with directions of both signs, or too large ones, the planes exclude nothing: they are made infinitely near and far.
  const large = f32x4.ge(f32x4.pmax(f32x4.abs(lowDirection), f32x4.abs(highDirection)), f32x4.splat(LARGE))
  const mixed = v128.or(large, v128.not(v128.or(up, down)))
  const nowhere = f32x4.splat(Infinity)
  const sign = v128.and(down, i32x4.splat(0x80000000))
  const ofLow = v128.or(inverseSize(lowDirection), sign)
  const ofHigh = v128.or(inverseSize(highDirection), sign)
  // The highest direction is the longest, or, of negative ones, the shortest.
  spread(at + NEAR_INVERSE, v128.bitselect(one, v128.bitselect(ofLow, ofHigh, down), mixed))
  spread(at + FAR_INVERSE, v128.bitselect(one, v128.bitselect(ofHigh, ofLow, down), mixed))
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

/** The minimum distance from the origins to four planes, or something negative; `axis` is 16 times its number. */
@inline
function nearBound(at: u32, plane: u32, axis: u32): v128 {
  return f32x4.mul(f32x4.sub(v128.load(plane), v128.load(at + axis, NEAR_ORIGIN)), v128.load(at + axis, NEAR_INVERSE))
}

/** The maximum distance, or something negative. */
@inline
function farBound(at: u32, plane: u32, axis: u32): v128 {
  return f32x4.mul(f32x4.sub(v128.load(plane), v128.load(at + axis, FAR_ORIGIN)), v128.load(at + axis, FAR_INVERSE))
}
