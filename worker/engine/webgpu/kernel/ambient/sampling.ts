/** Where samples are in a pixel, and ambient directions, as `worker/engine/wasm/kernel/ambient/sampling.ts`: integers, the same bits. */
export const SAMPLING = /* wgsl */ `
const R2_FIRST = 3242174889u;
const R2_SECOND = 2447445413u;

fn sample_place(sample: u32) -> vec2<f32> {
  let samples = f32(view.samples);
  return vec2<f32>((f32(sample) + 0.5) / samples, f32(reverseBits(sample)) / 4294967296.0 + 0.5 / samples);
}

fn unit_of(index: u32, generator: u32, shift: u32) -> f32 {
  return f32((index * generator + shift) >> 8u) * (1.0 / 16777216.0);
}
`
