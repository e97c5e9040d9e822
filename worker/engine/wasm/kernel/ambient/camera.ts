/**
 * Camera rays of a block of pixels for the ambient integrator: sample after sample of pixel after pixel, so that consecutive rays are
 * close to each other whatever the number of samples. In single precision: the path tracer, which has lenses and filters,
 * computes its own in doubles (`path/camera.ts`), and the bytes of frames depend on both.
 */
import { Ray, View, ViewFlag } from '../records'
import { add, mul, splat, sub } from '../surface/math/floats'
import { nextPixel, pixelCurve, pixelNumber, pixelX, pixelY } from '../surface/pixel-order'
import { fromSample, PIXEL_BITS, samples, takenSamples, view } from '../surface/workspace'
import { pathRays, setPathCount } from './paths'
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
  const width = View.width(view)
  const height = View.height(view)
  const parallel = (View.flags(view) & ViewFlag.ORTHOGRAPHIC) != 0
  // Of the picture's points, whose coordinates are pixels from its middle to the right and down. The last lanes are tMin and tMax.
  const across = scaled(View.rightLow(view), View.rightZ(view), (2 * View.tanHalfX(view)) / <f64>width)
  const down = scaled(View.upLow(view), View.upZ(view), (-2 * View.tanHalfY(view)) / <f64>height)
  const eye = f32x4.replace_lane(scaled(View.originLow(view), View.originZ(view), 1), 3, <f32>View.near(view))
  const ahead = f32x4.replace_lane(scaled(View.backLow(view), View.backZ(view), -1), 3, <f32>View.far(view))
  const middle = f32x4.replace_lane(splat(0.5 * <f32>width), 1, 0.5 * <f32>height)
  const rays = pathRays(0)
  const end = rays + room * Ray.BYTES
  let ray = rays
  startedBefore = left
  // With one sample to a pixel, as in films, a loop over its samples would cost as much as they do.
  if (takenSamples == 1) {
    const inPixel = samplePlace(fromSample)
    for (; ray < end && nextPixel(); ray += Ray.BYTES) {
      writeCamera(ray, add(sub(pixelCorner(), middle), inPixel), across, down, eye, ahead, parallel)
      Ray.setTag(ray, CAMERA_TAG | pixelNumber)
      Ray.setSequence(ray, pixelCurve() * samples + fromSample)
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
      const beyond = first + min(left, (end - ray) / Ray.BYTES)
      left -= beyond - first
      for (let sample = first; sample < beyond; sample++, ray += Ray.BYTES) {
        writeCamera(ray, add(corner, samplePlace(sample)), across, down, eye, ahead, parallel)
        Ray.setTag(ray, CAMERA_TAG | pixelNumber)
        Ray.setSequence(ray, sequence + sample)
      }
    }
  }
  const count = (ray - rays) / Ray.BYTES
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
  Ray.setOrigin(ray, parallel ? add(eye, aside) : eye)
  Ray.setDirection(ray, parallel ? ahead : add(ahead, aside))
}

/** A vector of the view block times a factor, as three floats and a zero. */
@inline
function scaled(xy: v128, z: f64, by: f64): v128 {
  const across = f64x2.mul(xy, f64x2.splat(by))
  const along = f64x2.splat(z * by)
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(across), f32x4.demote_f64x2_zero(along), 0, 1, 4, 6)
}
