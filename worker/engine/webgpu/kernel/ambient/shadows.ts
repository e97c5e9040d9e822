/** Shadow rays, as `worker/engine/wasm/kernel/ambient/shadows.ts`: each is traced where it is met. */
export const SHADOWS = /* wgsl */ `
const GLASS_SHADOW = 0.6;
const BLOCKED_SHARE = 0.4;

/* Share of light that arrives from a direction. */
fn openness(origin: vec3<f32>, direction: vec3<f32>) -> f32 {
  let hit = traced(origin, direction, 0u, INFINITE, true).hit;
  return select(select(1.0, GLASS_SHADOW, (hit & DIMMED) != 0u), 0.0, (hit & BLOCKED) != 0u);
}
`
