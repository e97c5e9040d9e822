/**
 * Adding up light so that the order does not matter, as `worker/engine/wasm/kernel/surface/accumulate.ts`: multiples of 2^-32 up to 2^20, here in two
 * words with a carry, which is as exact as a double.
 */
export const ACCUMULATE = /* wgsl */ `
const LARGEST_SUM = 1048576u;

struct Sum {
  low: vec3<u32>,
  high: vec3<u32>,
}

var<private> sum: Sum;

fn accumulate(light: vec3<f32>) {
  sum = accumulated(sum, light);
}

fn accumulated(before: Sum, light: vec3<f32>) -> Sum {
  /* NaN, which is not above 0, counts as 0. */
  let some = min(select(vec3<f32>(), light, light > vec3<f32>()), vec3<f32>(f32(LARGEST_SUM)));
  let whole = floor(some);
  let low = vec3<u32>(round((some - whole) * 4294967296.0));
  var after = Sum(before.low + low, before.high + vec3<u32>(whole));
  after.high += select(vec3<u32>(), vec3<u32>(1u), after.low < low);
  let full = after.high >= vec3<u32>(LARGEST_SUM);
  return Sum(select(after.low, vec3<u32>(), full), min(after.high, vec3<u32>(LARGEST_SUM)));
}
`
