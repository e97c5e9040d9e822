/**
 * How wrong denoised pixels are, for frames that are sampled until they are not. Four estimates, all of them means over squares of pixels, of
 * which the largest counts, because each misses what another finds:
 *
 * - what predictions of one half are wrong by the other half, mixed as the pixel is (`blend.ts`): it knows smears, too;
 * - half the difference of the two predictions (Bitterli et al., "Nonlinearly Weighted First-Order Regression for Denoising Monte Carlo
 *   Renderings", EGSR 2016, §6): only what they do not share, but it is less noisy itself;
 * - what must be left of the noise where the pixel has hardly moved: errors of the noisy and of the denoised picture differ by no more than the pictures
 *   do (the triangle inequality). Halves that complement each other, as at edges, make the first too low, not this;
 * - a share of the noise, because less cannot be told from the noise of these estimates.
 *
 * Unlike what pixels are mixed by, these means are not relative to the light: a bright line is not to count less because it is thin. Light that was
 * cut off as outliers is missing in a square around them.
 */
import { shareOfNoisy } from './blend'
import { JUDGED_RADIUS, LEAST_LEFT, MARGIN } from './parameters'
import { at, blur, height, LOST, MOVED, NOISY, SPREAD, SQUARE_ERROR, width, WRONG } from './planes'

/** To SQUARE_ERROR; after `blend`. */
export function estimateErrors(): void {
  for (let i = WRONG; i <= LOST; i++) blur(i, JUDGED_RADIUS)
  const third = f32x4.splat(1 / <f32>3)
  for (let y = MARGIN; y < height - MARGIN; y++)
    for (let x = MARGIN; x < width - MARGIN; x += 4) {
      const noisy = shareOfNoisy(x, y)
      const predicted = f32x4.sub(f32x4.splat(1), noisy)
      const variance = v128.load(at(NOISY, x, y))
      const wrong = f32x4.max(v128.load(at(WRONG, x, y)), v128.load(at(SPREAD, x, y)))
      const mixed = f32x4.add(f32x4.mul(square(predicted), wrong), f32x4.mul(square(noisy), variance))
      const moved = f32x4.mul(predicted, f32x4.sqrt(v128.load(at(MOVED, x, y))))
      const left = f32x4.max(f32x4.sub(f32x4.sqrt(variance), moved), f32x4.splat(0))
      const least = f32x4.mul(variance, f32x4.splat(LEAST_LEFT * LEAST_LEFT))
      const most = f32x4.max(f32x4.max(mixed, square(left)), least)
      const lost = f32x4.mul(v128.load(at(LOST, x, y)), third)
      v128.store(at(SQUARE_ERROR, x, y), f32x4.add(f32x4.mul(most, third), square(lost)))
    }
}

@inline
function square(a: v128): v128 {
  return f32x4.mul(a, a)
}
