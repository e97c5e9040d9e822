/** Surfaces of which only a share is there, as `worker/engine/wasm/kernel/ambient/scattering/blend.ts`. */
export const BLEND = /* wgsl */ `
fn blend(material: Material, ray: Path, surface: Surface, found: Answer) -> vec3<f32> {
  if (material.opacity >= 1.0) { return ray.weight; }
  send_through(ray, surface, ray.weight * (1.0 - material.opacity), found);
  return ray.weight * material.opacity;
}
`
