/** Features of pixels, for a denoiser, as `worker/engine/wasm/kernel/surface/features.ts`: integers, which add up in any order. */
export const FEATURES = /* wgsl */ `
const FEATURE_STEPS = 65535.0;

var<private> first_features: vec4<u32>;
var<private> second_features: vec4<u32>;

/* Adds what a sample sees; values beyond 0 and 1 count as these, and NaN as 0. */
fn add_features(first: vec4<f32>, second: vec4<f32>) {
  first_features += steps_of(first);
  second_features += steps_of(second);
}

fn steps_of(values: vec4<f32>) -> vec4<u32> {
  let some = min(select(vec4<f32>(), values, values > vec4<f32>()), vec4<f32>(1.0));
  return vec4<u32>(some * FEATURE_STEPS + 0.5);
}
`
