/** What happens to a path where it hits a surface, as `worker/engine/wasm/kernel/path/shade.ts`. */
import { MODELS, PASSING } from '../../../wasm/records/material.ts'
import { LIGHT_GROUPS } from '../../../wasm/records/scene.ts'

/** @param solids whether there are media @param lit whether next-event estimation finds emissive triangles @param gazes whether features are added up */
export const shade = (solids: boolean, lit: boolean, gazes: boolean): string => /* wgsl */ `
const CERTAIN = 2u;
const MOST_PROBABLE = 0.95;
const CONE_SHARE = 0.25;
/* After the groups of lights. */
const SCATTERS = ${LIGHT_GROUPS}u;

/* @param material as it is at the hit point */
fn shade_hit(surface: Surface, material: Material, found: Answer) {
  goes_on = false;
  let arrived = path;
  let scattered = arrived.scattered;
  let media = arrived.media;
  let side = surface.side;
  var beyond = media;
  var known = 1.0;
  ${solids ? MEET_SOLID : ''}
  if (scattered == 0u${solids ? ' && is_there' : ''}) {
    count_first_hit(material);
    count_coverage(found, material);
  }
  let distance = surface.distance;
  var weight = arrived.weight * left_of(media, distance);
  /* Radiance is scaled inside glass; what is seen there is not. */
  ${gazes ? 'let seen = weight * unscaled(media);' : ''}
  let d = surface.d;
  let g = surface.g;
  if (material.model == ${MODELS.unlit}u) {
    accumulate(weight * material.color.xyz * order.share);
    ${gazes ? SEE_LAST : ''}
    return;
  }
  if (material.emits != 0u) { add_emission(surface, material, found, weight); }
  ${solids ? 'if (!is_there) {\n    go_straight_on(surface, found, beyond);\n    return;\n  }' : ''}
  if (scattered > view.bounces) {
    ${gazes ? SEE_LAST : ''}
    return;
  }

  /* Where rays start that leave upwards or downwards: see the kernel's file. */
  let up = surface.lit;
  let down = surface.point - g * surface.offset;
  let lifted = is_lifted(surface);
  let drawn = draw(arrived.seed, scattered + 1u, arrived.number);
  let wide = is_wide_at(arrived);
  let facing = select(facing_of(surface.n), ANY_FACING, scene.map == 0u || passes_light(material));
  set_frame(surface.n);
  let o = -local(d);
  begin_hit(material, side, o, weight);
  /*
   * Lights of both groups, with the same random numbers because their estimates are independent of each other, and then the direction in which the path goes on:
   * what a lobe answers is asked for in one place.
   */
  for (var turn = select(SCATTERS, 0u, scatters_widely(material)); turn <= SCATTERS; turn++) {
    var sample: LightSample;
    var next: Pointed;
    if (turn < SCATTERS) {
      if (choices_in(turn) == 0u) { continue; }
      sample = sample_light(turn, facing, up, drawn.light.x, drawn.light.y);
      if (!(sample.light.x + sample.light.y + sample.light.z > 0.0)) { continue; }
      next = point(local(sample.direction));
      let above = dot(sample.direction, g) > 0.0;
      if (!select(!above, above || lifted, next.direction.z > 0.0)) { continue; }
    } else {
      /* What passes a sheet has passed it: the rest is mirrored. */
      let mirrors = scattered > 0u && (material.passing & ${PASSING.sheet}u) != 0u;
      let circle = on_circle(drawn.lobe_u);
      next = point_lobe(material, side, o, select(drawn.lobe, 0.0, mirrors), circle.x, circle.y, drawn.lobe_v);
    }
    let over = next.direction.z > 0.0;
    let around = select(beyond, media, over);
    var answer = Scattered(next.weight, 0.0);
    if (!next.is_final) { answer = evaluate(material, side, o, next.direction); }
    if (!over) { answer.value *= known; }
    if (turn < SCATTERS) {
      let value = answer.value * left_of(around, sample.reach);
      if (!(value.x + value.y + value.z > 0.0) || is_dropped(wide, answer.density)) { continue; }
      var chosen = order.share / sample.probability;
      if (sample.density > 0.0) { chosen = order.share * weight_of(sample.density, answer.density) / sample.density; }
      let light = weight * sample.light * value * chosen;
      append_shadow(select(down, up, over), sample.direction, sample.reach, light * limit_of(scattered + 1u, light));
    } else {
      weight *= answer.value * select(1.0, 1.0 / answer.density, answer.density > 0.0);
      let i = world(next.direction);
      let above = dot(i, g) > 0.0;
      /* A shading normal can send light to where the triangle is in the way. What is refracted so meets it from inside, and may leave. */
      let survival = survival_of(weight, around);
      goes_on = (!over || above || lifted) && drawn.survival < survival;
      ${gazes ? SEE_OR_PASS : ''}
      if (!goes_on) { return; }
      path.origin = select(down, select(up, surface.point + g * surface.offset, above), over);
      path.t_min = 0.0;
      path.passed = vec2<u32>();
      path.direction = i;
      path.t_max = INFINITE;
      path.weight = weight / survival;
      path.density = answer.density;
      path.wide = wide;
      path.scattered = scattered + 1u;
      path.facing = facing;
      path.media = around;
      path.cone = cone_beyond(arrived.cone, distance, answer.density);
    }
  }
}

/* The probability with which the path at hand goes on with a weight: 0 without any, and at first 1. */
fn survival_of(weight: vec3<f32>, media: u32) -> f32 {
  let largest = max(weight.x, max(weight.y, weight.z));
  if (!(largest > 0.0)) { return 0.0; }
  if (path.scattered < CERTAIN) { return 1.0; }
  /* Radiance is scaled inside glass, and will be scaled back. */
  let index = index_of(innermost(media));
  return min(MOST_PROBABLE, index * sqrt(largest));
}

/* Whether the point from which a surface is lit is above its triangle. */
fn is_lifted(surface: Surface) -> bool {
  return dot(surface.lit - surface.point, surface.g) > 2.0 * surface.offset;
}

/* Sends the path at hand on from its hit, to what comes after it. */
fn send_behind(found: Answer) {
  path.t_min = bitcast<f32>(found.best);
  path.passed = slot_of(found);
  path.t_max = select(INFINITE, bitcast<u32>(order.ahead.w), path.scattered == 0u);
  goes_on = true;
}

/* The cone of a scattered ray: what directions of such a density are apart is added to its spread. */
fn cone_beyond(cone: u32, distance: f32, density: f32) -> u32 {
  let spread = spread_of(cone);
  var wider = 0.0;
  if (density > 0.0) { wider = CONE_SHARE * inverseSqrt(density); }
  return packed_cone(width_of(cone) + spread * distance, spread + wider);
}

/* Adds what a surface emits towards the ray at hand. */
fn add_emission(surface: Surface, varied: Material, found: Answer, carried: vec3<f32>) {
  if (drops_lights(path)) { return; }
  var light = carried * varied.emission * order.share;
  ${lit ? WEIGH_EMISSION : ''}
  accumulate(light * limit_of(path.scattered, light));
}
${solids ? GO_STRAIGHT_ON : ''}`

const SEE_LAST = 'if (is_gazing()) { see_surface(surface, material, seen); }'

const SEE_OR_PASS = /* wgsl */ `if (is_gazing()) {
        if (goes_on && passes_gaze(answer.density)) { gaze += distance; }
        else { see_surface(surface, material, seen); }
      }`

const MEET_SOLID = /* wgsl */ `var is_there = true;
  if (material.medium != 0u) {
    let solid = meet_solid(material, outer_of(found), media, side);
    beyond = solid.behind;
    is_there = solid.scatters;
    known = solid.known;
  }`

/** Of meshes that are in memory once no triangle is asked. */
const WEIGH_EMISSION = /* wgsl */ `if (path.density > 0.0 && !is_of_instance(found)) {
    let own = triangle_density(triangle_of(found), surface.on_b, surface.on_c, path.origin, surface.distance, dot(surface.d, surface.g));
    let material = read_material(surface.material);
    light = carried * material.emission * emission_texel(surface, material) * (order.share * weight_of(path.density, own));
  }`

const GO_STRAIGHT_ON = /* wgsl */ `
/* Sends a path on through a surface at which nothing changes but the media it is in. */
fn go_straight_on(surface: Surface, found: Answer, media: u32) {
  path.wide = is_wide_at(path);
  path.density = 0.0;
  path.media = media;
  send_behind(found);
  if (second_crossing != 0u) {
    path.t_min = end_behind(surface, bitcast<f32>(found.best));
    path.passed = vec2<u32>();
  }
}
`
