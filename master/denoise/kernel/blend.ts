/**
 * The mean of both halves' predictions, mixed with the noisy pixel by what each is wrong. Predictions of one half are judged by the other:
 * the mean of (prediction − other half)² is the prediction's square error plus the other half's variance (Rousselle, Manzi and Zwicker, "Robust
 * Denoising using Feature and Color Information", Pacific Graphics 2013, §5). So the result tends to the noisy picture as that becomes right.
 */
import { DOUBT, ERROR_RADIUS, JUDGED_RADIUS, MARGIN } from './parameters'
import {
  at,
  blur,
  CAPPED,
  clear,
  DENOISED,
  ERROR,
  ERROR_SQUARES,
  height,
  INSIDE,
  LIGHT,
  LOST,
  MEAN,
  MOVED,
  NOISY,
  PREDICTED,
  SPREAD,
  squareOfDifference,
  VARIANCE,
  width,
  WRONG,
} from './planes'

/** From PREDICTED to DENOISED. */
export function blend(): void {
  judge()
  blur(ERROR, ERROR_RADIUS)
  blur(ERROR_SQUARES, ERROR_RADIUS)
  blur(VARIANCE, ERROR_RADIUS)
  for (let y = MARGIN; y < height - MARGIN; y++)
    for (let x = MARGIN; x < width - MARGIN; x += 4) {
      const noisy = shareOfNoisy(x, y)
      for (let c = 0; c < 3; c++) {
        const predicted = v128.load(at(PREDICTED + c, x, y))
        const difference = f32x4.sub(v128.load(at(MEAN + c, x, y)), predicted)
        v128.store(at(DENOISED + c, x, y), f32x4.add(predicted, f32x4.mul(noisy, difference)))
      }
    }
}

/** How much of four noisy pixels is kept. */
@inline
export function shareOfNoisy(x: i32, y: i32): v128 {
  const side = <f32>ERROR_RADIUS * 2 + 1
  const perPixel = f32x4.splat(1 / (side * side))
  const doubt = f32x4.sqrt(f32x4.mul(v128.load(at(ERROR_SQUARES, x, y)), perPixel))
  const error = f32x4.max(f32x4.sub(v128.load(at(ERROR, x, y)), f32x4.mul(doubt, f32x4.splat(DOUBT))), f32x4.splat(0))
  return f32x4.div(error, f32x4.add(f32x4.add(error, v128.load(at(VARIANCE, x, y))), f32x4.splat(1e-20)))
}

/** Puts the mean prediction in the place of the first half's sums; ERROR and VARIANCE are relative to the light. */
function judge(): void {
  clear(ERROR)
  clear(ERROR_SQUARES)
  clear(VARIANCE)
  for (let i = WRONG; i <= LOST; i++) clear(i)
  const from = MARGIN - JUDGED_RADIUS
  const half = f32x4.splat(0.5)
  for (let y = from; y < height - from; y++)
    for (let x = from; x < width - from; x += 4) {
      const first = v128.load(at(PREDICTED + 3, x, y))
      const second = v128.load(at(PREDICTED + 7, x, y))
      const both = v128.and(f32x4.gt(first, f32x4.splat(0)), f32x4.gt(second, f32x4.splat(0)))
      let error = f32x4.splat(0)
      let variance = error
      let spread = error
      let moved = error
      let bright = error
      let lost = error
      for (let c = 0; c < 3; c++) {
        const a = v128.load(at(CAPPED + c, x, y))
        const b = v128.load(at(CAPPED + 3 + c, x, y))
        // Pixels that no window has reached are what they are.
        const ofA = v128.bitselect(f32x4.div(v128.load(at(PREDICTED + c, x, y)), first), a, both)
        const ofB = v128.bitselect(f32x4.div(v128.load(at(PREDICTED + 4 + c, x, y)), second), b, both)
        const squares = squareOfDifference(a, b)
        const wrong = f32x4.add(squareOfDifference(ofA, b), squareOfDifference(ofB, a))
        error = f32x4.add(error, f32x4.mul(f32x4.sub(wrong, squares), half))
        variance = f32x4.add(variance, f32x4.mul(squares, f32x4.splat(0.25)))
        spread = f32x4.add(spread, f32x4.mul(squareOfDifference(ofA, ofB), f32x4.splat(0.25)))
        const mean = f32x4.max(f32x4.mul(f32x4.add(ofA, ofB), half), f32x4.splat(0))
        moved = f32x4.add(moved, squareOfDifference(mean, v128.load(at(MEAN + c, x, y))))
        const all = f32x4.add(v128.load(at(LIGHT + c, x, y)), v128.load(at(LIGHT + 3 + c, x, y)))
        lost = f32x4.add(lost, f32x4.mul(f32x4.sub(all, f32x4.add(a, b)), half))
        v128.store(at(PREDICTED + c, x, y), mean)
        bright = f32x4.add(bright, mean)
      }
      // Near black, a share of the noise stands for the light.
      const dark = f32x4.add(f32x4.mul(variance, f32x4.splat(0.1)), f32x4.splat(1e-20))
      const scale = f32x4.add(f32x4.mul(bright, bright), dark)
      const inside = f32x4.gt(v128.load(at(INSIDE, x, y)), f32x4.splat(0))
      const counts = v128.and(both, inside)
      const relative = v128.and(counts, f32x4.div(error, scale))
      v128.store(at(ERROR, x, y), relative)
      v128.store(at(ERROR_SQUARES, x, y), f32x4.mul(relative, relative))
      v128.store(at(VARIANCE, x, y), v128.and(counts, f32x4.div(variance, scale)))
      v128.store(at(WRONG, x, y), v128.and(counts, error))
      // Of pixels that are what they are this is their own variance.
      v128.store(at(SPREAD, x, y), v128.and(inside, spread))
      v128.store(at(NOISY, x, y), v128.and(counts, variance))
      v128.store(at(MOVED, x, y), v128.and(counts, moved))
      v128.store(at(LOST, x, y), v128.and(inside, lost))
    }
}
