/**
 * Camera rays of a block of pixels for the ambient integrator: sample after sample of pixel after pixel, so that consecutive rays are
 * close to each other whatever the number of samples. In single precision: the path tracer, which has lenses and filters,
 * computes its own in doubles (`path/camera.ts`), and the bytes of frames depend on both.
 */
import {
  FLAG_ORTHOGRAPHIC,
  RAY_BYTES,
  RAY_DIRECTION,
  RAY_ORIGIN,
  VIEW_BACK,
  VIEW_FAR,
  VIEW_FLAGS,
  VIEW_HEIGHT,
  VIEW_NEAR,
  VIEW_ORIGIN,
  VIEW_RIGHT,
  VIEW_TAN_HALF_X,
  VIEW_TAN_HALF_Y,
  VIEW_UP,
  VIEW_WIDTH,
} from '../layout'
import { add, mul, splat, sub } from '../surface/math/floats'
import { nextPixel, pixelCurve, pixelNumber, pixelX, pixelY } from '../surface/pixel-order'
import { fromSample, PIXEL_BITS, samples, takenSamples, view } from '../surface/workspace'
import { pathRays, RAY_SEQUENCE, RAY_TAG, setPathCount } from './paths'
import { samplesTable } from './workspace'

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
  const width = load<u32>(view, VIEW_WIDTH)
  const height = load<u32>(view, VIEW_HEIGHT)
  const parallel = (load<u32>(view, VIEW_FLAGS) & FLAG_ORTHOGRAPHIC) != 0
  // Of the picture's points, whose coordinates are pixels from its middle to the right and down. The last lanes are tMin and tMax.
  const across = scaled(VIEW_RIGHT, (2 * load<f64>(view, VIEW_TAN_HALF_X)) / <f64>width)
  const down = scaled(VIEW_UP, (-2 * load<f64>(view, VIEW_TAN_HALF_Y)) / <f64>height)
  const eye = f32x4.replace_lane(scaled(VIEW_ORIGIN, 1), 3, <f32>load<f64>(view, VIEW_NEAR))
  const ahead = f32x4.replace_lane(scaled(VIEW_BACK, -1), 3, <f32>load<f64>(view, VIEW_FAR))
  const middle = f32x4.replace_lane(splat(0.5 * <f32>width), 1, 0.5 * <f32>height)
  const rays = pathRays(0)
  const end = rays + room * RAY_BYTES
  let ray = rays
  startedBefore = left
  // With one sample to a pixel, as in films, a loop over its samples would cost as much as they do.
  if (takenSamples == 1) {
    const inPixel = samplePlace(fromSample)
    for (; ray < end && nextPixel(); ray += RAY_BYTES) {
      writeCamera(ray, add(sub(pixelCorner(), middle), inPixel), across, down, eye, ahead, parallel)
      store<u32>(ray, CAMERA_TAG | pixelNumber, RAY_TAG)
      store<u32>(ray, pixelCurve() * samples + fromSample, RAY_SEQUENCE)
    }
  } else {
    while (ray < end) {
      if (left == 0) {
        if (!nextPixel()) break
        left = takenSamples
      }
      const corner = sub(pixelCorner(), middle)
      const sequence = pixelCurve() * samples
      const first = fromSample + takenSamples - left
      const beyond = first + min(left, (end - ray) / RAY_BYTES)
      left -= beyond - first
      for (let sample = first; sample < beyond; sample++, ray += RAY_BYTES) {
        writeCamera(ray, add(corner, samplePlace(sample)), across, down, eye, ahead, parallel)
        store<u32>(ray, CAMERA_TAG | pixelNumber, RAY_TAG)
        store<u32>(ray, sequence + sample, RAY_SEQUENCE)
      }
    }
  }
  const count = (ray - rays) / RAY_BYTES
  setPathCount(0, count)
  return count
}

/** Place of a sample in its pixel, px. */
@inline
function samplePlace(sample: u32): v128 {
  return f32x4.demote_f64x2_zero(v128.load(samplesTable + sample * 16))
}

/** Upper left corner of the newest pixel, px. */
@inline
function pixelCorner(): v128 {
  return f32x4.replace_lane(splat(<f32>pixelX), 1, <f32>pixelY)
}

/** Writes origin and direction of the ray through a place, given relative to the picture's middle. */
@inline
function writeCamera(ray: u32, place: v128, across: v128, down: v128, eye: v128, ahead: v128, parallel: bool): void {
  const x = v128.shuffle<f32>(place, place, 0, 0, 0, 0)
  const y = v128.shuffle<f32>(place, place, 1, 1, 1, 1)
  const aside = add(mul(x, across), mul(y, down))
  v128.store(ray, parallel ? add(eye, aside) : eye, RAY_ORIGIN)
  v128.store(ray, parallel ? ahead : add(ahead, aside), RAY_DIRECTION)
}

/** A vector of the view block times a factor, as three floats and a zero. */
@inline
function scaled(offset: u32, by: f64): v128 {
  const xy = f64x2.mul(v128.load(view + offset), f64x2.splat(by))
  const z = f64x2.splat(load<f64>(view + offset, 16) * by)
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(z), 0, 1, 4, 6)
}
