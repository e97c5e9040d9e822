/**
 * Camera rays for the path tracer: a sample's place under the pixel filter and on the lens come from its first set of numbers. Sample
 * after sample of pixel after pixel, as many as fit a queue.
 */
import { CameraSample, Drawn, View, ViewFlag } from '../records'
import { packedCone } from '../surface/cone'
import { logarithm } from '../surface/math/exponential'
import { cosTurns, onCircle, sinTurns } from '../surface/math/trig'
import { nextPixel, pixelNumber, pixelX, pixelY } from '../surface/pixel-order'
import { coneSpread, coneWidth, frame, fromSample, hasFeatures, QUEUE_RAYS, takenSamples, view } from '../surface/workspace'
import { beginGaze, gazeOf } from './gaze'
import { indexOf, innermost, mediaOfCamera } from './media'
import { drawPair, firstNumber, four, mirrored, patchSeed } from './sampler'
import { appendRay, countOf, setState, stateOf } from './state'
import { cameraSamples, drawn, sampleBits } from './workspace'

/** Standard deviation of the Gaussian filter along each axis, px; it ends at three of them, within which this share of it lies. */
const SIGMA: f64 = 0.5
const WITHIN: f64 = 0.9973002039367398

/** Samples of the current pixel that are still to come, the seed of its patch, and the number of its first sample. */
let left: u32 = 0
let seed: u32 = 0
let first: u32 = 0
/** What the camera is in, and the weight of what it sees there: as through a window, so that it is as bright as in air. */
let media: u32 = 0
let weight: f64 = 1

export function startCamera(): void {
  left = 0
  media = mediaOfCamera()
  const index = indexOf(innermost(media))
  weight = 1 / (index * index)
}

/** Appends camera rays to a queue until it has `room` rays or the block ends. Their numbers are drawn for four at a time. */
export function appendCamera(queue: u32, room: u32): void {
  const flags = View.flags(view)
  const most = min(room, QUEUE_RAYS)
  while (countOf(queue) < most) {
    const end = listSamples(min<u32>(4, most - countOf(queue)))
    if (end == cameraSamples) return
    drawSamples()
    for (let sample = cameraSamples, numbers = drawn; sample < end; sample += CameraSample.BYTES, numbers += Drawn.BYTES)
      appendSample(queue, sample, numbers, flags)
  }
}

/** Lists the next samples of the block, so many if there are, and returns the list's end. */
function listSamples(count: u32): u32 {
  const end = cameraSamples + count * CameraSample.BYTES
  let sample = cameraSamples
  for (; sample < end; sample += CameraSample.BYTES) {
    if (left == 0) {
      if (!nextPixel()) break
      left = takenSamples
      seed = patchSeed(pixelX, pixelY, frame)
      first = firstNumber(pixelX, pixelY, sampleBits)
    }
    CameraSample.setX(sample, pixelX)
    CameraSample.setY(sample, pixelY)
    CameraSample.setPixel(sample, pixelNumber)
    CameraSample.setNumber(sample, first + fromSample + takenSamples - left)
    CameraSample.setSeed(sample, seed)
    left--
  }
  return sample
}

/** Draws for the four samples of the list; those behind its end are earlier ones. */
function drawSamples(): void {
  const a = cameraSamples
  const b = a + CameraSample.BYTES
  const c = b + CameraSample.BYTES
  const d = c + CameraSample.BYTES
  const seeds = four(CameraSample.seed(a), CameraSample.seed(b), CameraSample.seed(c), CameraSample.seed(d))
  const numbers = mirrored(four(CameraSample.number(a), CameraSample.number(b), CameraSample.number(c), CameraSample.number(d)))
  drawPair(drawn, 0, seeds, i32x4.splat(0), numbers)
  if (View.lensRadius(view) > 0) drawPair(drawn, 1, seeds, i32x4.splat(0), numbers)
}

function appendSample(queue: u32, sample: u32, drawn: u32, flags: u32): void {
  place(Drawn.filterU(drawn), Drawn.filterV(drawn), flags)
  const u = (2 * (<f64>CameraSample.x(sample) + placeX)) / <f64>View.width(view) - 1
  const v = 1 - (2 * (<f64>CameraSample.y(sample) + placeY)) / <f64>View.height(view)
  const across = u * View.tanHalfX(view)
  const along = v * View.tanHalfY(view)
  let ox = View.originX(view)
  let oy = View.originY(view)
  let oz = View.originZ(view)
  let dx = -View.backX(view)
  let dy = -View.backY(view)
  let dz = -View.backZ(view)
  const spreadX = across * View.rightX(view) + along * View.upX(view)
  const spreadY = across * View.rightY(view) + along * View.upY(view)
  const spreadZ = across * View.rightZ(view) + along * View.upZ(view)
  if ((flags & ViewFlag.ORTHOGRAPHIC) != 0) {
    ox += spreadX
    oy += spreadY
    oz += spreadZ
  } else {
    dx += spreadX
    dy += spreadY
    dz += spreadZ
  }
  const radius = View.lensRadius(view)
  if (radius > 0) {
    // From a point of the lens to the point in focus, so that t stays camera depth.
    onLens(Drawn.lensU(drawn), Drawn.lensV(drawn))
    const focus = View.lensFocus(view)
    const shiftX = radius * (lensX * View.rightX(view) + lensY * View.upX(view))
    const shiftY = radius * (lensX * View.rightY(view) + lensY * View.upY(view))
    const shiftZ = radius * (lensX * View.rightZ(view) + lensY * View.upZ(view))
    ox += shiftX
    oy += shiftY
    oz += shiftZ
    dx -= shiftX / focus
    dy -= shiftY / focus
    dz -= shiftZ / focus
  }
  const near = View.near(view)
  const far = View.far(view)
  const ray = appendRay(queue, ox, oy, oz, near, dx, dy, dz, far, CameraSample.pixel(sample), CameraSample.number(sample))
  if (hasFeatures) beginGaze(gazeOf(queue, ray))
  setState(stateOf(queue, ray), weight, weight, weight, 0, 0, 0, media, CameraSample.seed(sample), packedCone(coneWidth, coneSpread))
}

/** Place of a sample relative to its pixel's corner, px. */
let placeX: f64 = 0
let placeY: f64 = 0

function place(u: f64, v: f64, flags: u32): void {
  const gaussian = (flags & ViewFlag.GAUSSIAN) != 0
  placeX = gaussian ? 0.5 + spread(u) : u
  placeY = gaussian ? 0.5 + spread(v) : v
}

/** Offset by the Gaussian filter, px: the inverse of its cumulative distribution. */
function spread(u: f64): f64 {
  return SIGMA * Math.SQRT2 * inverseErf(WITHIN * (2 * u - 1))
}

/** Giles, "Approximating the erfinv Function", GPU Computing Gems, 2011: within 3e-7. */
function inverseErf(x: f64): f64 {
  let w = -logarithm((1 - x) * (1 + x))
  let p: f64
  if (w < 5) {
    w -= 2.5
    p = 2.81022636e-8
    p = 3.43273939e-7 + p * w
    p = -3.5233877e-6 + p * w
    p = -4.39150654e-6 + p * w
    p = 0.00021858087 + p * w
    p = -0.00125372503 + p * w
    p = -0.00417768164 + p * w
    p = 0.246640727 + p * w
    p = 1.50140941 + p * w
  } else {
    w = sqrt<f64>(w) - 3
    p = -0.000200214257
    p = 0.000100950558 + p * w
    p = 0.00134934322 + p * w
    p = -0.00367342844 + p * w
    p = 0.00573950773 + p * w
    p = -0.0076224613 + p * w
    p = 0.00943887047 + p * w
    p = 1.00167406 + p * w
    p = 2.83297682 + p * w
  }
  return p * x
}

/** A point of the unit lens. */
let lensX: f64 = 0
let lensY: f64 = 0

function onLens(u: f64, v: f64): void {
  const blades = View.lensBlades(view)
  const turn = View.lensRotation(view)
  if (blades == 0) {
    const radius = sqrt<f64>(v)
    const circle = onCircle(u)
    lensX = radius * f64x2.extract_lane(circle, 0)
    lensY = radius * f64x2.extract_lane(circle, 1)
    return
  }
  // One of the triangles between the middle and two corners, and a point in it.
  const at = u * <f64>blades
  const blade = floor<f64>(at)
  const angles = f64x2.replace_lane(f64x2.splat(corner(blade, blades, turn)), 1, corner(blade + 1, blades, turn))
  const cosines = cosTurns(angles)
  const sines = sinTurns(angles)
  const radius = sqrt<f64>(v)
  const b = radius * (at - blade)
  const a = radius - b
  lensX = a * f64x2.extract_lane(cosines, 0) + b * f64x2.extract_lane(cosines, 1)
  lensY = a * f64x2.extract_lane(sines, 0) + b * f64x2.extract_lane(sines, 1)
}

/** Angle of a corner of the aperture in [0, 1] turns. */
@inline
function corner(blade: f64, blades: u32, turn: f64): f64 {
  const angle = blade / <f64>blades + turn
  return angle - floor<f64>(angle)
}
