/** The ambient integrator, as `worker/engine/wasm/kernel/ambient/wave.ts`: one camera ray after the other, with all that follows from it. */
import { MATERIAL_KINDS } from '../../../wasm/records/material.ts'
import { VIEW_FLAGS } from '../../../wasm/records/view.ts'

const { matte, coated, glass, unlit } = MATERIAL_KINDS

export const WAVE = /* wgsl */ `
/* Traces a camera ray; returns how far away it hits something. */
fn trace_ambient(camera: Path) -> f32 {
  var depth = bitcast<f32>(INFINITE ^ order.zero);
  waiting_count = 0u;
  append_path(camera);
  while (waiting_count > 0u) {
    waiting_count -= 1u;
    let path = waiting[waiting_count];
    let is_camera = path.path == 1u;
    let t_min = select(0u, bitcast<u32>(order.eye.w), is_camera);
    let t_max = select(INFINITE, bitcast<u32>(order.ahead.w), is_camera);
    let found = traced(path.origin, path.direction, t_min, t_max, false);
    if (found.hit == 0u) {
      if (!is_camera || (view.flags & ${VIEW_FLAGS.transparent}u) == 0u) {
        add_surroundings(path.direction * (1.0 / sqrt(dot(path.direction, path.direction))), path.weight);
      }
      continue;
    }
    if (is_camera) { depth = bitcast<f32>(found.best); }
    let surface = meet(path.origin, path.direction, found);
    scatter(surface, vary(surface), path);
  }
  return depth;
}

/* Code that traces is as seldom as can be: drivers copy it wherever it is called. */
fn scatter(surface: Surface, material: Material, path: Path) {
  if (material.kind == ${unlit}u) {
    accumulate(path.weight * material.color.xyz);
    return;
  }
  if (material.kind == ${glass}u) {
    scatter_glass(surface, material, path.weight, path);
    return;
  }
  var mirrored = path.weight * material.color.xyz;
  if (material.kind == ${matte}u || material.kind == ${coated}u) {
    var share = 0.0;
    if (material.kind == ${coated}u) { share = coat_share(surface, material); }
    mirrored = path.weight * share;
    scatter_matte(surface, material, path.weight * (1.0 - share), path);
  }
  if (material.kind != ${matte}u) { mirror(surface, mirrored, path); }
}
`
