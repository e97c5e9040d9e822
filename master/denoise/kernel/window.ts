/**
 * One window: which of its pixels are like its centre, by the other half of the samples, and what features say about the colours of these.
 * Bitterli et al., "Nonlinearly Weighted First-Order Regression for Denoising Monte Carlo Renderings", EGSR 2016, §4 and §5: the regression
 * of one half has weights from the other, whose noise is independent; its predictions go to all pixels of the window.
 */
import { BANDWIDTH, BASIS, FEATURES, LEAST_WEIGHT, POSITION, RADIUS } from './parameters'
import { at, CAPPED, FEATURE_MEANS, GUIDE, INSIDE, NOISE, planeBytes, PREDICTED, squareOfDifference, stride } from './planes'
import { entry, side, solve } from './solve'

/** Pixels of a patch. */
const PATCH: i32 = 9
/** Floats of a list: rows of a window in vectors of four. */
const LENGTH: i32 = (2 * RADIUS + 1) * ((2 * RADIUS + 4) & ~3)
const LIST: i32 = LENGTH * 4

/** The centre's patch: each value four times, colours of a pixel side by side. */
const patch = memory.data(PATCH * 3 * 16, 16)
/** Pixels that are like the centre, in vectors of four: their weights, places, colours, and rows of the regression. Not re-entrant. */
const weights = memory.data(LIST, 16)
const places = memory.data(LIST, 16)
/** Red, green, blue, and a list that pads them. */
const colours = memory.data(LIST * 4, 16)
/** Lists of the constant, features and position, then two that pad them to vectors of four. */
const rows = memory.data(LIST * (BASIS + 2), 16)
const weighted = memory.data(LIST, 16)

/** Adds what the window around a pixel predicts of a half to PREDICTED. */
export function predict(x: i32, y: i32, half: i32, radius: i32): void {
  const end = gather(x, y, half, radius)
  if (end == 0) return
  solve(accumulate(end))
  spread(end, half)
}

/** Lists the pixels like the centre. Returns the end of their lists, bytes. */
function gather(x: i32, y: i32, half: i32, radius: i32): i32 {
  const guide = GUIDE + 3 - 3 * half
  const colour = CAPPED + 3 * half
  fillPatch(guide, x, y)
  const noise = f32x4.splat(load<f32>(at(NOISE, x, y)))
  const last = f32x4.splat(<f32>radius * 2)
  const unit: f32 = POSITION / <f32>radius
  let end = 0
  for (let v = -radius; v <= radius; v++)
    for (let u = 0; u <= 2 * radius; u += 4) {
      const px = x - radius + u
      const py = y + v
      const column = f32x4.add(f32x4(0, 1, 2, 3), f32x4.splat(<f32>u))
      let weight = weightOf(patchDistance(guide, px, py), noise, v128.load(at(NOISE, px, py)))
      weight = f32x4.mul(weight, v128.load(at(INSIDE, px, py)))
      weight = v128.and(weight, f32x4.le(column, last))
      weight = v128.and(weight, f32x4.gt(weight, f32x4.splat(LEAST_WEIGHT)))
      if (!v128.any_true(weight)) continue
      v128.store(weights + end, weight)
      store<i32>(places + end, (py * stride + px) << 2)
      for (let c = 0; c < 3; c++) v128.store(colours + LIST * c + end, v128.load(at(colour + c, px, py)))
      v128.store(rows + end, f32x4.splat(1))
      // Relative to the centre's, so that the constant is what is predicted of the centre.
      for (let f = 0; f < FEATURES; f++) {
        const own = f32x4.splat(load<f32>(at(FEATURE_MEANS + f, x, y)))
        v128.store(rows + LIST * (1 + f) + end, f32x4.sub(v128.load(at(FEATURE_MEANS + f, px, py)), own))
      }
      const across = f32x4.mul(f32x4.sub(column, f32x4.splat(<f32>radius)), f32x4.splat(unit))
      v128.store(rows + LIST * (BASIS - 2) + end, across)
      v128.store(rows + LIST * (BASIS - 1) + end, f32x4.splat(<f32>v * unit))
      end += 16
    }
  return end
}

function fillPatch(guide: i32, x: i32, y: i32): void {
  let to = patch
  for (let v = -1; v <= 1; v++)
    for (let u = -1; u <= 1; u++)
      for (let c = 0; c < 3; c++, to += 16) v128.store(to, f32x4.splat(load<f32>(at(guide + c, x + u, y + v))))
}

/** Mean square difference between the centre's patch and those of four pixels, all colours together. */
@inline
function patchDistance(guide: i32, x: i32, y: i32): v128 {
  let sum = f32x4.splat(0)
  let own = patch
  let red = at(guide, x - 1, y - 1)
  for (let v = 0; v < 3; v++, red += stride << 2, own += 9 * 16) {
    const green = red + planeBytes
    const blue = green + planeBytes
    sum = f32x4.add(sum, squareOfDifference(v128.load(red), v128.load(own)))
    sum = f32x4.add(sum, squareOfDifference(v128.load(green), v128.load(own, 16)))
    sum = f32x4.add(sum, squareOfDifference(v128.load(blue), v128.load(own, 32)))
    sum = f32x4.add(sum, squareOfDifference(v128.load(red, 4), v128.load(own, 48)))
    sum = f32x4.add(sum, squareOfDifference(v128.load(green, 4), v128.load(own, 64)))
    sum = f32x4.add(sum, squareOfDifference(v128.load(blue, 4), v128.load(own, 80)))
    sum = f32x4.add(sum, squareOfDifference(v128.load(red, 8), v128.load(own, 96)))
    sum = f32x4.add(sum, squareOfDifference(v128.load(green, 8), v128.load(own, 112)))
    sum = f32x4.add(sum, squareOfDifference(v128.load(blue, 8), v128.load(own, 128)))
  }
  return f32x4.mul(sum, f32x4.splat(1 / <f32>PATCH))
}

/** Rousselle et al. 2012, Eq. (5) and (6). */
@inline
function weightOf(distance: v128, own: v128, other: v128): v128 {
  const expected = f32x4.add(own, f32x4.min(own, other))
  const scale = f32x4.mul(f32x4.add(own, other), f32x4.splat(BANDWIDTH))
  const d = f32x4.max(f32x4.div(f32x4.sub(distance, expected), scale), f32x4.splat(0))
  return fallOff(d)
}

/** e^-d as (1 − d/8)^8: the same bits everywhere, and 0 from 8 on. @param d from 0 on */
@inline
export function fallOff(d: v128): v128 {
  let weight = f32x4.max(f32x4.sub(f32x4.splat(1), f32x4.mul(d, f32x4.splat(0.125))), f32x4.splat(0))
  weight = f32x4.mul(weight, weight)
  weight = f32x4.mul(weight, weight)
  return f32x4.mul(weight, weight)
}

/** Makes the normal equations. Returns the sum of all weights. */
function accumulate(end: i32): f64 {
  for (let i = 0; i < BASIS; i++) {
    const row = rows + LIST * i
    for (let at = 0; at < end; at += 16)
      v128.store(weighted + at, f32x4.mul(v128.load(row + at), v128.load(weights + at)))
    // Four sums at once share the loads of the row.
    for (let j = 0; j <= i; j += 4) addProducts(rows + LIST * j, end, entry(i, j))
    addProducts(colours, end, side(i, 0))
  }
  return load<f64>(entry(0, 0))
}

/** Sums of the weighted row times four lists, from `list` on, to four doubles. */
@inline
function addProducts(list: usize, end: i32, to: usize): void {
  let a = f32x4.splat(0)
  let b = a
  let c = a
  let d = a
  for (let at = 0; at < end; at += 16) {
    const row = v128.load(weighted + at)
    const from = list + at
    a = f32x4.add(a, f32x4.mul(row, v128.load(from)))
    b = f32x4.add(b, f32x4.mul(row, v128.load(from, LIST)))
    c = f32x4.add(c, f32x4.mul(row, v128.load(from, 2 * LIST)))
    d = f32x4.add(d, f32x4.mul(row, v128.load(from, 3 * LIST)))
  }
  store<f64>(to, total(a))
  store<f64>(to, total(b), 8)
  store<f64>(to, total(c), 16)
  store<f64>(to, total(d), 24)
}

@inline
function total(lanes: v128): f64 {
  const low = <f64>f32x4.extract_lane(lanes, 0) + <f64>f32x4.extract_lane(lanes, 1)
  return low + <f64>f32x4.extract_lane(lanes, 2) + <f64>f32x4.extract_lane(lanes, 3)
}

/** Every listed pixel is predicted; how much that counts is its weight. */
function spread(end: i32, half: i32): void {
  const first = at(PREDICTED + 4 * half, 0, 0)
  for (let at = 0; at < end; at += 16) {
    let red = f32x4.splat(0)
    let green = red
    let blue = red
    for (let i = 0; i < BASIS; i++) {
      const row = v128.load(rows + LIST * i + at)
      red = f32x4.add(red, f32x4.mul(row, f32x4.splat(<f32>load<f64>(side(i, 0)))))
      green = f32x4.add(green, f32x4.mul(row, f32x4.splat(<f32>load<f64>(side(i, 1)))))
      blue = f32x4.add(blue, f32x4.mul(row, f32x4.splat(<f32>load<f64>(side(i, 2)))))
    }
    const weight = v128.load(weights + at)
    const to = first + load<i32>(places + at)
    add(to, f32x4.mul(red, weight))
    add(to + planeBytes, f32x4.mul(green, weight))
    add(to + 2 * planeBytes, f32x4.mul(blue, weight))
    add(to + 3 * planeBytes, weight)
  }
}

@inline
function add(to: usize, what: v128): void {
  v128.store(to, f32x4.add(v128.load(to), what))
}
