/**
 * Numbers of a sample, as `worker/engine/wasm/kernel/path/sampler.ts`: integers, the same bits. Of each fraction of 32 bits a float takes the upper 24, so
 * that it stays below 1.
 */
export const SAMPLER = /* wgsl */ `
struct Drawn {
  lobe: f32,
  survival: f32,
  light: vec2<f32>,
  lobe_u: f32,
  lobe_v: f32,
}

const PATCH_BITS = 6u;
const PATCH_MASK = 63u;

/* Set number set of an element of the sequences; of a camera ray, the first pair is its place in the pixel, the second that on the lens. */
fn draw(seed: u32, set_: u32, number: u32) -> Drawn {
  let own = vec4<u32>(seed) + (vec4<u32>(set_ * 4u) + vec4<u32>(0u, 1u, 2u, 3u)) * 0x9e3779b9u;
  let index = reverseBits(scrambled(reverseBits(vec4<u32>(number)), mixed(own)));
  let first = fractions(reverseBits(scrambled(index, mixed(own ^ vec4<u32>(0x51633e2du)))));
  let second = fractions(reverseBits(scrambled(pascal(index), mixed(own ^ vec4<u32>(0x68bc21ebu)))));
  return Drawn(first.x, second.x, vec2<f32>(first.y, second.y), first.z, second.z);
}

fn patch_seed(x: u32, y: u32, frame_number: u32) -> u32 {
  return mixed_word(mixed_word(mixed_word((x >> PATCH_BITS) + 0x9e3779b9u) + (y >> PATCH_BITS)) + frame_number);
}

fn first_number(x: u32, y: u32, bits: u32) -> u32 {
  return (spaced(x & PATCH_MASK) | (spaced(y & PATCH_MASK) << 1u)) << bits;
}

/* Six bits with zeros in between. */
fn spaced(bits: u32) -> u32 {
  let x = (bits | (bits << 4u)) & 0x30fu;
  let y = (x | (x << 2u)) & 0x333u;
  return (y | (y << 1u)) & 0x555u;
}

fn fractions(bits: vec4<u32>) -> vec4<f32> {
  return vec4<f32>(bits >> vec4<u32>(8u)) * (1.0 / 16777216.0);
}

fn scrambled(bits: vec4<u32>, seed: vec4<u32>) -> vec4<u32> {
  var x = bits ^ (bits * 0x3d20adeau);
  x += seed;
  x *= (seed >> vec4<u32>(16u)) | vec4<u32>(1u);
  x ^= x * 0x05526c56u;
  return x ^ (x * 0x53a22864u);
}

fn pascal(bits: vec4<u32>) -> vec4<u32> {
  var x = bits;
  x ^= (x >> vec4<u32>(1u)) & vec4<u32>(0x55555555u);
  x ^= (x >> vec4<u32>(2u)) & vec4<u32>(0x33333333u);
  x ^= (x >> vec4<u32>(4u)) & vec4<u32>(0x0f0f0f0fu);
  x ^= (x >> vec4<u32>(8u)) & vec4<u32>(0x00ff00ffu);
  return x ^ (x >> vec4<u32>(16u));
}

fn mixed(bits: vec4<u32>) -> vec4<u32> {
  var x = bits ^ (bits >> vec4<u32>(16u));
  x *= 0x21f0aaadu;
  x ^= x >> vec4<u32>(15u);
  x *= 0x735a2d97u;
  return x ^ (x >> vec4<u32>(15u));
}

fn mixed_word(bits: u32) -> u32 {
  var x = bits ^ (bits >> 16u);
  x *= 0x21f0aaadu;
  x ^= x >> 15u;
  x *= 0x735a2d97u;
  return x ^ (x >> 15u);
}
`
