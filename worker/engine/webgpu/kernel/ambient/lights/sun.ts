/** The sun, as `worker/engine/wasm/kernel/ambient/lights/sun.ts`. */
export const SUN = /* wgsl */ `
const INVERSE_PI = 1.0 / 3.141592653589793;

fn add_sun(surface: Surface, weight: vec3<f32>) {
  let direction = scene.sun_direction.xyz;
  let irradiance = scene.sun_irradiance.xyz;
  let cosine = dot(surface.n, direction);
  if (!(cosine > 0.0) || !any(irradiance > vec3<f32>())) { return; }
  accumulate(weight * (irradiance * (cosine * INVERSE_PI)) * openness(surface.lit, direction));
}
`
