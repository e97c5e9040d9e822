/** How much light a surface reflects, as `worker/engine/wasm/kernel/surface/fresnel.ts`, in floats. */
export const FRESNEL = /* wgsl */ `
/*
 * Cosine beyond the boundary; 0 for total reflection. The kernel's 1 - (1 - cosine²) / eta², written so that no digit is lost where a ray grazes the
 * surface, or indices are almost equal.
 */
fn refracted(cosine: f32, eta: f32) -> f32 {
  return sqrt(max(0.0, (eta - 1.0) * (eta + 1.0) + cosine * cosine)) / eta;
}

fn reflectance(cosine: f32, eta: f32) -> f32 {
  let far = refracted(cosine, eta);
  return select(fresnel(cosine, far, eta), 1.0, far == 0.0);
}

fn fresnel(cosine: f32, far: f32, eta: f32) -> f32 {
  let one = (cosine - eta * far) / (cosine + eta * far);
  let other = (eta * cosine - far) / (eta * cosine + far);
  return 0.5 * (one * one + other * other);
}

fn sheet_reflectance(cosine: f32, ior: f32) -> f32 {
  let once = reflectance(cosine, ior);
  return 2.0 * once / (1.0 + once);
}

fn normal_reflectance(eta: f32) -> f32 {
  let root = (eta - 1.0) / (eta + 1.0);
  return root * root;
}

fn schlick_weight(cosine: f32) -> f32 {
  let rest = max(0.0, 1.0 - cosine);
  let square = rest * rest;
  return square * square * rest;
}

fn schlick_between(f0: vec3<f32>, f90: f32, weight: f32) -> vec3<f32> { return f0 + (vec3<f32>(f90) - f0) * weight; }

fn schlick(f0: f32, cosine: f32) -> f32 { return f0 + (1.0 - f0) * schlick_weight(cosine); }
`
