/**
 * A bundle: BUNDLE_RAYS coherent rays that traverse the tree together. At nodes it uses interval arithmetic, with all origins
 * and inverse directions of its rays at once (Reshetov, Soupikov and Hurley, "Multi-Level Ray Tracing Algorithm", SIGGRAPH
 * 2005); at triangle4s its rays are tested four at a time.
 *
 * The steps that follow a box test handle bundles and rays alike: from +32 to +124 the layout is that of a ray's context.
 *
 *     +0   u32 number of rays | record of the first | whether all have the same origin | nothing: 0
 *     +124 u32 place of the current child
 *     +128 f32 bounds of all origins, two vectors, and of all directions
 *     +192 u32 kx ky kz | free: of all rays, as in a ray's context
 *     +208 intervals (`intervals.ts`)
 *     +400 its rays, four times four: each field of four rays side by side (QUAD_INVERSE …)
 *
 * Best is the farthest of its rays' best. A *place* is the address of a child's word in its node, so that the box of a triangle4 is at hand: bundles
 * stack places where rays stack children.
 *
 * Unused places of rays repeat the last ray, with best = -1, so that they are never tested.
 */
import { Ray } from '../records'
import { INTERVALS_END, storeIntervals } from './intervals'
import { axesOf, BEST, BOTTOM, CURRENT, HIT, inverseOf, STEPS, TOP } from './ray-context'

export const BUNDLE_RAYS: u32 = 16
export const RAY_COUNT: u32 = 0
export const FIRST_RECORD: u32 = 4
/** Whether all of its rays have one origin, as those of a camera without a lens have: the lower bound of all. */
export const SHARED: u32 = 8
/** A place where there is no child: what a bundle pops last. */
export const NOWHERE: u32 = 12
export const PLACE: u32 = HIT
export const LOW_ORIGIN: u32 = 128
const HIGH_ORIGIN: u32 = 144
const LOW_DIRECTION: u32 = 160
const HIGH_DIRECTION: u32 = 176
export const AXES: u32 = 192
export const QUADS: u32 = INTERVALS_END
/** Of four rays: origin x[4] y[4] z[4], at +0, and the same of 1 / direction; the other fields are as in a ray's context. */
export const QUAD_INVERSE: u32 = 48
export const QUAD_BEST: u32 = 96
export const QUAD_SHEAR_X: u32 = 112
export const QUAD_SHEAR_Y: u32 = 128
export const QUAD_SCALE_Z: u32 = 144
export const QUAD_T_MIN: u32 = 160
/** All ones for rays that were in the box of the newest triangle4. */
export const QUAD_IN_BOX: u32 = 176
export const QUAD_HIT: u32 = 192
export const QUAD_STEPS: u32 = 208
/** All ones for rays whose hits count as they are (`own-box.ts`), and for those that have hit nothing yet. */
export const QUAD_CERTAIN: u32 = 224
export const QUAD_BYTES: u32 = 240
export const BUNDLE_BYTES: u32 = QUADS + 4 * QUAD_BYTES

/** Where the fields of a bundle's ray begin: the first lane of those of four. */
@inline
export function bundledRay(bundle: u32, i: u32): u32 {
  return bundle + QUADS + (i >> 2) * QUAD_BYTES + ((i & 3) << 2)
}

/** Stores the bounds of `count` rays. NaN is neither less nor greater than any number, and has no effect. */
export function measureBundle(bundle: u32, rays: u32, count: u32): void {
  let lowOrigin = f32x4.splat(Infinity)
  let highOrigin = f32x4.splat(-Infinity)
  let lowDirection = lowOrigin
  let highDirection = highOrigin
  for (const end = rays + count * Ray.BYTES; rays < end; rays += Ray.BYTES) {
    const origin = Ray.origin(rays)
    const direction = Ray.direction(rays)
    lowOrigin = f32x4.pmin(lowOrigin, origin)
    highOrigin = f32x4.pmax(highOrigin, origin)
    lowDirection = f32x4.pmin(lowDirection, direction)
    highDirection = f32x4.pmax(highDirection, direction)
  }
  v128.store(bundle, lowOrigin, LOW_ORIGIN)
  v128.store(bundle, highOrigin, HIGH_ORIGIN)
  v128.store(bundle, lowDirection, LOW_DIRECTION)
  v128.store(bundle, highDirection, HIGH_DIRECTION)
}

/**
 * Whether no two rays of a bundle that has been measured are farther apart than allowed, on each axis all go the same way, and all are longest along the same
 * axis. It may also be false where they are nearly as long along another.
 * @param apart between origins, along any axis @param astray between directions
 */
@inline
export function isNarrow(bundle: u32, apart: v128, astray: v128): bool {
  // Zero counts as positive, whatever its sign: adding 0 makes it so.
  const zero = f32x4.splat(0)
  const low = f32x4.add(v128.load(bundle, LOW_DIRECTION), zero)
  const high = f32x4.add(v128.load(bundle, HIGH_DIRECTION), zero)
  const near = f32x4.le(f32x4.sub(v128.load(bundle, HIGH_ORIGIN), v128.load(bundle, LOW_ORIGIN)), apart)
  const along = f32x4.le(f32x4.sub(high, low), astray)
  const alike = v128.andnot(v128.and(near, along), v128.xor(low, high))
  // Along one axis the shortest of all directions is longer than the longest along another.
  const least = f32x4.pmin(f32x4.abs(low), f32x4.abs(high))
  const most = f32x4.pmax(f32x4.abs(low), f32x4.abs(high))
  const longest = v128.and(
    f32x4.gt(least, i32x4.shuffle(most, most, 1, 2, 0, 3)),
    f32x4.gt(least, i32x4.shuffle(most, most, 2, 0, 1, 3)),
  )
  return (i32x4.bitmask(alike) & 7) == 7 && (i32x4.bitmask(longest) & 7) != 0
}

/** Sets up a bundle for `count` rays, at most BUNDLE_RAYS, which have been measured, to begin at child word `start`. */
export function enterBundle(bundle: u32, rays: u32, count: u32, start: u32, axesTable: u32): void {
  const last = rays + (count - 1) * Ray.BYTES
  const axes = axesOf(Ray.direction(rays), axesTable)
  v128.store(bundle, v128.load(axes, 16), AXES)
  const kx = load<u32>(axes, 16)
  const ky = load<u32>(axes, 20)
  const kz = load<u32>(axes, 24)
  for (let i: u32 = 0; i < BUNDLE_RAYS; i += 4) {
    // Unused places repeat the last ray.
    const a = min(rays + i * Ray.BYTES, last)
    const b = min(a + Ray.BYTES, last)
    const c = min(b + Ray.BYTES, last)
    const d = min(c + Ray.BYTES, last)
    const used = i32x4.lt_s(i32x4.add(i32x4.splat(i), i32x4(0, 1, 2, 3)), i32x4.splat(count))
    enterQuad(bundledRay(bundle, i), a, b, c, d, used, kx, ky, kz)
  }
  takeBests(bundle)
  const lowOrigin = v128.load(bundle, LOW_ORIGIN)
  const highOrigin = v128.load(bundle, HIGH_ORIGIN)
  store<u32>(bundle, u32((i32x4.bitmask(f32x4.eq(lowOrigin, highOrigin)) & 7) == 7), SHARED)
  store<u32>(bundle, rays, FIRST_RECORD)
  store<u32>(bundle, count, RAY_COUNT)
  store<u32>(bundle, start, CURRENT)
  store<u32>(bundle, load<u32>(bundle, BOTTOM) + 16, TOP)
  store<u32>(bundle, 0, STEPS)
  storeIntervals(bundle, lowOrigin, highOrigin, v128.load(bundle, LOW_DIRECTION), v128.load(bundle, HIGH_DIRECTION))
}

/** Sets up four rays by the records `a` to `d`, as `enter` does one, longest along the axis of `kz`; those that are not used, or not finite, hit nothing. */
@inline
function enterQuad(quad: u32, a: u32, b: u32, c: u32, d: u32, used: v128, kx: u32, ky: u32, kz: u32): void {
  const zero = f32x4.splat(0)
  const originA = Ray.origin(a)
  const originB = Ray.origin(b)
  const originC = Ray.origin(c)
  const originD = Ray.origin(d)
  let xy = v128.shuffle<i32>(originA, originB, 0, 4, 1, 5)
  let otherXy = v128.shuffle<i32>(originC, originD, 0, 4, 1, 5)
  let zw = v128.shuffle<i32>(originA, originB, 2, 6, 3, 7)
  let otherZw = v128.shuffle<i32>(originC, originD, 2, 6, 3, 7)
  let x = v128.shuffle<i32>(xy, otherXy, 0, 1, 4, 5)
  let y = v128.shuffle<i32>(xy, otherXy, 2, 3, 6, 7)
  let z = v128.shuffle<i32>(zw, otherZw, 0, 1, 4, 5)
  v128.store(quad, x)
  v128.store(quad, y, 16)
  v128.store(quad, z, 32)
  // Lane 3 of the halves of a record is tMin and tMax; of the former the sign says something else, and negative values of the latter and NaN count as 0.
  v128.store(quad, f32x4.pmax(zero, f32x4.abs(v128.shuffle<i32>(zw, otherZw, 2, 3, 6, 7))), QUAD_T_MIN)
  let finite = v128.and(
    v128.and(f32x4.eq(f32x4.sub(x, x), zero), f32x4.eq(f32x4.sub(y, y), zero)),
    f32x4.eq(f32x4.sub(z, z), zero),
  )
  const directionA = Ray.direction(a)
  const directionB = Ray.direction(b)
  const directionC = Ray.direction(c)
  const directionD = Ray.direction(d)
  xy = v128.shuffle<i32>(directionA, directionB, 0, 4, 1, 5)
  otherXy = v128.shuffle<i32>(directionC, directionD, 0, 4, 1, 5)
  zw = v128.shuffle<i32>(directionA, directionB, 2, 6, 3, 7)
  otherZw = v128.shuffle<i32>(directionC, directionD, 2, 6, 3, 7)
  x = v128.shuffle<i32>(xy, otherXy, 0, 1, 4, 5)
  y = v128.shuffle<i32>(xy, otherXy, 2, 3, 6, 7)
  z = v128.shuffle<i32>(zw, otherZw, 0, 1, 4, 5)
  finite = v128.and(
    v128.and(v128.and(finite, f32x4.eq(f32x4.sub(x, x), zero)), f32x4.eq(f32x4.sub(y, y), zero)),
    f32x4.eq(f32x4.sub(z, z), zero),
  )
  const tMax = f32x4.pmax(zero, v128.shuffle<i32>(zw, otherZw, 2, 3, 6, 7))
  v128.store(quad, v128.bitselect(tMax, f32x4.splat(-1), v128.and(finite, used)), QUAD_BEST)
  v128.store(quad, x, QUAD_INVERSE)
  v128.store(quad, y, QUAD_INVERSE + 16)
  v128.store(quad, z, QUAD_INVERSE + 32)
  const directions = quad + QUAD_INVERSE
  const scaleZ = f32x4.div(f32x4.splat(1), v128.load(directions + kz))
  v128.store(quad, f32x4.mul(v128.load(directions + kx), scaleZ), QUAD_SHEAR_X)
  v128.store(quad, f32x4.mul(v128.load(directions + ky), scaleZ), QUAD_SHEAR_Y)
  v128.store(quad, scaleZ, QUAD_SCALE_Z)
  // Of zeros the sign does not count: all rays of a bundle enter a box through the same planes.
  v128.store(quad, inverseOf(f32x4.add(x, zero)), QUAD_INVERSE)
  v128.store(quad, inverseOf(f32x4.add(y, zero)), QUAD_INVERSE + 16)
  v128.store(quad, inverseOf(f32x4.add(z, zero)), QUAD_INVERSE + 32)
  v128.store(quad, i32x4.splat(0), QUAD_HIT)
  v128.store(quad, i32x4.splat(0), QUAD_STEPS)
  v128.store(quad, i32x4.splat(-1), QUAD_CERTAIN)
}

/** Updates the bundle from the distances of its rays' nearest hits. */
@inline
export function takeBests(bundle: u32): void {
  let farthest = f32x4.pmax(v128.load(bundle, QUADS + QUAD_BEST), v128.load(bundle, QUADS + QUAD_BYTES + QUAD_BEST))
  farthest = f32x4.pmax(farthest, v128.load(bundle, QUADS + 2 * QUAD_BYTES + QUAD_BEST))
  farthest = f32x4.pmax(farthest, v128.load(bundle, QUADS + 3 * QUAD_BYTES + QUAD_BEST))
  farthest = f32x4.pmax(farthest, i32x4.shuffle(farthest, farthest, 2, 3, 0, 1))
  farthest = f32x4.pmax(farthest, i32x4.shuffle(farthest, farthest, 1, 0, 3, 2))
  v128.store(bundle, farthest, BEST)
}
