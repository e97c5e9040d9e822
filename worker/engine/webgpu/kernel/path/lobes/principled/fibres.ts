/** Light that fibres scatter back, as `worker/engine/wasm/kernel/path/lobes/principled/fibres.ts`. */
export const FIBRES = /* wgsl */ `
const LEAST_ROUGHNESS = 0.2;

fn fibres(roughness: f32, o: vec3<f32>, i: vec3<f32>) -> f32 {
  let rough = max(LEAST_ROUGHNESS, roughness);
  let steep = 1.0 / (rough * rough);
  let h = o + i;
  let square = dot(h.xy, h.xy) / dot(h, h);
  if (!(square > 1e-12)) { return 0.0; }
  let density = (2.0 + steep) * exponential(0.5 * steep * logarithm(square)) * 0.5 * INVERSE_PI;
  return density * i.z / (4.0 * (o.z + i.z - o.z * i.z));
}
`
