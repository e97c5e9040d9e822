/** A Lambert reflector, as `worker/engine/wasm/kernel/ambient/scattering/matte.ts`: its shadow rays are next. */
export const MATTE = /* wgsl */ `
fn scatter_matte(surface: Surface, material: Material, weight: vec3<f32>, path: u32) -> Lit {
  let reflected = weight * material.color.xyz;
  let rays = add_ambient(surface, material, reflected, path);
  return Lit(surface.lit, surface.n, surface.g, reflected, material.color.xyz, path, 0u, 1u + rays);
}
`
