/**
 * Features have noise, too: at edges, behind lenses and behind surfaces that are seen through in part. They are denoised first, all together, by
 * distances of patches in units of their noise (Rousselle, Manzi and Zwicker, "Robust Denoising using Feature and Color Information", Pacific
 * Graphics 2013, §4; Bitterli et al., "Nonlinearly Weighted First-Order Regression for Denoising Monte Carlo Renderings", EGSR 2016, §5.1), so that
 * regressions do not take their noise for differences of light.
 */
import { FEATURE_RADIUS, FEATURES, LEAST_DIFFERENCE, NOISE_RADIUS } from './parameters'
import {
  at,
  blur,
  DISTANCE,
  FEATURE_MEANS,
  HALF_FEATURES,
  height,
  INSIDE,
  planeBytes,
  squareOfDifference,
  WEIGHTS,
  width,
} from './planes'
import { fallOff } from './window'

/** Planes that take the place of both halves: means, and their variance. */
const MEANS: i32 = HALF_FEATURES
const VARIANCES: i32 = HALF_FEATURES + FEATURES

/** From HALF_FEATURES, which are lost, to FEATURE_MEANS. */
export function denoiseFeatures(): void {
  measure()
  memory.copy(at(FEATURE_MEANS, 0, 0), at(MEANS, 0, 0), FEATURES * planeBytes)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x += 4) v128.store(at(WEIGHTS, x, y), f32x4.splat(1))
  // A distance is that of both its pixels, so that half of the square is enough.
  for (let v = 0; v <= FEATURE_RADIUS; v++)
    for (let u = v == 0 ? 1 : -FEATURE_RADIUS; u <= FEATURE_RADIUS; u++) {
      compare(u, v)
      blur(DISTANCE, 1)
      gather(u, v)
    }
  for (let f = 0; f < FEATURES; f++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x += 4) {
        const to = at(FEATURE_MEANS + f, x, y)
        v128.store(to, f32x4.div(v128.load(to), v128.load(at(WEIGHTS, x, y))))
      }
}

function measure(): void {
  const half = f32x4.splat(0.5)
  for (let f = 0; f < FEATURES; f++) {
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x += 4) {
        const a = v128.load(at(MEANS + f, x, y))
        const b = v128.load(at(VARIANCES + f, x, y))
        v128.store(at(MEANS + f, x, y), f32x4.mul(f32x4.add(a, b), half))
        v128.store(at(VARIANCES + f, x, y), f32x4.mul(squareOfDifference(a, b), f32x4.splat(0.25)))
      }
    blur(VARIANCES + f, NOISE_RADIUS)
  }
}

/** The feature by which a pixel differs most from the one at (u, v) from it says how far apart they are. */
function compare(u: i32, v: i32): void {
  const least = f32x4.splat(LEAST_DIFFERENCE)
  for (let y = FEATURE_RADIUS; y < height - FEATURE_RADIUS; y++)
    for (let x = FEATURE_RADIUS; x < width - FEATURE_RADIUS; x += 4) {
      let most = f32x4.splat(0)
      for (let f = 0; f < FEATURES; f++) {
        const difference = squareOfDifference(v128.load(at(MEANS + f, x, y)), v128.load(at(MEANS + f, x + u, y + v)))
        const noise = f32x4.add(v128.load(at(VARIANCES + f, x, y)), v128.load(at(VARIANCES + f, x + u, y + v)))
        most = f32x4.max(most, f32x4.div(f32x4.sub(difference, noise), f32x4.add(noise, least)))
      }
      v128.store(at(DISTANCE, x, y), most)
    }
}

/** Adds to each pixel the one at (u, v) from it, and the one opposite. */
function gather(u: i32, v: i32): void {
  for (let y = FEATURE_RADIUS; y < height - FEATURE_RADIUS; y++)
    for (let x = FEATURE_RADIUS; x < width - FEATURE_RADIUS; x += 4) {
      const there = f32x4.mul(fallOff(v128.load(at(DISTANCE, x, y))), v128.load(at(INSIDE, x + u, y + v)))
      const opposite = f32x4.mul(fallOff(v128.load(at(DISTANCE, x - u, y - v))), v128.load(at(INSIDE, x - u, y - v)))
      const weight = at(WEIGHTS, x, y)
      v128.store(weight, f32x4.add(v128.load(weight), f32x4.add(there, opposite)))
      for (let f = 0; f < FEATURES; f++) {
        const to = at(FEATURE_MEANS + f, x, y)
        const first = f32x4.mul(there, v128.load(at(MEANS + f, x + u, y + v)))
        const second = f32x4.mul(opposite, v128.load(at(MEANS + f, x - u, y - v)))
        v128.store(to, f32x4.add(v128.load(to), f32x4.add(first, second)))
      }
    }
}
