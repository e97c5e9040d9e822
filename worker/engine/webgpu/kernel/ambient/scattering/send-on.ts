/** A ray that leaves a smooth surface, or goes on through one that is there in part, as `worker/engine/wasm/kernel/ambient/scattering/send-on.ts`. */
export const SEND_ON = /* wgsl */ `
fn send_on(origin: vec3<f32>, direction: vec3<f32>, weight: vec3<f32>, path: u32) {
  send(Path(origin, direction, weight, path, 0u, vec2<u32>()), direction);
}

/* The same for a ray that goes straight on from its hit, with its share of the light. */
fn send_through(ray: Path, surface: Surface, weight: vec3<f32>, found: Answer) {
  send(Path(ray.origin, ray.direction, weight, child_path(ray.path, 1u), found.best, slot_of(found)), surface.d);
}

fn send(ray: Path, unit: vec3<f32>) {
  if (goes_on(ray.weight, ray.path)) { append_path(ray); }
  else { add_surroundings(unit, ray.weight); }
}

fn goes_on(weight: vec3<f32>, path: u32) -> bool {
  return depth_of_path(path) <= view.max_depth && any(weight >= vec3<f32>(order.least_weight));
}
`
