/** A Lambert reflector under a clear coat, as `worker/engine/wasm/kernel/ambient/scattering/coated.ts`. */
export const COATED = /* wgsl */ `
/* Share of light that the coat mirrors; the rest is matte. */
fn coat_share(surface: Surface, material: Material) -> f32 {
  return schlick(normal_reflectance(material.ior), -dot(surface.n, surface.d));
}
`
