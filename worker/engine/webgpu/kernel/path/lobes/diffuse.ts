/** A Lambert reflector, as `worker/engine/wasm/kernel/path/lobes/diffuse.ts`. */
export const DIFFUSE = /* wgsl */ `
const INVERSE_PI = 1.0 / 3.141592653589793;

fn evaluate_diffuse(material: Material, i: vec3<f32>) -> Scattered {
  if (i.z <= 0.0) { return answer_nothing(); }
  let lit = i.z * INVERSE_PI;
  return Scattered(material.color.xyz * lit, lit);
}

/* A direction whose density is cosine / π. */
fn point_cosine(circle: vec2<f32>, v: f32) -> vec3<f32> { return vec3<f32>(sqrt(v) * circle, sqrt(1.0 - v)); }
`
