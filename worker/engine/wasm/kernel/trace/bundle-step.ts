/** Bundles at triangle4s: which of their rays have to be tested, and collecting the results. */
import { Child, Corner } from '../records'
import {
  BUNDLED_RAY_BYTES,
  QUAD_BEST,
  QUAD_BYTES,
  QUAD_INVERSE,
  QUADS,
  RAY_CONTEXTS,
  takeBests,
} from './bundle-context'
import { BOX_SLACK, CURRENT, STEPS } from './ray-context'

/** Make a triangle4's box at least as wide as the builder's boxes of its triangles (`build/boxes.ts`). */
const SIDE_WIDENING: f32 = 1.0 / 524288.0
const RELATIVE_WIDENING: f32 = 1.0 / 8388608.0

/** Lists at `rays` the rays of the listed bundles that may hit their triangle4; returns the list's end. */
export function openTriangle4s(list: u32, end: u32, rays: u32): u32 {
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
    const lowX = i32x4.shuffle(low, low, 0, 0, 0, 0)
    const lowY = i32x4.shuffle(low, low, 1, 1, 1, 1)
    const lowZ = i32x4.shuffle(low, low, 2, 2, 2, 2)
    const highX = i32x4.shuffle(high, high, 0, 0, 0, 0)
    const highY = i32x4.shuffle(high, high, 1, 1, 1, 1)
    const highZ = i32x4.shuffle(high, high, 2, 2, 2, 2)
    let some =
      raysInBox(bundle + QUADS, lowX, lowY, lowZ, highX, highY, highZ) |
      (raysInBox(bundle + QUADS + QUAD_BYTES, lowX, lowY, lowZ, highX, highY, highZ) << 4) |
      (raysInBox(bundle + QUADS + 2 * QUAD_BYTES, lowX, lowY, lowZ, highX, highY, highZ) << 8) |
      (raysInBox(bundle + QUADS + 3 * QUAD_BYTES, lowX, lowY, lowZ, highX, highY, highZ) << 12)
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
  return rays
}

/** Bit i: whether ray i of four may hit something in a box. */
@inline
function raysInBox(quad: u32, lowX: v128, lowY: v128, lowZ: v128, highX: v128, highY: v128, highZ: v128): u32 {
  const x = v128.load(quad)
  const inverseX = v128.load(quad, QUAD_INVERSE)
  const toLowX = f32x4.mul(f32x4.sub(lowX, x), inverseX)
  const toHighX = f32x4.mul(f32x4.sub(highX, x), inverseX)
  let entry = f32x4.pmax(f32x4.splat(0), f32x4.pmin(toLowX, toHighX))
  let exit = f32x4.pmin(v128.load(quad, QUAD_BEST), f32x4.pmax(toLowX, toHighX))
  const y = v128.load(quad, 16)
  const inverseY = v128.load(quad, QUAD_INVERSE + 16)
  const toLowY = f32x4.mul(f32x4.sub(lowY, y), inverseY)
  const toHighY = f32x4.mul(f32x4.sub(highY, y), inverseY)
  entry = f32x4.pmax(entry, f32x4.pmin(toLowY, toHighY))
  exit = f32x4.pmin(exit, f32x4.pmax(toLowY, toHighY))
  const z = v128.load(quad, 32)
  const inverseZ = v128.load(quad, QUAD_INVERSE + 32)
  const toLowZ = f32x4.mul(f32x4.sub(lowZ, z), inverseZ)
  const toHighZ = f32x4.mul(f32x4.sub(highZ, z), inverseZ)
  entry = f32x4.pmax(entry, f32x4.pmin(toLowZ, toHighZ))
  exit = f32x4.pmin(exit, f32x4.pmax(toLowZ, toHighZ))
  return i32x4.bitmask(f32x4.le(entry, f32x4.mul(exit, f32x4.splat(BOX_SLACK))))
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
