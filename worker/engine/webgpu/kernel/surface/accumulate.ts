/**
 * Adding up light so that the order does not matter, as `worker/engine/wasm/kernel/surface/accumulate.ts`: multiples of 2^-32 up to 2^20, here in two
 * words with a carry, which is as exact as a double.
 */
export const ACCUMULATE = /* wgsl */ `
const LARGEST_SUM = 1048576u;

var<private> sum_low: vec3<u32>;
var<private> sum_high: vec3<u32>;

fn accumulate(light: vec3<f32>) {
  /* NaN, which is not above 0, counts as 0. */
  let some = min(select(vec3<f32>(), light, light > vec3<f32>()), vec3<f32>(f32(LARGEST_SUM)));
  let whole = floor(some);
  let low = vec3<u32>(round((some - whole) * 4294967296.0));
  sum_low += low;
  sum_high += vec3<u32>(whole) + select(vec3<u32>(), vec3<u32>(1u), sum_low < low);
  let full = sum_high >= vec3<u32>(LARGEST_SUM);
  sum_low = select(sum_low, vec3<u32>(), full);
  sum_high = min(sum_high, vec3<u32>(LARGEST_SUM));
}
`
