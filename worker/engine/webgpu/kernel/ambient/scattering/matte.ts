/** A Lambert reflector, as `worker/engine/wasm/kernel/ambient/scattering/matte.ts`. */
export const MATTE = /* wgsl */ `
fn scatter_matte(surface: Surface, material: Material, weight: vec3<f32>, path: Path) {
  let reflected = weight * material.color.xyz;
  add_sun(surface, reflected);
  add_ambient(surface, material, reflected, path);
}
`
