/**
 * Camera rays of a block of pixels. The pixels come in squares of the frame, in each in Morton's order, and all samples
 * of a pixel together: rays that follow each other lie near each other, whatever the number of samples.
 */
import {
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
import { curve, PIXEL_BITS, QUEUE_RAYS, samples, samplesTable, view } from './area'
import { add, div, mul, sub } from './lanes'
import { pathRays, RAY_SEQUENCE, RAY_TAG, setPathCount } from './paths'
import { curveAtSquare, hilbertIndex, SQUARE } from './sampling'

const SQUARE_PIXELS: u32 = SQUARE * SQUARE
/** The tag of a camera ray of pixel 0: path 1. */
const CAMERA_TAG: u32 = 1 << PIXEL_BITS

// The block, and the square and the pixel in it that come next.
let left: u32 = 0
let top: u32 = 0
let width: u32 = 0
let height: u32 = 0
let squareX: u32 = 0
let squareY: u32 = 0
let squareCurve: u32 = 0
let place: u32 = 0

/** Begins with the block of w × h pixels at (x, y) of the frame. */
export function startCamera(x: u32, y: u32, w: u32, h: u32): void {
  left = x
  top = y
  width = w
  height = h
  squareX = x & ~(SQUARE - 1)
  squareY = y & ~(SQUARE - 1)
  squareCurve = curveAtSquare(squareX, squareY)
  place = 0
}

/** Fills the queue of camera rays with the next pixels; gives the rays' number, 0 at the end of the block. */
export function fillCamera(): u32 {
  const near = <f32>load<f64>(view, VIEW_NEAR)
  const originXy = f32x4.demote_f64x2_zero(v128.load(view, VIEW_ORIGIN))
  const originZ = f32x4.demote_f64x2_zero(v128.load(view, VIEW_ORIGIN + 16))
  const origin = v128.shuffle<f32>(originXy, f32x4.replace_lane(originZ, 1, near), 0, 1, 4, 5)
  const far = <f32>load<f64>(view, VIEW_FAR)
  // Lane 0: across, lane 1: down. The reference engine subtracts the other way round going down, with the same bits.
  const size = f64x2.convert_low_i32x4_u(v128.load64_zero(view + VIEW_WIDTH))
  const tanHalf = mul(v128.load(view, VIEW_TAN_HALF_X), f64x2(1, -1))
  let ray = pathRays(0)
  let count: u32 = 0
  while (squareY < top + height && count + samples <= QUEUE_RAYS) {
    // Bits of the place in turn to x and y.
    const column = evenBits(place)
    const row = evenBits(place >> 1)
    const x = squareX + column
    const y = squareY + row
    const square = squareCurve
    if (++place == SQUARE_PIXELS) nextSquare()
    if (x - left >= width || y - top >= height) continue

    const corner = f64x2.replace_lane(f64x2.splat(<f64>x), 1, <f64>y)
    const tag = CAMERA_TAG | ((y - top) * width + (x - left))
    const sequence = hilbertIndex(curve, square, column, row) * samples
    for (let sample: u32 = 0; sample < samples; sample++) {
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
    count += samples
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

function nextSquare(): void {
  place = 0
  squareX += SQUARE
  if (squareX >= left + width) {
    squareX = left & ~(SQUARE - 1)
    squareY += SQUARE
  }
  squareCurve = curveAtSquare(squareX, squareY)
}

/** Bits 0, 2 and 4. */
@inline
function evenBits(bits: u32): u32 {
  return (bits & 1) | ((bits >> 1) & 2) | ((bits >> 2) & 4)
}
