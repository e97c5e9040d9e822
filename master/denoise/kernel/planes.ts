/**
 * Memory: planes of floats, one for each value of a pixel, over a rectangle with its margins. Rows are padded, so that loads of four pixels
 * may start at any pixel and end behind the last.
 */

/** What the host writes. Each name is the number of a first plane. */
export const LIGHT: i32 = 0 // 2 halves × red, green, blue
export const HALF_FEATURES: i32 = 6 // 2 halves × FEATURES
/** Samples of a pixel. */
export const SAMPLES: i32 = 20
/** 1 inside the picture, 0 beyond its edges. */
export const INSIDE: i32 = 21
/** What the host reads: red, green, blue. */
export const DENOISED: i32 = 22
/** What the host reads where errors are asked for: estimated square errors of DENOISED, means over red, green and blue. */
export const SQUARE_ERROR: i32 = 54

/** Light without outliers, of each half. */
export const CAPPED: i32 = 25
/** The mean of both. */
export const MEAN: i32 = 31
/** Square roots of CAPPED, in which patches are compared: the noise of bright and of dark pixels is less different there. */
export const GUIDE: i32 = 34
/** Variance of a half's guide, all colours together. */
export const NOISE: i32 = 40
/** Sums of weighted predictions, of each half: red, green, blue, and the weights. */
export const PREDICTED: i32 = 41
/** Of the grid's centres alone, for each half. */
export const REACH: i32 = 49
export const ERROR: i32 = 51
export const ERROR_SQUARES: i32 = 52
export const VARIANCE: i32 = 53
/**
 * Squares of what is known of four errors (`error.ts`), all colours together: what predictions are wrong, half the difference of both, the noise of
 * the pixel, and how far predictions moved it.
 */
export const WRONG: i32 = 55
export const SPREAD: i32 = 56
export const NOISY: i32 = 57
export const MOVED: i32 = 58
/** Light that was cut off as outliers, all colours together. */
export const LOST: i32 = 59
/** Features without the noise that can be told from their halves. */
export const FEATURE_MEANS: i32 = 60
/** Of patches of features, and the sum of weights that come of it. */
export const DISTANCE: i32 = 67
export const WEIGHTS: i32 = 68
const SCRATCH: i32 = 69
const PLANES: i32 = 70

/** Floats behind a row: the longest vector load begins at its last pixel. */
const SLACK: i32 = 20

export let width: i32 = 0
export let height: i32 = 0
/** Floats from row to row. */
export let stride: i32 = 0
/** Bytes from plane to plane. */
export let planeBytes: i32 = 0
let first: usize = 0

/** Makes room for a rectangle, margins included. Returns where the first plane is. */
export function layOut(w: i32, h: i32): usize {
  width = w
  height = h
  stride = ((w + 3) & ~3) + SLACK
  // Two more rows, because loads around the last pixel of a plane are past its end.
  planeBytes = (stride * (h + 2) * 4 + 63) & ~63
  first = (__heap_base + 63) & ~63
  const pages = <i32>((first + PLANES * planeBytes + 65535) >> 16)
  if (pages > memory.size()) memory.grow(pages - memory.size())
  return first
}

@inline
export function at(plane: i32, x: i32, y: i32): usize {
  return first + plane * planeBytes + ((y * stride + x) << 2)
}

@inline
export function clear(plane: i32): void {
  memory.fill(at(plane, 0, 0), 0, planeBytes)
}

/**
 * Replaces a plane by means over squares. Sums are made anew for each pixel: a running sum would depend on where the rectangle starts. Within
 * `radius` of its edges nothing is written that means anything.
 */
export function blur(plane: i32, radius: i32): void {
  const side = <f32>radius * 2 + 1
  for (let y = 0; y < height; y++)
    for (let x = radius; x < width - radius; x += 4) {
      let sum = f32x4.splat(0)
      for (let i = -radius; i <= radius; i++) sum = f32x4.add(sum, v128.load(at(plane, x + i, y)))
      v128.store(at(SCRATCH, x, y), sum)
    }
  const share = f32x4.splat(1 / (side * side))
  for (let y = radius; y < height - radius; y++)
    for (let x = radius; x < width - radius; x += 4) {
      let sum = f32x4.splat(0)
      for (let i = -radius; i <= radius; i++) sum = f32x4.add(sum, v128.load(at(SCRATCH, x, y + i)))
      v128.store(at(plane, x, y), f32x4.mul(sum, share))
    }
}

/** Sums of three colours, from a plane on, to the scratch plane. */
export function brightnessOf(plane: i32): void {
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x += 4) v128.store(at(SCRATCH, x, y), colourSum(plane, x, y))
}

/** The brightest of nine pixels in the scratch plane. */
@inline
export function brightestAround(x: i32, y: i32): v128 {
  let most = f32x4.splat(0)
  for (let v = -1; v <= 1; v++)
    for (let u = -1; u <= 1; u++) most = f32x4.max(most, v128.load(at(SCRATCH, x + u, y + v)))
  return most
}

@inline
export function colourSum(plane: i32, x: i32, y: i32): v128 {
  const red = v128.load(at(plane, x, y))
  return f32x4.add(f32x4.add(red, v128.load(at(plane + 1, x, y))), v128.load(at(plane + 2, x, y)))
}

@inline
export function squareOfDifference(a: v128, b: v128): v128 {
  const difference = f32x4.sub(a, b)
  return f32x4.mul(difference, difference)
}
