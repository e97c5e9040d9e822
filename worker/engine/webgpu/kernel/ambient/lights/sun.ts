/** The sun, as `worker/engine/wasm/kernel/ambient/lights/sun.ts`. */
export const SUN = /* wgsl */ `
const INVERSE_PI = 1.0 / 3.141592653589793;

fn append_sun(lit: Lit, shadow: ptr<function, Shadow>) -> bool {
  let irradiance = scene.sun_irradiance.xyz;
  let cosine = dot(lit.n, scene.sun_direction.xyz);
  (*shadow).direction = scene.sun_direction.xyz;
  (*shadow).light = lit.weight * (irradiance * (cosine * INVERSE_PI));
  return cosine > 0.0 && any(irradiance > vec3<f32>());
}
`
