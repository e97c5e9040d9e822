/**
 * The ambient integrator, as `worker/engine/wasm/kernel/ambient/wave.ts`: one camera ray after the other, with all that follows from it. Drivers copy code
 * wherever it is called, and the code that traces is long: all rays are traced in one place, one ray in each turn of a loop.
 */
import { MATERIAL_KINDS, PASSING } from '../../../wasm/records/material.ts'
import { VIEW_FLAGS } from '../../../wasm/records/view.ts'

const { matte, coated, glass, unlit } = MATERIAL_KINDS

/** @param passes whether rays pass anything */
export const wave = (passes: boolean): string => /* wgsl */ `
/* Traces a camera ray; returns how far away it hits something. */
fn trace_ambient(camera: Path) -> f32 {
  var depth = bitcast<f32>(INFINITE ^ order.zero);
  waiting_count = 0u;
  append_path(camera);
  var ray: Path;
  var lit: Lit;
  var shadow: Shadow;
  /* Whether the ray is a shadow ray, and of those whether the closest of what it meets is asked for. */
  var is_shadow = false;
  var is_closest = false;
  var goes_on = false;
  loop {
    if (!goes_on) {
      is_shadow = lit.next < lit.end;
      is_closest = !is_shadow;
      if (is_shadow) {
        if (!append_next(&lit, &shadow)) { continue; }
        ray = Path(lit.origin, shadow.direction, vec3<f32>(), 0u, 0u, vec2<u32>());
      }
      else if (waiting_count > 0u) {
        waiting_count -= 1u;
        ray = waiting[waiting_count];
      }
      else { break; }
    }
    goes_on = false;
    let is_camera = ray.path == 1u;
    let t_max = select(INFINITE, bitcast<u32>(order.ahead.w), is_camera);
    let found = traced(ray.origin, ray.direction, ray.t_min, t_max, ray.passed, !is_closest);
    if (!is_closest) {
      let only_dims = found.hit == DIMMED;
      shadow.dimmed = only_dims;
      ${passes ? CLOSER : ''}
      flush(shadow, lit.tint, openness(shadow, (found.hit & BLOCKED) != 0u));
      continue;
    }
    if (found.hit == 0u) {
      if (is_shadow) { flush(shadow, lit.tint, openness(shadow, false)); }
      else if (!is_camera || (view.flags & ${VIEW_FLAGS.transparent}u) == 0u) {
        add_surroundings(ray.direction * (1.0 / sqrt(dot(ray.direction, ray.direction))), ray.weight);
      }
      continue;
    }
    var surface = meet(ray.origin, ray.direction, found);
    ${passes ? GO_ON : ''}
    let material = vary(&surface, order.cone_width, order.cone_spread);
    if (is_camera) {
      depth = bitcast<f32>(found.best);
      count_first_hit(material);
      count_coverage(found, material);
    }
    var weight = ray.weight;
    ${passes ? `if ((material.passing & ${PASSING.blend}u) != 0u) { weight = blend(material, ray, surface, found); }` : ''}
    lit = scatter(surface, material, weight, ray.path);
  }
  return depth;
}

/* Collects the light that a surface reflects along the ray that hit it; returns what its shadow rays need, if it has any. */
fn scatter(surface: Surface, material: Material, weight: vec3<f32>, path: u32) -> Lit {
  var lit: Lit;
  let kind = kind_at(material);
  if (kind == ${unlit}u) {
    accumulate(weight * material.color.xyz);
    return lit;
  }
  if (kind == ${glass}u) {
    scatter_glass(surface, material, weight, path);
    return lit;
  }
  var mirrored = weight * material.color.xyz;
  if (kind == ${matte}u || kind == ${coated}u) {
    var share = 0.0;
    if (kind == ${coated}u) { share = coat_share(surface, material); }
    mirrored = weight * share;
    lit = scatter_matte(surface, material, weight * (1.0 - share), path);
  }
  if (kind != ${matte}u) { mirror(surface, mirrored, path); }
  return lit;
}
`

/** A shadow ray that met only what lets light through asks what that is, in turn. */
const CLOSER = /* wgsl */ `if (only_dims && (scene.passing & ${PASSING.some}u) != 0u) {
        shadow.dimmed = false;
        is_closest = true;
        goes_on = true;
        continue;
      }`

/** A ray that passes what it has met goes on from there. */
const GO_ON = /* wgsl */ `let own = read_material(surface.material);
    let which = passages(is_camera);
    if (is_shadow || (own.passing & which) != 0u) {
      let color = color_at(surface, own);
      if (is_shadow) {
        let left = light_passes(surface, own, color, ${PASSING.some}u, true);
        goes_on = !left.nothing;
        if (goes_on) {
          shadow.light *= left.share;
          shadow.dimmed = shadow.dimmed || left.by_glass;
        }
        else { flush(shadow, lit.tint, 0.0); }
      }
      else { goes_on = passes(surface, own, color, which, 0.0) != 0u; }
      ray.t_min = found.best;
      ray.passed = slot_of(found);
      if (is_shadow || goes_on) { continue; }
    }`
