/** How far shadow rays start off a triangle, as `worker/engine/wasm/kernel/surface/lift.ts` says, and why. */
export const LIFT = /* wgsl */ `
const LIFTED = 0.8090169943749475;
const UNLIFTED = 0.7071067811865476;

fn lift_share(twice: f32, cosine: f32, edge: f32) -> f32 {
  let smoothness = clamp((cosine - UNLIFTED) * (1.0 / (LIFTED - UNLIFTED)), 0.0, 1.0);
  if (!(twice > 0.0)) { return 0.0; }
  let most = edge * max(0.0, 1.0 - cosine) / (twice * 3.0 * (1.0 + cosine));
  return smoothness * min(0.5, sqrt(most));
}
`
