/** How much light a surface reflects, as `worker/engine/wasm/kernel/surface/fresnel.ts`, in floats. */
export const FRESNEL = /* wgsl */ `
fn fresnel(cosine: f32, far: f32, eta: f32) -> f32 {
  let one = (cosine - eta * far) / (cosine + eta * far);
  let other = (eta * cosine - far) / (eta * cosine + far);
  return 0.5 * (one * one + other * other);
}

fn normal_reflectance(eta: f32) -> f32 {
  let root = (eta - 1.0) / (eta + 1.0);
  return root * root;
}

fn schlick(f0: f32, cosine: f32) -> f32 {
  let rest = max(0.0, 1.0 - cosine);
  let square = rest * rest;
  return f0 + (1.0 - f0) * square * square * rest;
}
`
