/** Bundles at triangle4s: which of their rays have to be tested, and collecting the results. */
import { CHILD_TRIANGLE4, TRIANGLE4_CORNER } from '../layout'
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

/** Makes a triangle4's box at least as wide as the builder's boxes of its triangles. */
const SIDE_WIDENING: f32 = 1.0 / 524288.0

/** Lists at `rays` the rays of the listed bundles that may hit their triangle4; returns the list's end. */
export function openTriangle4s(list: u32, end: u32, rays: u32): u32 {
  for (; list < end; list += 4) {
    const bundle = load<u32>(list)
    const child = load<u32>(bundle, CURRENT)
    const triangle4 = child - CHILD_TRIANGLE4
    let lowX = leastCorner(triangle4)
    let lowY = leastCorner(triangle4 + 16)
    let lowZ = leastCorner(triangle4 + 32)
    let highX = greatestCorner(triangle4)
    let highY = greatestCorner(triangle4 + 16)
    let highZ = greatestCorner(triangle4 + 32)
    const side = f32x4.pmax(f32x4.sub(highX, lowX), f32x4.pmax(f32x4.sub(highY, lowY), f32x4.sub(highZ, lowZ)))
    const wider = f32x4.mul(side, f32x4.splat(SIDE_WIDENING))
    lowX = f32x4.sub(lowX, wider)
    lowY = f32x4.sub(lowY, wider)
    lowZ = f32x4.sub(lowZ, wider)
    highX = f32x4.add(highX, wider)
    highY = f32x4.add(highY, wider)
    highZ = f32x4.add(highZ, wider)
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

/** The minimum of one coordinate over a triangle4's corners, in all lanes. */
@inline
function leastCorner(coordinates: u32): v128 {
  const ab = f32x4.pmin(v128.load(coordinates), v128.load(coordinates, TRIANGLE4_CORNER))
  const abc = f32x4.pmin(ab, v128.load(coordinates, 2 * TRIANGLE4_CORNER))
  const pairs = f32x4.pmin(abc, i32x4.shuffle(abc, abc, 2, 3, 0, 1))
  return f32x4.pmin(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2))
}

@inline
function greatestCorner(coordinates: u32): v128 {
  const ab = f32x4.pmax(v128.load(coordinates), v128.load(coordinates, TRIANGLE4_CORNER))
  const abc = f32x4.pmax(ab, v128.load(coordinates, 2 * TRIANGLE4_CORNER))
  const pairs = f32x4.pmax(abc, i32x4.shuffle(abc, abc, 2, 3, 0, 1))
  return f32x4.pmax(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2))
}
