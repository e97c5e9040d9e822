/**
 * Camera rays of a block of pixels. Pixels are generated square by square, within a square in Morton order, with all requested
 * samples of a pixel together: consecutive rays are close to each other, whatever the number of samples.
 *
 * A block is a rectangle, its pixels numbered row by row, or a list of squares with a bit for each requested pixel, numbered in
 * the order of the list.
 */
import {
  LISTED_BYTES,
  LISTED_PIXELS,
  LISTED_X,
  LISTED_Y,
  RAY_BYTES,
  RAY_DIRECTION,
  RAY_ORIGIN,
  VIEW_BACK,
  VIEW_FAR,
  VIEW_NEAR,
  VIEW_ORIGIN,
  VIEW_RIGHT,
  VIEW_TAN_HALF_X,
  VIEW_UP,
  VIEW_WIDTH,
} from '../layout'
import { curve, fromSample, listed, PIXEL_BITS, QUEUE_RAYS, samples, samplesTable, takenSamples, view } from './workspace'
import { add, div, mul, sub } from './lanes'
import { pathRays, RAY_SEQUENCE, RAY_TAG, setPathCount } from './paths'
import { curveAtSquare, hilbertIndex, SQUARE } from './sampling'

/** The tag of a camera ray of pixel 0: path 1. */
const CAMERA_TAG: u32 = 1 << PIXEL_BITS
/** Pixels of a square in its first column (indices without bits 0, 2 and 4), and in its first row. */
const FIRST_COLUMN: u64 = 0x0000050500000505
const FIRST_ROW: u64 = 0x0000000000330033

// The rectangle; unused for a list.
let left: u32 = 0
let top: u32 = 0
let width: u32 = 0
let height: u32 = 0
// The list: its next square, and its end.
let nextListed: u32 = 0
let listEnd: u32 = 0
// The current square, its pixels still to be generated, and for a list the number of the next one.
let squareX: u32 = 0
let squareY: u32 = 0
let squareCurve: u32 = 0
let waiting: u64 = 0
let turn: u32 = 0

/** Begins with the block of w × h pixels at (x, y) of the frame. */
export function startBlock(x: u32, y: u32, w: u32, h: u32): void {
  left = x
  top = y
  width = w
  height = h
  listEnd = 0
  // Begin one square before the first.
  squareX = (x & ~(SQUARE - 1)) - SQUARE
  squareY = y & ~(SQUARE - 1)
  waiting = 0
}

/** Begins with the first `squares` of the list. */
export function startListed(squares: u32): void {
  nextListed = listed
  listEnd = listed + squares * LISTED_BYTES
  turn = 0
  waiting = 0
}

/** Fills the queue of camera rays with the next pixels; returns the number of rays, 0 at the end of the block. */
export function fillCamera(): u32 {
  const near = <f32>load<f64>(view, VIEW_NEAR)
  const originXy = f32x4.demote_f64x2_zero(v128.load(view, VIEW_ORIGIN))
  const originZ = f32x4.demote_f64x2_zero(v128.load(view, VIEW_ORIGIN + 16))
  const origin = v128.shuffle<f32>(originXy, f32x4.replace_lane(originZ, 1, near), 0, 1, 4, 5)
  const far = <f32>load<f64>(view, VIEW_FAR)
  // Lane 0: across, lane 1: down. The reference engine subtracts in the opposite order for the latter, with the same bits.
  const size = f64x2.convert_low_i32x4_u(v128.load64_zero(view + VIEW_WIDTH))
  const tanHalf = mul(v128.load(view, VIEW_TAN_HALF_X), f64x2(1, -1))
  let ray = pathRays(0)
  let count: u32 = 0
  while (count + takenSamples <= QUEUE_RAYS) {
    if (waiting == 0 && !nextSquare()) break
    const place = <u32>ctz(waiting)
    waiting &= waiting - 1
    // The bits of `place` alternate between x and y.
    const column = evenBits(place)
    const row = evenBits(place >> 1)
    const x = squareX + column
    const y = squareY + row
    const pixel = listEnd != 0 ? turn++ : (y - top) * width + (x - left)

    const corner = f64x2.replace_lane(f64x2.splat(<f64>x), 1, <f64>y)
    const tag = CAMERA_TAG | pixel
    const sequence = hilbertIndex(curve, squareCurve, column, row) * samples
    for (let sample = fromSample; sample < fromSample + takenSamples; sample++) {
      const at = samplesTable + sample * 16
      const place = mul(f64x2.splat(2), add(corner, v128.load(at)))
      const uv = mul(sub(div(place, size), f64x2.splat(1)), tanHalf)
      const u = v128.shuffle<f64>(uv, uv, 0, 0)
      const v = v128.shuffle<f64>(uv, uv, 1, 1)
      const xy = along(u, v, 0)
      const z = along(u, v, 16)
      v128.store(ray, origin, RAY_ORIGIN)
      v128.store(ray, v128.shuffle<f32>(xy, f32x4.replace_lane(z, 1, far), 0, 1, 4, 5), RAY_DIRECTION)
      store<u32>(ray, tag, RAY_TAG)
      store<u32>(ray, sequence + sample, RAY_SEQUENCE)
      ray += RAY_BYTES
    }
    count += takenSamples
  }
  setPathCount(0, count)
  return count
}

/**
 * Two coordinates of a camera ray's direction, as floats in lanes 0 and 1: those at `offset` in a vector of the view
 * block.
 */
@inline
function along(u: v128, v: v128, offset: u32): v128 {
  const block = view + offset
  const across = add(mul(v128.load(block, VIEW_RIGHT), u), mul(v128.load(block, VIEW_UP), v))
  return f32x4.demote_f64x2_zero(sub(across, v128.load(block, VIEW_BACK)))
}

/** Advances to the next square that has pixels; false at the end of the block. */
function nextSquare(): bool {
  if (listEnd != 0) {
    do {
      if (nextListed == listEnd) return false
      waiting = load<u64>(nextListed, LISTED_PIXELS)
      nextListed += LISTED_BYTES
    } while (waiting == 0)
    squareX = load<u32>(nextListed - LISTED_BYTES, LISTED_X)
    squareY = load<u32>(nextListed - LISTED_BYTES, LISTED_Y)
  } else {
    squareX += SQUARE
    if (<i32>(squareX - left - width) >= 0) {
      squareX = left & ~(SQUARE - 1)
      squareY += SQUARE
    }
    if (squareY >= top + height) return false
    const columns = between(FIRST_COLUMN, 0, left, left + width, squareX)
    waiting = columns & between(FIRST_ROW, 1, top, top + height, squareY)
  }
  squareCurve = curveAtSquare(squareX, squareY)
  return true
}

/**
 * Pixels of a square that begins at `corner` whose column (or row) lies in [from, to); `first` is the mask of its first column
 * (or row), and `shift` is 0 for columns and 1 for rows.
 */
function between(first: u64, shift: u32, from: u32, to: u32, corner: u32): u64 {
  if (from <= corner && corner + SQUARE <= to) return ~(<u64>0)
  let pixels: u64 = 0
  for (let i: u32 = 0; i < SQUARE; i++) {
    if (corner + i < from || corner + i >= to) continue
    const place = (i & 1) | ((i & 2) << 1) | ((i & 4) << 2)
    pixels |= first << (place << shift)
  }
  return pixels
}

/** Bits 0, 2 and 4, compacted. */
@inline
function evenBits(bits: u32): u32 {
  return (bits & 1) | ((bits >> 1) & 2) | ((bits >> 2) & 4)
}
