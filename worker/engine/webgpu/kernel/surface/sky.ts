/** The sky's radiance, as `worker/engine/wasm/kernel/surface/sky.ts`. */
export const SKY = /* wgsl */ `
fn sky_at(y: f32) -> vec3<f32> {
  let horizon = scene.sky_horizon.xyz;
  let depth = min(1.0, -10.0 * y);
  let blend = select(depth * depth * (3.0 - 2.0 * depth), y * (2.0 - y), y >= 0.0);
  return horizon + (select(scene.sky_ground.xyz, scene.sky_zenith.xyz, y >= 0.0) - horizon) * blend;
}
`
