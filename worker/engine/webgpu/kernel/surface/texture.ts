/** Texture lookup, as `worker/engine/wasm/kernel/surface/texture.ts`. */
import { TEXELS, WRAPS } from '../../../wasm/records/texture.ts'
import { LINEARS_AT } from '../records.ts'

export const TEXTURE = /* wgsl */ `
/* Along one axis: the numbers of two texels, and how far the point is from the middle of the first towards that of the second. */
struct Place {
  first: u32,
  second: u32,
  between: f32,
}

/* Number of the level of a texture for an area of the surface, in units of the whole texture. */
fn level_for(texture: u32, area: f32) -> u32 {
  let largest = read_level(texture + TEXTURE_WORDS);
  let texels_seen = area * f32(largest.width) * f32(largest.height);
  if (!(texels_seen >= 4.0)) { return 0u; }
  let level = ((bitcast<u32>(texels_seen) >> 23u) - 127u) >> 1u;
  return min(level, read_texture(texture).level_count - 1u);
}

/* Linear red, green and blue, and opacity. */
fn texture_at(texture: u32, number: u32, u: f32, v: f32) -> vec4<f32> {
  let own = read_texture(texture);
  let level = read_level(texture + TEXTURE_WORDS + number * LEVEL_WORDS);
  let nearest = (own.flags & ${TEXELS.nearest}u) != 0u;
  let srgb = (own.flags & ${TEXELS.srgb}u) != 0u;
  let across = locate(u, level.width, own.wrap_u, nearest);
  let down = locate(v, level.height, own.wrap_v, nearest);
  let upper = mix_texels(texel_at(level, across.first, down.first, srgb), texel_at(level, across.second, down.first, srgb), across.between);
  let lower = mix_texels(texel_at(level, across.first, down.second, srgb), texel_at(level, across.second, down.second, srgb), across.between);
  return mix_texels(upper, lower, down.between);
}

fn mix_texels(a: vec4<f32>, b: vec4<f32>, share: f32) -> vec4<f32> {
  return a + (b - a) * share;
}

fn locate(coordinate: f32, size: u32, wrap: u32, nearest: bool) -> Place {
  var place = coordinate;
  if (wrap == ${WRAPS.repeat}u) { place -= floor(place); }
  else if (wrap == ${WRAPS.mirror}u) {
    place -= 2.0 * floor(place * 0.5);
    if (place > 1.0) { place = 2.0 - place; }
  }
  /* NaN, which is not above 0, counts as 0. */
  place = select(0.0, min(place, 1.0), place > 0.0);
  let at = place * f32(size) - 0.5;
  let low = floor(at);
  var between = at - low;
  if (nearest) { between = select(1.0, 0.0, between < 0.5); }
  let last = size - 1u;
  let around = wrap == ${WRAPS.repeat}u;
  let first = select(min(u32(max(low, 0.0)), last), select(0u, last, around), low < 0.0);
  let next = u32(low + 1.0);
  return Place(first, select(next, select(last, 0u, around), next > last), between);
}

fn texel_at(level: Level, x: u32, y: u32, srgb: bool) -> vec4<f32> {
  let block = (y >> 2u) * level.across + (x >> 2u);
  let texel = texels[level.blocks + block * 16u + (((y & 3u) << 2u) | (x & 3u))];
  let bytes = (vec4<u32>(texel) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u);
  let plain = vec4<f32>(bytes) * (1.0 / 255.0);
  if (!srgb) { return plain; }
  return vec4<f32>(linear_of(bytes.x), linear_of(bytes.y), linear_of(bytes.z), plain.w);
}

fn linear_of(byte: u32) -> f32 {
  return float_at(${LINEARS_AT}u + byte);
}
`
