/**
 * Texture lookup, bilinear between the middles of the four texels around it, on the level whose texels are at most
 * as wide as what is seen of the surface, and more than half as wide. Texels are RGBA8, stored in blocks of 4 × 4, one cache line
 * each: mostly all four lie in one.
 */
import { Level, Texels, Texture, Wrap } from '../records'
import { add, mul, splat, sub } from './math/floats'
import { linears } from './workspace'

/** Along one axis: the numbers of two texels, and how far the point is from the middle of the first towards that of the second. */
let first: u32 = 0
let second: u32 = 0
let between: f32 = 0

/** Number of the level for an area of the surface, in units of the whole texture; NaN stands for a point. */
export function levelFor(texture: u32, area: f32): u32 {
  const largest = Texture.levelsAddress(texture)
  const texels = area * <f32>Level.width(largest) * <f32>Level.height(largest)
  if (!(texels >= 4)) return 0
  // Half of the logarithm, rounded down.
  const level = ((reinterpret<u32>(texels) >> 23) - 127) >> 1
  return min<u32>(level, Texture.levelCount(texture) - 1)
}

/** Linear red, green and blue, and opacity. */
export function textureAt(texture: u32, number: u32, u: f32, v: f32): v128 {
  const level = Texture.levels(texture, number)
  const flags = Texture.flags(texture)
  const nearest = (flags & Texels.NEAREST) != 0
  locate(u, Level.width(level), Texture.wrapU(texture), nearest)
  const left = first
  const right = second
  const across = splat(between)
  locate(v, Level.height(level), Texture.wrapV(texture), nearest)
  const down = splat(between)
  const srgb = (flags & Texels.SRGB) != 0
  const upper = mixed(texelAt(level, left, first, srgb), texelAt(level, right, first, srgb), across)
  const lower = mixed(texelAt(level, left, second, srgb), texelAt(level, right, second, srgb), across)
  return mixed(upper, lower, down)
}

@inline
function mixed(a: v128, b: v128, share: v128): v128 {
  return add(a, mul(sub(b, a), share))
}

function locate(coordinate: f32, size: u32, wrap: u32, nearest: bool): void {
  let place = coordinate
  if (wrap == Wrap.REPEAT) place -= floor<f32>(place)
  else if (wrap == Wrap.MIRROR) {
    place -= <f32>2 * floor<f32>(place * 0.5)
    if (place > 1) place = <f32>2 - place
  }
  // Written so that NaN is 0.
  place = place > 0 ? min<f32>(place, 1) : 0
  const at = place * <f32>size - 0.5
  const low = floor<f32>(at)
  between = at - low
  if (nearest) between = between < 0.5 ? 0 : 1
  const last = size - 1
  const around = wrap == Wrap.REPEAT
  first = low < 0 ? (around ? last : 0) : min<u32>(<u32>low, last)
  const next = <u32>(low + 1)
  second = next > last ? (around ? 0 : last) : next
}

function texelAt(level: u32, x: u32, y: u32, srgb: bool): v128 {
  const block = (y >> 2) * Level.across(level) + (x >> 2)
  const texel = Level.blocks(level) + block * 64 + (((y & 3) << 2) | (x & 3)) * 4
  const bytes = i16x8.extend_low_i8x16_u(v128.load32_zero(texel))
  const color = mul(f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(bytes)), splat(1.0 / 255.0))
  if (!srgb) return color
  const red = f32x4.replace_lane(color, 0, linearOf(load<u8>(texel)))
  const redGreen = f32x4.replace_lane(red, 1, linearOf(load<u8>(texel, 1)))
  return f32x4.replace_lane(redGreen, 2, linearOf(load<u8>(texel, 2)))
}

@inline
function linearOf(byte: u32): f32 {
  return load<f32>(linears + byte * 4)
}
