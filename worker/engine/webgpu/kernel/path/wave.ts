/**
 * The path tracer, as `worker/engine/wasm/kernel/path/wave.ts`: of one pixel, one sample after the other. Drivers copy a function to where it is called, and
 * that which traces is large. So it is called in one place, in a loop of which each turn traces a ray and sees what it was for.
 */
import { VIEW_FLAGS } from '../../../wasm/records/view.ts'
import type { PathNeeds } from '../../shader-needs.ts'

/** @param needs what the scene has; code for what it has not is left out @param gazes whether features are added up */
export const wave = ({ solids, touching, holes, sheets }: PathNeeds, gazes: boolean): string => /* wgsl */ `
/* What a ray is traced for: nothing, a path, a light, the same light through what lets some of it pass, what is around the camera, and what is just
   behind a path's hit. That hit is held until then, and is not traced again. */
const NOTHING = 0u;
const PATH = 1u;
const LIGHT_RAY = 2u;
const DIMMED_LIGHT = 3u;
const AROUND_CAMERA = 4u;
const BEHIND_HIT = 5u;
const HELD_HIT = 6u;

/* Traces samples of a pixel; returns how far away the first one hits something. */
fn trace_paths(x: u32, y: u32, first: u32, end: u32) -> f32 {
  single = (view.flags & ${VIEW_FLAGS.single}u) != 0u;
  let nowhere = bitcast<f32>(INFINITE ^ order.zero);
  let seed = patch_seed(x, y, view.frame);
  let numbers = first_number(x, y, view.stretch_bits);
  var depth = nowhere;
  var sample = first;
  var task = NOTHING;
  ${solids ? 'ray = ray_around_camera();\n  task = AROUND_CAMERA;' : 'start_camera(0u);'}
  loop {
    if (task == NOTHING) {
      if (shadow_count > 0u) {
        shadow_count -= 1u;
        ray = ray_to_light();
        task = LIGHT_RAY;
      } else {
        if (!goes_on) {
          if (sample == end) { break; }
          path = camera_path(x, y, seed, numbers + sample);
          ${gazes ? 'begin_gaze();' : ''}
          sample += 1u;
        }
        ray = Ray(path.origin, path.t_min, path.direction, path.t_max, path.passed, false);
        task = PATH;
      }
    }
    var found = Answer();
    ${touching ? 'if (task == HELD_HIT) { found = held; } else { found = trace_ray(); }' : 'found = trace_ray();'}
    if (task == LIGHT_RAY) {
      ${holes || sheets ? LIGHT_IS_DIMMED : ''}
      /* Glass is in the way, too: what it bends is found by scattered rays. */
      if (found.hit == 0u) { accumulate(shadows[shadow_count].light); }
      task = NOTHING;
      continue;
    }
    let missed = found.hit == 0u;
    let t = bitcast<f32>(found.best);
    var surface: Surface;
    if (!missed) { surface = meet(ray.origin, ray.direction, found); }
    ${holes || sheets ? DIMMED_LIGHT : ''}${solids ? AROUND_CAMERA : ''}${touching ? BEHIND_HIT : ''}
    if (task == PATH) {
      goes_on = false;
      task = NOTHING;
      if (select(scene.lamps != 0u && path.scattered > 0u, path.scattered > 0u || (view.flags & ${VIEW_FLAGS.transparent}u) == 0u, missed)) {
        add_lights(missed, path.scattered > 0u, t);
      }
      ${gazes ? SEE_SURROUNDINGS : ''}
      if (missed) { continue; }
      ${holes || sheets ? 'if (pass_paths(surface, found)) { continue; }' : ''}
      if (path.scattered == 0u && sample == first + 1u) { depth = t; }
      ${touching ? HOLD_HIT : ''}
    }
    task = NOTHING;
    steps += SHADING_STEPS;
    let material = vary(&surface, width_of(path.cone), spread_of(path.cone));
    shade_hit(surface, material, found);
  }
  return depth;
}

fn trace_ray() -> Answer {
  return traced(ray.origin, ray.direction, bitcast<u32>(ray.t_min), ray.t_max, ray.passed, ray.shadow);
}
`

/** Only something clear was met: that has to be met again, one after the other. */
const LIGHT_IS_DIMMED = /* wgsl */ `if (found.hit == DIMMED && (scene.passing & SHADOW_PASSAGES) != 0u) {
        task = DIMMED_LIGHT;
        ray.shadow = false;
        continue;
      }`

const DIMMED_LIGHT = /* wgsl */ `
    if (task == DIMMED_LIGHT) {
      if (!missed && dims_light(surface)) {
        ray.t_min = t;
        ray.passed = slot_of(found);
        continue;
      }
      if (missed) { accumulate(shadows[shadow_count].light); }
      task = NOTHING;
      continue;
    }`

const AROUND_CAMERA = /* wgsl */ `
    if (task == AROUND_CAMERA) {
      if (!missed && goes_outwards(surface, found)) {
        ray.t_min = t;
        ray.passed = slot_of(found);
        continue;
      }
      start_camera(media_of_camera());
      task = NOTHING;
      continue;
    }`

const BEHIND_HIT = /* wgsl */ `
    if (task == BEHIND_HIT) {
      if (!missed) { second_crossing = crossing_at(surface, found); }
      ray = Ray(path.origin, path.t_min, path.direction, path.t_max, path.passed, false);
      task = HELD_HIT;
      continue;
    }`

const HOLD_HIT = /* wgsl */ `second_crossing = 0u;
      if (crossing_at(surface, found) != 0u) {
        held = found;
        ray.t_min = t;
        ray.t_max = bitcast<u32>(end_behind(surface, t));
        ray.passed = slot_of(found);
        task = BEHIND_HIT;
        continue;
      }`

const SEE_SURROUNDINGS = /* wgsl */ `if (missed && is_gazing()) {
        see_surroundings(normalize(path.direction), path.scattered > 0u || (view.flags & ${VIEW_FLAGS.transparent}u) == 0u);
      }`
