/**
 * The box of a triangle itself, by which its hits are judged: a ray hits it only if the ray meets the box, and not before it enters it. The distance
 * that the triangle test computes for a sliver, or at a grazing angle, may lie far before the triangle, as all three weights are rounding errors there.
 * A tree would skip such a hit or not, depending on its nodes. So a distance is raised to where the ray enters the box.
 *
 * Why every tree finds the same hits, then. The box is that of a node (`build/boxes.ts`) without the scene's margin, so it lies in the boxes of all nodes above
 * the triangle; the arithmetic is that of nodes (`box-step.ts`). Subtracting an origin, multiplying with a reciprocal, least and greatest of
 * axes, and the factors for rounding are monotonic, also when they are rounded, and nothing is a NaN: reciprocals are finite and not 0. So of all boxes above the
 * triangle none is entered later, or left earlier: if the ray meets this one, it meets them, and enters them before the hit's distance; whatever is
 * nearer than `best` is never skipped. Bundles and beams bound the same terms for all of their rays by the same operations.
 */
import { Corner } from '../records'
import { greatestOfCorners, leastOfCorners, sideWidenings, widenDown, widenUp } from '../build/boxes'
import { QUAD_INVERSE } from './bundle-context'
import { BOX_SLACK, INVERSE, ORIGIN } from './ray-context'

/**
 * What is so much outside of a box that has not been widened still lies in the widened one: less than what the factors of nodes allow (BOX_SLACK), by more than
 * is rounded here and there. More than by what masks and blends are met early (EARLY), or most of their hits across an axis, where boxes are flat, would be in doubt.
 */
const SURELY: f32 = 1.75 / 1048576.0

/**
 * Whether a distance certainly counts as it is: it lies within the box of a triangle before that is widened.
 * @param ray a context, or what has the ray in the scene's coordinates beside one @param slot of the triangle @param distance in all lanes
 */
@inline
export function liesInBox(ray: u32, slot: u32, distance: v128): bool {
  const origin = v128.load(ray, ORIGIN)
  const inverse = v128.load(ray, INVERSE)
  const a = f32x4.mul(f32x4.sub(cornerOf(slot), origin), inverse)
  const b = f32x4.mul(f32x4.sub(cornerOf(slot + Corner.BYTES), origin), inverse)
  const c = f32x4.mul(f32x4.sub(cornerOf(slot + 2 * Corner.BYTES), origin), inverse)
  return (i32x4.bitmask(isBetween(leastOf(a, b, c), distance, greatestOf(a, b, c))) & 7) == 7
}

/**
 * The same for four rays of a bundle and the triangle that they are tested against, while its coordinates are at hand: all ones for those whose distances count as they are.
 * @param corners the triangle's @param relative whether they are relative to the origin of all rays
 */
@inline
export function fourLieInBox(quad: u32, corners: u32, distances: v128, relative: bool): v128 {
  return v128.and(
    v128.and(fourAlong(quad, corners, distances, relative), fourAlong(quad + 16, corners + 16, distances, relative)),
    fourAlong(quad + 32, corners + 32, distances, relative),
  )
}

/** Along an axis, 16 times whose number has been added to both addresses. */
@inline
function fourAlong(quad: u32, corners: u32, distances: v128, relative: bool): v128 {
  const inverse = v128.load(quad, QUAD_INVERSE)
  const a = f32x4.mul(from(quad, v128.load32_splat(corners), relative), inverse)
  const b = f32x4.mul(from(quad, v128.load32_splat(corners, Corner.BYTES), relative), inverse)
  const c = f32x4.mul(from(quad, v128.load32_splat(corners, 2 * Corner.BYTES), relative), inverse)
  return isBetween(leastOf(a, b, c), distances, greatestOf(a, b, c))
}

/** A coordinate relative to the origins of four rays. */
@inline
function from(origins: u32, coordinate: v128, relative: bool): v128 {
  return relative ? coordinate : f32x4.sub(coordinate, v128.load(origins))
}

@inline
function isBetween(entry: v128, distance: v128, exit: v128): v128 {
  const later = f32x4.mul(distance, f32x4.splat(1 + SURELY))
  const earlier = f32x4.mul(distance, f32x4.splat(1 - SURELY))
  return v128.and(f32x4.le(entry, later), f32x4.le(earlier, exit))
}

@inline
function leastOf(a: v128, b: v128, c: v128): v128 {
  return f32x4.pmin(f32x4.pmin(a, b), c)
}

@inline
function greatestOf(a: v128, b: v128, c: v128): v128 {
  return f32x4.pmax(f32x4.pmax(a, b), c)
}

/** A corner of the triangle in a slot; the fourth lane is no coordinate. */
@inline
function cornerOf(slot: u32): v128 {
  return v128.load_lane<u32>(slot + 32, v128.load_lane<u32>(slot + 16, v128.load32_zero(slot), 1), 2)
}

/**
 * Distances to the four triangles of a triangle4, raised to where a ray enters their boxes; NaN for one whose box it misses.
 * @param ray as of `liesInBox` @param corners the triangle4's in the scene's coordinates
 */
export function withinBoxes(ray: u32, corners: u32, distances: v128): v128 {
  const sides = sideWidenings(sideAlong(corners), sideAlong(corners + 16), sideAlong(corners + 32))
  let entry = f32x4.splat(0)
  let exit = f32x4.splat(Infinity)
  for (let axis: u32 = 0; axis < Corner.BYTES; axis += 16) {
    const low = widenDown(f32x4.sub(leastOfCorners(corners + axis), sides), f32x4.splat(0))
    const high = widenUp(f32x4.add(greatestOfCorners(corners + axis), sides), f32x4.splat(0))
    const from = v128.load32_splat(ray + (axis >> 2), ORIGIN)
    const by = v128.load32_splat(ray + (axis >> 2), INVERSE)
    const atLow = f32x4.mul(f32x4.sub(low, from), by)
    const atHigh = f32x4.mul(f32x4.sub(high, from), by)
    entry = f32x4.pmax(entry, f32x4.pmin(atLow, atHigh))
    exit = f32x4.pmin(exit, f32x4.pmax(atLow, atHigh))
  }
  entry = f32x4.mul(entry, f32x4.splat(2 - BOX_SLACK))
  const missed = f32x4.gt(entry, f32x4.mul(exit, f32x4.splat(BOX_SLACK)))
  return v128.or(f32x4.pmax(distances, entry), missed)
}

@inline
function sideAlong(coordinates: u32): v128 {
  return f32x4.sub(greatestOfCorners(coordinates), leastOfCorners(coordinates))
}
