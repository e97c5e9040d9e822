/**
 * The path tracer, as `worker/engine/wasm/kernel/path/wave.ts`: of one pixel, one sample after the other. Drivers copy a function to where it is called, and
 * that which traces is large. So it is called in one place, in a loop of which each turn traces a ray and sees what it was for.
 */
import { MODELS, PASSING } from '../../../wasm/records/material.ts'
import { VIEW_FLAGS } from '../../../wasm/records/view.ts'
import type { PathNeeds } from '../../path-needs.ts'

/** @param needs what the scene has; code for what it has not is left out */
export const wave = ({ textured, media, touching, holes, sheets }: PathNeeds): string => /* wgsl */ `
/* What a ray is traced for: none is under way, a path, a light, and the same light through what lets some of it pass; what is just behind a hit, and that
   hit itself, which is known; and what there is around the camera. */
const NOTHING = 0u;
const PATH = 1u;
const LIGHT_RAY = 2u;
const PASSED_LIGHT = 3u;
const BEHIND = 4u;
const HELD = 5u;
const OUTWARDS = 6u;

/* Traces samples of a pixel; returns how far away the first hits something. */
fn trace_paths(x: u32, y: u32, from: u32, to: u32) -> f32 {
  single = (view.flags & ${VIEW_FLAGS.single}u) != 0u;
  let seed = patch_seed(x, y, view.frame);
  let first = first_number(x, y, view.stretch_bits);
  var depth = bitcast<f32>(INFINITE ^ order.zero);
  var sample = from;
  var task = NOTHING;
  ${media ? 'ask(&task, OUTWARDS, ray_outwards());' : 'start_camera(0u);'}
  loop {
    if (task == NOTHING) {
      if (shadow_count > 0u) {
        shadow_count -= 1u;
        ask(&task, LIGHT_RAY, ray_to_light());
      } else {
        if (!goes_on) {
          if (sample == to) { break; }
          path = camera_path(x, y, seed, first + sample);
          sample += 1u;
        }
        ask(&task, PATH, ray_of_path());
      }
    }
    var found: Answer;
    ${touching ? 'if (task == HELD) { found = held; } else { found = trace_ray(); }' : 'found = trace_ray();'}
    if (task == LIGHT_RAY) {
      ${
        holes || sheets
          ? `if (found.hit == DIMMED) {
        task = PASSED_LIGHT;
        ray.shadow = false;
        continue;
      }`
          : ''
      }
      if (found.hit == 0u) { accumulate(shadows[shadow_count].light); }
      task = NOTHING;
      continue;
    }
    var surface: Surface;
    if (found.hit != 0u) { surface = meet(ray.origin, ray.direction, found); }
    ${holes || sheets ? PASSED_LIGHT : ''}${touching ? BEHIND : ''}${media ? OUTWARDS : ''}
    let asked = task;
    task = NOTHING;
    goes_on = false;
    let t = bitcast<f32>(found.best);
    if (asked == PATH) {
      if (found.hit == 0u || (scene.lamps != 0u && path.scattered > 0u)) { add_path_lights(found.hit == 0u, t); }
      ${holes || sheets ? PASSES : ''}
      if (path.scattered == 0u && sample == from + 1u) { depth = select(t, bitcast<f32>(INFINITE ^ order.zero), found.hit == 0u); }
    }
    if (found.hit == 0u) { continue; }
    ${touching ? HOLDS : ''}
    steps += SHADING_STEPS;
    let material = vary(&surface, ${textured ? 'width_of(path.cone), spread_of(path.cone)' : '0.0, 0.0'});
    shade_hit(surface, material, found);
  }
  return depth;
}

struct Ray {
  origin: vec3<f32>,
  direction: vec3<f32>,
  t_min: f32,
  /* As bits. */
  t_max: u32,
  passed: u32,
  shadow: bool,
}

/* The one under way. */
var<private> ray: Ray;

fn ask(task: ptr<function, u32>, what: u32, asked: Ray) {
  *task = what;
  ray = asked;
}

fn trace_ray() -> Answer {
  return traced(ray.origin, ray.direction, bitcast<u32>(ray.t_min) + select(0u, 1u, ray.is_behind), ray.t_max, ray.shadow);
}

fn ray_of_path() -> Ray {
  return Ray(path.origin, path.direction, path.t_min, path.t_max, path.passed, false);
}

fn ray_to_light() -> Ray {
  let shadow = shadows[shadow_count];
  return Ray(shadow.origin, shadow.direction, 0.0, bitcast<u32>(shadow.reach), false, true);
}
${media ? RAY_OUTWARDS : ''}`

const RAY_OUTWARDS = /* wgsl */ `
fn ray_outwards() -> Ray {
  return Ray(view.origin, AWAY, 0.0, INFINITE, false, false);
}
`

/** What is around the camera: surfaces are counted on the way out. */
const OUTWARDS = /* wgsl */ `
    if (task == OUTWARDS) {
      if (found.hit != 0u) {
        let medium = read_material(surface.material).medium;
        if (medium != 0u) {
          crossings[crossing_count] = crossing_of(medium, outer_of_hit(found), surface.side < 0.0);
          crossing_count += 1u;
        }
        outward_count += 1u;
        if (outward_count < MOST_CROSSINGS) {
          ray.t_min = bitcast<f32>(found.best);
          ray.passed = found.hit;
          continue;
        }
      }
      start_camera(media_of_camera());
      task = NOTHING;
      continue;
    }`
