/**
 * Camera rays of a block of pixels for the ambient integrator: sample after sample of pixel after pixel, so that consecutive rays are
 * close to each other whatever the number of samples.
 */
import {
  FLAG_ORTHOGRAPHIC,
  RAY_BYTES,
  RAY_DIRECTION,
  RAY_ORIGIN,
  VIEW_BACK,
  VIEW_FAR,
  VIEW_FLAGS,
  VIEW_NEAR,
  VIEW_ORIGIN,
  VIEW_RIGHT,
  VIEW_TAN_HALF_X,
  VIEW_UP,
  VIEW_WIDTH,
} from '../layout'
import { add, div, mul, sub } from './lanes'
import { pathRays, RAY_SEQUENCE, RAY_TAG, setPathCount } from './paths'
import { nextPixel, pixelCurve, pixelNumber, pixelX, pixelY } from './pixel-order'
import { fromSample, PIXEL_BITS, samples, samplesTable, takenSamples, view } from './workspace'

/** The tag of a camera ray of pixel 0: path 1. */
const CAMERA_TAG: u32 = 1 << PIXEL_BITS

/** Samples of the newest pixel that are still to come. */
let left: u32 = 0

export function startCamera(): void {
  left = 0
}

/** How many rays of the queue precede the first one that begins a pixel; from there on every `takenSamples`-th does. */
export let startedBefore: u32 = 0

/** Fills the queue of camera rays with the next `room` rays; returns their number, less than that at the end of the block. */
export function fillCamera(room: u32): u32 {
  const near = <f32>load<f64>(view, VIEW_NEAR)
  const originXy = f32x4.demote_f64x2_zero(v128.load(view, VIEW_ORIGIN))
  const originZ = f32x4.demote_f64x2_zero(v128.load(view, VIEW_ORIGIN + 16))
  const eye = v128.shuffle<f32>(originXy, f32x4.replace_lane(originZ, 1, near), 0, 1, 4, 5)
  const parallel = (load<u32>(view, VIEW_FLAGS) & FLAG_ORTHOGRAPHIC) != 0
  const far = <f32>load<f64>(view, VIEW_FAR)
  // Lane 0: across, lane 1: down.
  const size = f64x2.convert_low_i32x4_u(v128.load64_zero(view + VIEW_WIDTH))
  const tanHalf = mul(v128.load(view, VIEW_TAN_HALF_X), f64x2(1, -1))
  let ray = pathRays(0)
  let count: u32 = 0
  startedBefore = left
  while (count < room) {
    if (left == 0) {
      if (!nextPixel()) break
      left = takenSamples
    }
    const corner = f64x2.replace_lane(f64x2.splat(<f64>pixelX), 1, <f64>pixelY)
    const tag = CAMERA_TAG | pixelNumber
    const sequence = pixelCurve() * samples
    const taken = min(left, room - count)
    const first = fromSample + takenSamples - left
    for (let sample = first; sample < first + taken; sample++) {
      const at = samplesTable + sample * 16
      const place = mul(f64x2.splat(2), add(corner, v128.load(at)))
      const uv = mul(sub(div(place, size), f64x2.splat(1)), tanHalf)
      const u = v128.shuffle<f64>(uv, uv, 0, 0)
      const v = v128.shuffle<f64>(uv, uv, 1, 1)
      const xy = direction(u, v, 0, parallel)
      const z = direction(u, v, 16, parallel)
      v128.store(ray, parallel ? beside(u, v, near) : eye, RAY_ORIGIN)
      v128.store(ray, v128.shuffle<f32>(xy, f32x4.replace_lane(z, 1, far), 0, 1, 4, 5), RAY_DIRECTION)
      store<u32>(ray, tag, RAY_TAG)
      store<u32>(ray, sequence + sample, RAY_SEQUENCE)
      ray += RAY_BYTES
    }
    count += taken
    left -= taken
  }
  setPathCount(0, count)
  return count
}

/** Two coordinates of the way from the picture's middle to a point of it: those at `offset` in a vector of the view block. */
@inline
function aside(u: v128, v: v128, offset: u32): v128 {
  const block = view + offset
  return add(mul(v128.load(block, VIEW_RIGHT), u), mul(v128.load(block, VIEW_UP), v))
}

/** The same of a camera ray's direction, as floats in lanes 0 and 1. */
@inline
function direction(u: v128, v: v128, offset: u32, parallel: bool): v128 {
  const across = parallel ? f64x2.splat(0) : aside(u, v, offset)
  return f32x4.demote_f64x2_zero(sub(across, v128.load(view + offset, VIEW_BACK)))
}

/** Origin of a ray of an orthographic camera, and tMin. */
function beside(u: v128, v: v128, near: f32): v128 {
  const xy = f32x4.demote_f64x2_zero(add(v128.load(view, VIEW_ORIGIN), aside(u, v, 0)))
  const z = f32x4.demote_f64x2_zero(add(v128.load(view, VIEW_ORIGIN + 16), aside(u, v, 16)))
  return v128.shuffle<f32>(xy, f32x4.replace_lane(z, 1, near), 0, 1, 4, 5)
}
