/**
 * From the sums to the bytes of pixels: counterpart of `shared/light/tone-map.ts` with `aces`, and of `shared/math/srgb.ts`,
 * which explains how bytes are found.
 */
import { SUM_BYTES } from '../layout'
import { GUESS_CELLS, guesses, thresholds } from './workspace'
import { add, div, dot, mul, sub } from './doubles'
import { wholeNumbers } from './whole-number'

/** three.js divides by 0.6. */
const SCALE: f64 = 1.0 / 0.6
const THRESHOLDS: u32 = 255

/** Fills the tables. */
export function fillToneMap(): void {
  for (let byte: u32 = 0; byte < THRESHOLDS; byte++)
    store<f64>(thresholds + byte * 8, linearFromSrgb((<f64>byte + 0.5) / 255))
  store<f64>(thresholds + THRESHOLDS * 8, Infinity)
  let before: u32 = 0
  for (let cell: u32 = 0; cell <= GUESS_CELLS; cell++) {
    while ((<f64>cell - 0.5) / <f64>GUESS_CELLS >= load<f64>(thresholds + before * 8)) before++
    store<u8>(guesses + cell, before)
  }
}

/** Converts the sum at an address and the one after it, times the exposure, to two RGB8 pixels at `out`. */
export function writePixels(sum: u32, exposure: f64, out: u32): void {
  const redGreenA = v128.load(sum)
  const redGreenB = v128.load(sum, SUM_BYTES)
  const red = exposed(v128.shuffle<f64>(redGreenA, redGreenB, 0, 2), exposure)
  const green = exposed(v128.shuffle<f64>(redGreenA, redGreenB, 1, 3), exposure)
  const blue = exposed(v128.shuffle<f64>(v128.load(sum, 16), v128.load(sum, SUM_BYTES + 16), 0, 2), exposure)
  const r = filmic(mul(f64x2.splat(SCALE), mixed(0.59719, red, 0.35458, green, 0.04823, blue)))
  const g = filmic(mul(f64x2.splat(SCALE), mixed(0.076, red, 0.90834, green, 0.01566, blue)))
  const b = filmic(mul(f64x2.splat(SCALE), mixed(0.0284, red, 0.13383, green, 0.83777, blue)))
  writeBytes(mixed(1.60475, r, -0.53108, g, -0.07367, b), out)
  writeBytes(mixed(-0.10208, r, 1.10813, g, -0.00605, b), out + 1)
  writeBytes(mixed(-0.00327, r, -0.07276, g, 1.07602, b), out + 2)
}

@inline
function exposed(light: v128, exposure: f64): v128 {
  return mul(light, f64x2.splat(exposure))
}

@inline
function mixed(a: f64, red: v128, b: f64, green: v128, c: f64, blue: v128): v128 {
  return dot(f64x2.splat(a), f64x2.splat(b), f64x2.splat(c), red, green, blue)
}

@inline
function filmic(x: v128): v128 {
  const above = sub(mul(x, add(x, f64x2.splat(0.0245786))), f64x2.splat(0.000090537))
  const inner = add(mul(f64x2.splat(0.983729), x), f64x2.splat(0.432951))
  return div(above, add(mul(x, inner), f64x2.splat(0.238081)))
}

/**
 * Writes one channel of two pixels: the sRGB bytes nearest to linear light; values outside [0, 1] clamp, NaN gives 0.
 */
@inline
function writeBytes(x: v128, out: u32): void {
  const light = f64x2.pmin(f64x2.splat(1), f64x2.pmax(f64x2.splat(0), x))
  const cells = wholeNumbers(mul(light, f64x2.splat(GUESS_CELLS)))
  store<u8>(out, srgbByte(f64x2.extract_lane(light, 0), i32x4.extract_lane(cells, 0)))
  store<u8>(out, srgbByte(f64x2.extract_lane(light, 1), i32x4.extract_lane(cells, 2)), 3)
}

/** The sRGB byte of linear light in [0, 1] that is close to cell / GUESS_CELLS. */
@inline
function srgbByte(light: f64, cell: u32): u32 {
  const before: u32 = load<u8>(guesses + (cell & 0xffff))
  return before + <u32>(light >= load<f64>(thresholds + before * 8))
}

/** Linear light of an sRGB value, both in [0, 1]. */
function linearFromSrgb(s: f64): f64 {
  if (s <= 0.04045) return s / 12.92
  const y = (s + 0.055) / 1.055
  // y^2.4 = y² · (y²)^(1/5)
  return y * y * fifthRoot(y * y)
}

/** Newton's iteration for r^5 = a with a in (0, 1]. */
function fifthRoot(a: f64): f64 {
  let root: f64 = 1
  for (let i = 0; i < 16; i++) root = (4 * root + a / (root * root * root * root)) / 5
  return root
}
