/** Bundles at triangle4s: which of their rays have to be tested, and collecting the results. */
import { Child, Corner } from '../records'
import {
  BUNDLED_RAY_BYTES,
  QUAD_BEST,
  QUAD_BYTES,
  QUAD_INVERSE,
  QUADS,
  RAY_CONTEXTS,
  SHARED,
  SHARED_ORIGIN,
  takeBests,
} from './bundle-context'
import { BOX_SLACK, CURRENT, NEAR, STEPS } from './ray-context'

/** Make a triangle4's box at least as wide as the builder's boxes of its triangles (`build/boxes.ts`). */
const SIDE_WIDENING: f32 = 1.0 / 524288.0
const RELATIVE_WIDENING: f32 = 1.0 / 8388608.0
/** By how many bits an offset of a plane has to be shifted for the sign to say which side it is on (Slab.OTHER_SIDE). */
const SIGN_OF_NEAR: i32 = 25

/** End of the list of bundles that the newest `openTriangle4s` has opened. */
export let openedEnd: u32 = 0

/**
 * Lists at `rays` the rays of the listed bundles that may hit their triangle4, and returns the list's end; and at `opened` the bundles that have
 * such rays.
 */
export function openTriangle4s(list: u32, end: u32, rays: u32, opened: u32): u32 {
  for (; list < end; list += 4) {
    const bundle = load<u32>(list)
    const child = load<u32>(bundle, CURRENT)
    const triangle4 = child - Child.TRIANGLE4
    // The box in lanes 0 to 2 of two vectors.
    let low = leastOf(leastCorners(triangle4), leastCorners(triangle4 + 16), leastCorners(triangle4 + 32))
    let high = greatestOf(greatestCorners(triangle4), greatestCorners(triangle4 + 16), greatestCorners(triangle4 + 32))
    const side = f32x4.sub(high, low)
    const sides = f32x4.pmax(side, f32x4.pmax(i32x4.shuffle(side, side, 1, 2, 0, 3), i32x4.shuffle(side, side, 2, 0, 1, 3)))
    const wider = f32x4.add(
      f32x4.mul(sides, f32x4.splat(SIDE_WIDENING)),
      f32x4.mul(f32x4.abs(low), f32x4.splat(RELATIVE_WIDENING)),
    )
    low = f32x4.sub(low, wider)
    high = f32x4.add(high, wider)
    // The planes through which all rays enter: those of the other side along axes that they go down.
    const down = i32x4.shr_s(i32x4.shl(v128.load(bundle, NEAR), SIGN_OF_NEAR), 31)
    const near = v128.bitselect(high, low, down)
    const far = v128.bitselect(low, high, down)
    let some: u32
    if (load<u32>(bundle, SHARED) != 0) {
      const origin = v128.load(bundle, SHARED_ORIGIN)
      some = raysInBox(bundle + QUADS, f32x4.sub(near, origin), f32x4.sub(far, origin), true)
    } else some = raysInBox(bundle + QUADS, near, far, false)
    store<u32>(opened, bundle)
    opened += u32(some != 0) << 2
    const contexts = load<u32>(bundle, RAY_CONTEXTS)
    while (some != 0) {
      const ray = contexts + i32.ctz(some) * BUNDLED_RAY_BYTES
      store<u32>(ray, child, CURRENT)
      store<u32>(ray, load<u32>(ray, STEPS) + 1, STEPS)
      store<u32>(rays, ray)
      rays += 4
      some &= some - 1
    }
  }
  openedEnd = opened
  return rays
}

/** Bit i: whether ray i may hit something in a box. @param relative whether its planes are relative to the origin of all rays */
@inline
function raysInBox(quads: u32, near: v128, far: v128, relative: bool): u32 {
  const nearX = i32x4.shuffle(near, near, 0, 0, 0, 0)
  const nearY = i32x4.shuffle(near, near, 1, 1, 1, 1)
  const nearZ = i32x4.shuffle(near, near, 2, 2, 2, 2)
  const farX = i32x4.shuffle(far, far, 0, 0, 0, 0)
  const farY = i32x4.shuffle(far, far, 1, 1, 1, 1)
  const farZ = i32x4.shuffle(far, far, 2, 2, 2, 2)
  return (
    fourInBox(quads, nearX, nearY, nearZ, farX, farY, farZ, relative) |
    (fourInBox(quads + QUAD_BYTES, nearX, nearY, nearZ, farX, farY, farZ, relative) << 4) |
    (fourInBox(quads + 2 * QUAD_BYTES, nearX, nearY, nearZ, farX, farY, farZ, relative) << 8) |
    (fourInBox(quads + 3 * QUAD_BYTES, nearX, nearY, nearZ, farX, farY, farZ, relative) << 12)
  )
}

@inline
function fourInBox(quad: u32, nearX: v128, nearY: v128, nearZ: v128, farX: v128, farY: v128, farZ: v128, relative: bool): u32 {
  const x = v128.load(quad, QUAD_INVERSE)
  let entry = f32x4.pmax(f32x4.splat(0), f32x4.mul(from(quad, nearX, relative), x))
  let exit = f32x4.pmin(v128.load(quad, QUAD_BEST), f32x4.mul(from(quad, farX, relative), x))
  const y = v128.load(quad, QUAD_INVERSE + 16)
  entry = f32x4.pmax(entry, f32x4.mul(from(quad + 16, nearY, relative), y))
  exit = f32x4.pmin(exit, f32x4.mul(from(quad + 16, farY, relative), y))
  const z = v128.load(quad, QUAD_INVERSE + 32)
  entry = f32x4.pmax(entry, f32x4.mul(from(quad + 32, nearZ, relative), z))
  exit = f32x4.pmin(exit, f32x4.mul(from(quad + 32, farZ, relative), z))
  return i32x4.bitmask(f32x4.le(entry, f32x4.mul(exit, f32x4.splat(BOX_SLACK))))
}

/** A plane relative to the origins of four rays. */
@inline
function from(origins: u32, plane: v128, relative: bool): v128 {
  return relative ? plane : f32x4.sub(plane, v128.load(origins))
}

/** Updates the listed bundles from the hits of their rays. */
export function closeTriangle4s(list: u32, end: u32): void {
  for (; list < end; list += 4) takeBests(load<u32>(list))
}

/** The minimum of one coordinate over the corners of each of four triangles. */
@inline
function leastCorners(coordinates: u32): v128 {
  const ab = f32x4.pmin(v128.load(coordinates), v128.load(coordinates, Corner.BYTES))
  return f32x4.pmin(ab, v128.load(coordinates, 2 * Corner.BYTES))
}

@inline
function greatestCorners(coordinates: u32): v128 {
  const ab = f32x4.pmax(v128.load(coordinates), v128.load(coordinates, Corner.BYTES))
  return f32x4.pmax(ab, v128.load(coordinates, 2 * Corner.BYTES))
}

/** The minima over the lanes of three vectors, in lanes 0 to 2. */
@inline
function leastOf(x: v128, y: v128, z: v128): v128 {
  const xy = f32x4.pmin(i32x4.shuffle(x, y, 0, 4, 1, 5), i32x4.shuffle(x, y, 2, 6, 3, 7))
  const zz = f32x4.pmin(z, i32x4.shuffle(z, z, 2, 3, 2, 3))
  return f32x4.pmin(i32x4.shuffle(xy, zz, 0, 1, 4, 5), i32x4.shuffle(xy, zz, 2, 3, 5, 4))
}

@inline
function greatestOf(x: v128, y: v128, z: v128): v128 {
  const xy = f32x4.pmax(i32x4.shuffle(x, y, 0, 4, 1, 5), i32x4.shuffle(x, y, 2, 6, 3, 7))
  const zz = f32x4.pmax(z, i32x4.shuffle(z, z, 2, 3, 2, 3))
  return f32x4.pmax(i32x4.shuffle(xy, zz, 0, 1, 4, 5), i32x4.shuffle(xy, zz, 2, 3, 5, 4))
}
