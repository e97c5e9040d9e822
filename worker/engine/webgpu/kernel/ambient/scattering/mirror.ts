/** The reflected ray of smooth surfaces, as `worker/engine/wasm/kernel/ambient/scattering/mirror.ts`. */
export const MIRROR = /* wgsl */ `
fn mirror(surface: Surface, weight: vec3<f32>, path: u32) {
  var r = surface.d - 2.0 * dot(surface.d, surface.n) * surface.n;
  r -= 2.0 * min(0.0, dot(r, surface.g)) * surface.g;
  send_on(surface.point + surface.g * surface.offset, r, weight, child_path(path, 0u));
}
`
