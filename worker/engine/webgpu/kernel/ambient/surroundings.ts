/** What a ray sees that hits nothing, as `worker/engine/wasm/kernel/ambient/surroundings.ts`. */
export const SURROUNDINGS = /* wgsl */ `
const GLOW_SCALE = 257.0 / TAU;

fn add_surroundings(d: vec3<f32>, weight: vec3<f32>) {
  let cosine = dot(d, scene.sun_direction.xyz);
  if (cosine > 0.0) {
    var glow = cosine;
    for (var i = 0; i < 8; i++) { glow *= glow; }
    accumulate(weight * (scene.sun_irradiance.xyz * (glow * GLOW_SCALE)));
  }
  accumulate(weight * sky_at(d.y));
}
`
