/**
 * A bundle: BUNDLE_RAYS coherent rays that traverse the tree together. At nodes it uses interval arithmetic, with all origins
 * and inverse directions of its rays at once (Reshetov, Soupikov and Hurley, "Multi-Level Ray Tracing Algorithm", SIGGRAPH
 * 2005); at triangle4s its rays are tested individually.
 *
 * The steps that follow a box test handle bundles and rays alike: from +32 to +128 the layout is that of a ray's context.
 *
 *     +0   u32 number of rays | its rays | whether all have the same origin | free
 *     +208 intervals (`intervals.ts`)
 *     +400 four times, for four rays each: f32 origin x[4] y[4] z[4] | inverse direction x[4] y[4] z[4] | best[4]
 *     +848 f32 the origin that all have, if they do
 *
 * Best is the farthest of its rays' best.
 *
 * A bundled ray's context has only the part needed for triangle4s, BEST to RECORD; its address is still that of a full context, so
 * the steps need no special case. Unused places repeat the last ray, with best = -1, so that they are never tested.
 */
import { Ray } from '../records'
import { INTERVALS_END, storeIntervals } from './intervals'
import { BEST, BOTTOM, CURRENT, enterTriangle4s, inverseOf, RECORD, STEPS, TOP } from './ray-context'

export const BUNDLE_RAYS: u32 = 16
/** Distance from one bundled ray's context to the next, bytes. */
export const BUNDLED_RAY_BYTES: u32 = RECORD + 4 - BEST
export const RAY_COUNT: u32 = 0
/** Address of the first of its rays' contexts. */
export const RAY_CONTEXTS: u32 = 4
/** Whether all of its rays have one origin, as those of a camera without a lens have. */
export const SHARED: u32 = 8
export const QUADS: u32 = INTERVALS_END
export const QUAD_BYTES: u32 = 112
export const QUAD_INVERSE: u32 = 48
export const QUAD_BEST: u32 = 96
export const SHARED_ORIGIN: u32 = QUADS + 4 * QUAD_BYTES
export const BUNDLE_BYTES: u32 = 896

/** Sets up a bundle for `count` rays, at most BUNDLE_RAYS, to begin at child word `start`. */
export function enterBundle(bundle: u32, rays: u32, count: u32, start: u32, axesTable: u32): void {
  const contexts = load<u32>(bundle, RAY_CONTEXTS)
  const last = rays + (count - 1) * Ray.BYTES
  let lowOrigin = f32x4.splat(Infinity)
  let highOrigin = f32x4.splat(-Infinity)
  let lowDirection = lowOrigin
  let highDirection = highOrigin
  const zero = f32x4.splat(0)
  for (let i: u32 = 0; i < BUNDLE_RAYS; i += 4) {
    // Unused places repeat the last ray.
    const a = min(rays + i * Ray.BYTES, last)
    const b = min(a + Ray.BYTES, last)
    const c = min(b + Ray.BYTES, last)
    const d = min(c + Ray.BYTES, last)
    const quad = bundle + QUADS + (i >> 2) * QUAD_BYTES
    const originA = Ray.origin(a)
    const originB = Ray.origin(b)
    const originC = Ray.origin(c)
    const originD = Ray.origin(d)
    const directionA = Ray.direction(a)
    const directionB = Ray.direction(b)
    const directionC = Ray.direction(c)
    const directionD = Ray.direction(d)
    lowOrigin = f32x4.pmin(f32x4.pmin(f32x4.pmin(f32x4.pmin(lowOrigin, originA), originB), originC), originD)
    highOrigin = f32x4.pmax(f32x4.pmax(f32x4.pmax(f32x4.pmax(highOrigin, originA), originB), originC), originD)
    lowDirection = f32x4.pmin(f32x4.pmin(f32x4.pmin(f32x4.pmin(lowDirection, directionA), directionB), directionC), directionD)
    highDirection = f32x4.pmax(f32x4.pmax(f32x4.pmax(f32x4.pmax(highDirection, directionA), directionB), directionC), directionD)
    let xy = v128.shuffle<i32>(originA, originB, 0, 4, 1, 5)
    let otherXy = v128.shuffle<i32>(originC, originD, 0, 4, 1, 5)
    let zw = v128.shuffle<i32>(originA, originB, 2, 6, 3, 7)
    let otherZw = v128.shuffle<i32>(originC, originD, 2, 6, 3, 7)
    v128.store(quad, v128.shuffle<i32>(xy, otherXy, 0, 1, 4, 5))
    v128.store(quad, v128.shuffle<i32>(xy, otherXy, 2, 3, 6, 7), 16)
    v128.store(quad, v128.shuffle<i32>(zw, otherZw, 0, 1, 4, 5), 32)
    xy = v128.shuffle<i32>(directionA, directionB, 0, 4, 1, 5)
    otherXy = v128.shuffle<i32>(directionC, directionD, 0, 4, 1, 5)
    zw = v128.shuffle<i32>(directionA, directionB, 2, 6, 3, 7)
    otherZw = v128.shuffle<i32>(directionC, directionD, 2, 6, 3, 7)
    // Of zeros the sign does not count: all rays of a bundle enter a box through the same planes.
    v128.store(quad, inverseOf(f32x4.add(v128.shuffle<i32>(xy, otherXy, 0, 1, 4, 5), zero)), QUAD_INVERSE)
    v128.store(quad, inverseOf(f32x4.add(v128.shuffle<i32>(xy, otherXy, 2, 3, 6, 7), zero)), QUAD_INVERSE + 16)
    v128.store(quad, inverseOf(f32x4.add(v128.shuffle<i32>(zw, otherZw, 0, 1, 4, 5), zero)), QUAD_INVERSE + 32)
    enterTriangle4s(contexts + i * BUNDLED_RAY_BYTES, a, axesTable)
    enterTriangle4s(contexts + (i + 1) * BUNDLED_RAY_BYTES, b, axesTable)
    enterTriangle4s(contexts + (i + 2) * BUNDLED_RAY_BYTES, c, axesTable)
    enterTriangle4s(contexts + (i + 3) * BUNDLED_RAY_BYTES, d, axesTable)
  }
  for (let i = count; i < BUNDLE_RAYS; i++) store<f32>(contexts + i * BUNDLED_RAY_BYTES, -1, BEST)
  takeBests(bundle)
  store<u32>(bundle, u32((i32x4.bitmask(f32x4.eq(lowOrigin, highOrigin)) & 7) == 7), SHARED)
  v128.store(bundle, lowOrigin, SHARED_ORIGIN)
  store<u32>(bundle, count, RAY_COUNT)
  store<u32>(bundle, start, CURRENT)
  store<u32>(bundle, load<u32>(bundle, BOTTOM) + 16, TOP)
  store<u32>(bundle, 0, STEPS)
  storeIntervals(bundle, lowOrigin, highOrigin, lowDirection, highDirection)
}

/** Updates the bundle from the distances of its rays' nearest hits. */
@inline
export function takeBests(bundle: u32): void {
  let ray = load<u32>(bundle, RAY_CONTEXTS)
  let farthest = f32x4.splat(-1)
  for (let quad = bundle + QUADS; quad < bundle + QUADS + 4 * QUAD_BYTES; quad += QUAD_BYTES) {
    let best = v128.load32_zero(ray, BEST)
    best = v128.load_lane<u32>(ray + BUNDLED_RAY_BYTES, best, 1, BEST)
    best = v128.load_lane<u32>(ray + 2 * BUNDLED_RAY_BYTES, best, 2, BEST)
    best = v128.load_lane<u32>(ray + 3 * BUNDLED_RAY_BYTES, best, 3, BEST)
    v128.store(quad, best, QUAD_BEST)
    farthest = f32x4.pmax(farthest, best)
    ray += 4 * BUNDLED_RAY_BYTES
  }
  farthest = f32x4.pmax(farthest, i32x4.shuffle(farthest, farthest, 2, 3, 0, 1))
  farthest = f32x4.pmax(farthest, i32x4.shuffle(farthest, farthest, 1, 0, 3, 2))
  v128.store(bundle, farthest, BEST)
}
