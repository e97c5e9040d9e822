/** A ray that leaves a smooth surface, as `worker/engine/wasm/kernel/ambient/scattering/send-on.ts`. */
export const SEND_ON = /* wgsl */ `
fn send_on(path: Path) {
  if (depth_of_path(path.path) <= view.max_depth && any(path.weight >= vec3<f32>(order.least_weight))) { append_path(path); }
  else { add_surroundings(path.direction, path.weight); }
}
`
