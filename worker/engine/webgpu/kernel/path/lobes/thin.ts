/** A thin sheet of clear glass, as `worker/engine/wasm/kernel/path/lobes/thin.ts`. */
export const THIN = /* wgsl */ `
fn sample_thin(material: Material, o: vec3<f32>, w: f32) -> Pointed {
  if (w < sheet_reflectance(o.z, material.ior)) { return point_finally(vec3<f32>(-o.xy, o.z), vec3<f32>(1.0)); }
  return point_finally(-o, material.color.xyz);
}
`
