/**
 * How noisy pixels are, from the difference of their halves (Rousselle, Knaus and Zwicker, "Adaptive Rendering with Non-Local Means Filtering",
 * SIGGRAPH Asia 2012, §4), and what makes them outliers.
 */
import { FAR_RADIUS, FAR_SHARE, NOISE_RADIUS, OUTLIER, QUIET } from './parameters'
import {
  at,
  blur,
  brightestAround,
  brightnessOf,
  CAPPED,
  colourSum,
  GUIDE,
  height,
  LIGHT,
  MEAN,
  NOISE,
  planeBytes,
  SAMPLES,
  squareOfDifference,
  VARIANCE,
  width,
} from './planes'

/** From LIGHT to CAPPED, MEAN, GUIDE and NOISE. */
export function measureNoise(): void {
  capOutliers(0)
  capOutliers(1)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x += 4) {
      let variance = f32x4.splat(0)
      for (let c = 0; c < 3; c++) {
        const a = v128.load(at(CAPPED + c, x, y))
        const b = v128.load(at(CAPPED + 3 + c, x, y))
        const p = f32x4.sqrt(a)
        const q = f32x4.sqrt(b)
        v128.store(at(GUIDE + c, x, y), p)
        v128.store(at(GUIDE + 3 + c, x, y), q)
        variance = f32x4.add(variance, squareOfDifference(p, q))
        v128.store(at(MEAN + c, x, y), f32x4.mul(f32x4.add(a, b), f32x4.splat(0.5)))
      }
      // Of one sample, so that pixels with few of them can be averaged with others.
      const halved = f32x4.mul(variance, f32x4.splat(0.5))
      v128.store(at(NOISE, x, y), f32x4.mul(halved, v128.load(at(SAMPLES, x, y))))
    }
  memory.copy(at(VARIANCE, 0, 0), at(NOISE, 0, 0), planeBytes)
  blur(NOISE, NOISE_RADIUS)
  blur(VARIANCE, FAR_RADIUS)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x += 4) {
      const to = at(NOISE, x, y)
      const far = f32x4.mul(v128.load(at(VARIANCE, x, y)), f32x4.splat(FAR_SHARE))
      const noise = f32x4.max(v128.load(to), far)
      v128.store(to, f32x4.div(noise, f32x4.max(v128.load(at(SAMPLES, x, y)), f32x4.splat(1))))
    }
}

/** Whether it is worth changing a pixel. */
@inline
export function isNoisy(x: i32, y: i32): bool {
  const bright = load<f32>(at(MEAN, x, y)) + load<f32>(at(MEAN + 1, x, y)) + load<f32>(at(MEAN + 2, x, y))
  return load<f32>(at(NOISE, x, y)) > bright * QUIET
}

/**
 * A half that is much brighter than the other half of the pixel and of its neighbours has met a rare path: it is scaled down, or else it would
 * be spread over the window. This loses light, and ever less with more samples, because both halves then come to agree.
 */
function capOutliers(half: i32): void {
  const own = LIGHT + 3 * half
  const other = LIGHT + 3 - 3 * half
  const to = CAPPED + 3 * half
  brightnessOf(other)
  // The outermost pixels of the margin have no neighbours to compare with; nothing depends on them.
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x += 4) {
      const bright = colourSum(own, x, y)
      const most = f32x4.mul(brightestAround(x, y), f32x4.splat(OUTLIER))
      const share = v128.bitselect(f32x4.div(most, bright), f32x4.splat(1), f32x4.gt(bright, most))
      for (let c = 0; c < 3; c++) v128.store(at(to + c, x, y), f32x4.mul(v128.load(at(own + c, x, y)), share))
    }
}
