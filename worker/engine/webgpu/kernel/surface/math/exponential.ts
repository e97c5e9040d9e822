/**
 * The exponential function and the natural logarithm, as `worker/engine/wasm/kernel/surface/math/exponential.ts`. WGSL's own suffice: e^x may be off by
 * 3 + 2 |x| units in the last place, and a logarithm near 0 by 2^-21 (WGSL, "Floating Point Evaluation", §15.7), so that neither takes part in
 * decisions of integers, and no weight of a path is off by more than 2e-5.
 */
export const EXPONENTIAL = /* wgsl */ `
/* For x ≤ 0, which may be infinite; 0 where floats end. */
fn exponential(x: f32) -> f32 {
  if (!(x > -87.0)) { return 0.0; }
  return exp(x);
}

fn logarithm(x: f32) -> f32 { return log(x); }
`
