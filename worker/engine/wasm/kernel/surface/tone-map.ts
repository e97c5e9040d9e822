/**
 * From the sums to the bytes of pixels: counterpart of `shared/light/tone-map.ts` with `aces`, and of `shared/math/srgb.ts`,
 * which explains how bytes are found.
 */
import { Sum } from '../records'
import { add, div, dot, firsts, lows, mul, seconds, splat, sub } from './math/floats'
import { GUESS_CELLS, guesses, linears, thresholds } from './workspace'

/** three.js divides by 0.6. */
const SCALE: f32 = <f32>(1.0 / 0.6)
/** Light that is as white as any; the square of more might not be a float. */
const WHITE: f64 = 1073741824
const THRESHOLDS: u32 = 255

/** Fills the tables, from sRGB bytes and to them. */
export function fillToneMap(): void {
  for (let byte: u32 = 0; byte < 256; byte++) store<f32>(linears + byte * 4, <f32>linearFromSrgb(<f64>byte / 255))
  for (let byte: u32 = 0; byte < THRESHOLDS; byte++)
    store<f32>(thresholds + byte * 4, atLeast(linearFromSrgb((<f64>byte + 0.5) / 255)))
  store<f32>(thresholds + THRESHOLDS * 4, Infinity)
  let before: u32 = 0
  for (let cell: u32 = 0; cell <= GUESS_CELLS; cell++) {
    while ((<f64>cell - 0.5) / <f64>GUESS_CELLS >= <f64>load<f32>(thresholds + before * 4)) before++
    store<u8>(guesses + cell, before)
  }
}

/**
 * Converts the sum at an address and the three after it, times the exposure, to four RGB8 pixels at `out`.
 * @param mean factor by which sums become means: two products, as the master's, which are rounded one by one
 */
export function writePixels(sum: u32, mean: f64, exposure: f64, out: u32): void {
  const redGreen = lows(exposed(sum, mean, exposure), exposed(sum + Sum.BYTES, mean, exposure))
  const redGreen2 = lows(exposed(sum + 2 * Sum.BYTES, mean, exposure), exposed(sum + 3 * Sum.BYTES, mean, exposure))
  const blue01 = lows(exposed(sum + 16, mean, exposure), exposed(sum + Sum.BYTES + 16, mean, exposure))
  const blue23 = lows(exposed(sum + 2 * Sum.BYTES + 16, mean, exposure), exposed(sum + 3 * Sum.BYTES + 16, mean, exposure))
  const red = firsts(redGreen, redGreen2)
  const green = seconds(redGreen, redGreen2)
  const blue = firsts(blue01, blue23)
  const x = filmic(mul(splat(SCALE), mixed(0.59719, red, 0.35458, green, 0.04823, blue)))
  const y = filmic(mul(splat(SCALE), mixed(0.076, red, 0.90834, green, 0.01566, blue)))
  const z = filmic(mul(splat(SCALE), mixed(0.0284, red, 0.13383, green, 0.83777, blue)))
  writeBytes(mixed(1.60475, x, -0.53108, y, -0.07367, z), out)
  writeBytes(mixed(-0.10208, x, 1.10813, y, -0.00605, z), out + 1)
  writeBytes(mixed(-0.00327, x, -0.07276, y, 1.07602, z), out + 2)
}

/** Two doubles of a sum, exposed, as floats in lanes 0 and 1. */
@inline
function exposed(sum: u32, mean: f64, exposure: f64): v128 {
  const light = f64x2.mul(f64x2.mul(v128.load(sum), f64x2.splat(mean)), f64x2.splat(exposure))
  return f32x4.demote_f64x2_zero(f64x2.pmin(light, f64x2.splat(WHITE)))
}

@inline
function mixed(a: f32, red: v128, b: f32, green: v128, c: f32, blue: v128): v128 {
  return dot(splat(a), splat(b), splat(c), red, green, blue)
}

@inline
function filmic(x: v128): v128 {
  const above = sub(mul(x, add(x, splat(0.0245786))), splat(0.000090537))
  const inner = add(mul(splat(0.983729), x), splat(0.432951))
  return div(above, add(mul(x, inner), splat(0.238081)))
}

/** Writes one channel of four pixels: the sRGB bytes nearest to linear light; values outside [0, 1] clamp, NaN gives 0. */
@inline
function writeBytes(x: v128, out: u32): void {
  const light = f32x4.pmin(splat(1), f32x4.pmax(splat(0), x))
  const cells = i32x4.trunc_sat_f32x4_u(f32x4.nearest(mul(light, splat(<f32>GUESS_CELLS))))
  store<u8>(out, srgbByte(f32x4.extract_lane(light, 0), i32x4.extract_lane(cells, 0)))
  store<u8>(out, srgbByte(f32x4.extract_lane(light, 1), i32x4.extract_lane(cells, 1)), 3)
  store<u8>(out, srgbByte(f32x4.extract_lane(light, 2), i32x4.extract_lane(cells, 2)), 6)
  store<u8>(out, srgbByte(f32x4.extract_lane(light, 3), i32x4.extract_lane(cells, 3)), 9)
}

/** The sRGB byte of linear light in [0, 1] that is close to cell / GUESS_CELLS. */
@inline
function srgbByte(light: f32, cell: u32): u32 {
  const before: u32 = load<u8>(guesses + cell)
  return before + <u32>(light >= load<f32>(thresholds + before * 4))
}

/** The smallest float that is not below a positive number: floats compare with it as with the number itself. */
function atLeast(x: f64): f32 {
  const near = <f32>x
  return <f64>near < x ? reinterpret<f32>(reinterpret<u32>(near) + 1) : near
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
