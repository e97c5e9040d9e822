/**
 * The lights of a scene, as `worker/engine/wasm/kernel/path/lights/lights.ts`: sampled by next-event estimation, and hit by scattered rays. A shader
 * has the code of those that its scene has.
 */
import { LIGHT_KINDS } from '../../../../wasm/records/light.ts'
import { CELLS } from './cells.ts'
import { CHOOSE } from './choose.ts'
import { DISTANT } from './distant.ts'
import { FACING } from './facing.ts'
import { MAP } from './map.ts'
import { REACH } from './reach.ts'
import { RECTANGLE } from './rectangle.ts'
import { SEEN_RECTANGLE } from './seen-rectangle.ts'
import { SEEN_TRIANGLE } from './seen-triangle.ts'
import { SPHERE } from './sphere.ts'
import { TREE } from './tree.ts'
import { TRIANGLE } from './triangle.ts'

/** What there is in a scene. */
export interface LightsPresent {
  readonly distant: boolean
  readonly map: boolean
  readonly rectangles: boolean
  /** Points and spots, with a size or without. */
  readonly spheres: boolean
  /** Emissive triangles, for which there must be a function `emission_of`. */
  readonly triangles: boolean
}

/** What is answered, without that anything else is there. */
const ANSWERS = /* wgsl */ `
/*
 * A direction to a light, its light (of one without a size the irradiance), the density per solid angle (0 of one without a size), how far away it is, and the
 * probability that the light of one without a size has still to be divided by.
 */
struct LightSample { direction: vec3<f32>, light: vec3<f32>, density: f32, reach: f32, probability: f32 }

/* The light in a direction, the density with which it is sampled, 0 if there is none, and how far away it is. */
struct LightMet { light: vec3<f32>, density: f32, reach: f32 }

fn no_light() -> LightSample {
  return LightSample(vec3<f32>(), vec3<f32>(), 0.0, 0.0, 1.0);
}

fn no_light_met() -> LightMet {
  return LightMet(vec3<f32>(), 0.0, 0.0);
}

/* Weight of light found with density own, which the other technique would have found with density other (power heuristic). */
fn weight_of(own: f32, other: f32) -> f32 {
  /* As a ratio, which is bounded, because squares of densities may overflow. */
  let ratio = min(other / max(own, 1e-30), 1e18);
  return 1.0 / (1.0 + ratio * ratio);
}
`

/**
 * Functions over the lights of a scene. They need the records, `triangles` and `vertices`, `sky_at`, `on_circle`, `turns_of`, `hash32`, `point_around` and `accumulate`;
 * of paths `limit_of(scattered: u32, light: vec3<f32>) -> f32`, and `left_of(media: u32, distance: f32) -> vec3<f32>`, the shares of light that a medium leaves.
 */
export function lights(has: LightsPresent): string {
  const isInside = has.rectangles || has.spheres || has.triangles
  return [
    ...[REACH, ANSWERS, CHOOSE, FACING],
    ...[when(has.distant, DISTANT), when(has.map, MAP), when(isInside, TREE), when(has.spheres, SPHERE)],
    when(has.rectangles, SEEN_RECTANGLE + RECTANGLE),
    when(has.triangles, CELLS + SEEN_TRIANGLE + TRIANGLE),
    sampling(has, isInside),
    lamps(has),
    has.map ? MAP_AROUND : SKY_AROUND,
  ].join('')
}

const when = (present: boolean, code: string): string => (present ? code : '')

/** Cases of a switch over the kinds of lights. */
const cases = (...all: readonly (readonly [present: boolean, kinds: readonly number[], code: string])[]): string =>
  all
    .filter(([present]) => present)
    .map(([, kinds, code]) => `case ${kinds.map(kind => `${kind}u`).join(', ')}: { ${code} }`)
    .join('\n')

const { distant, point, spot, rectangle, map } = LIGHT_KINDS

const sampling = (has: LightsPresent, isInside: boolean): string => /* wgsl */ `
/*
 * A direction to a light of a group that is not empty, from a place on a surface with a facing. Of lights with a size, the density has in it that of the
 * choice.
 */
fn sample_light(group: u32, facing: u32, place: vec3<f32>, u: f32, v: f32) -> LightSample {
  var chosen = Chosen(0u, 0.0, 0.0);
  ${when(has.distant || has.map, 'if (group == DISTANT) { chosen = choose_distant(u); }')}
  ${when(isInside, 'if (group != DISTANT) { chosen = choose_near(place, u); }')}
  if (chosen.probability == 0.0) { return no_light(); }
  let rest = chosen.rest;
  var sampled = no_light();
  if (chosen.number < scene.light_count) {
    let light = read_light(scene.lights + chosen.number * LIGHT_WORDS);
    switch (light.kind) {
      ${cases(
        [has.distant, [distant], 'sampled = sample_distant(light, rest, v);'],
        [has.rectangles, [rectangle], 'sampled = sample_rectangle(light, place, rest, v);'],
        [has.map, [map], 'sampled = sample_map(facing, rest, v);'],
        [has.spheres, [point, spot], 'sampled = sample_sphere(light, place, rest, v);'],
      )}
      default: {}
    }
  }
  ${when(has.triangles, 'else { sampled = sample_triangle(chosen.number - scene.light_count, place, rest, v); }')}
  if (sampled.density == 0.0) { sampled.probability = chosen.probability; }
  sampled.density *= chosen.probability;
  return sampled;
}
`

/** Lamps do not stop rays. Their tree is walked without a stack: a node names its parent, and its place there. */
const lamps = (has: LightsPresent): string => /* wgsl */ `
/* Adds the light of a lamp that is not too near and not too far. */
fn add_met(scattered: u32, met: LightMet, chance: f32, media: u32, chosen: f32, weight: vec3<f32>) {
  let share = select(1.0, weight_of(chosen, met.density * chance), chosen > 0.0);
  let light = share * weight * met.light * left_of(media, met.reach);
  accumulate(limit_of(scattered, light) * light);
}

/*
 * Adds the light of lamps that a scattered ray with a unit direction passes between two distances, in one medium of media: they do not stop it. The
 * density of its direction is 0 if next-event estimation could not have found the light; the weight includes the pixel's share.
 */
fn add_lamps(scattered: u32, place: vec3<f32>, direction: vec3<f32>, near: f32, far: f32, media: u32, chosen: f32, weight: vec3<f32>) {
  ${when(
    has.distant,
    `if (far >= FAR_AWAY) {
    let choices = scene.groups[DISTANT].choices;
    for (var i = 0u; i < choices_in(DISTANT); i++) {
      let light = read_light(scene.lights + read_choice(choices + i * CHOICE_WORDS).own * LIGHT_WORDS);
      if (light.kind != ${distant}u) { continue; }
      let met = meet_distant(light, direction);
      if (met.density > 0.0) { add_met(scattered, met, light.probability, media, chosen, weight); }
    }
  }`,
  )}
  ${when(
    has.rectangles || has.spheres,
    `if (scene.lamps == 0u) { return; }
  let ray = set_lamp_ray(place, direction, near, far);
  var number = 0u;
  var lanes = lanes_with_lamps(number, ray);
  loop {
    let node = read_light_node(node_at(number));
    if (lanes == 0u) {
      if (node.parent == NO_LEAF) { break; }
      number = node.parent >> 2u;
      lanes = lanes_with_lamps(number, ray) & (14u << (node.parent & 3u));
      continue;
    }
    let lane = firstTrailingBit(lanes);
    let first = node.first[lane];
    let count = node.count[lane];
    if (count == 0u) {
      number = first;
      lanes = lanes_with_lamps(number, ray);
      continue;
    }
    lanes &= lanes - 1u;
    for (var i = first; i < first + count; i++) {
      let lamp = read_tree_light(scene.tree_lights + i * TREE_LIGHT_WORDS).number;
      if (lamp >= scene.light_count) { continue; }
      let met = meet_lamp(read_light(scene.lights + lamp * LIGHT_WORDS), place, direction);
      if (met.density == 0.0 || met.reach >= far || met.reach < near) { continue; }
      var chance = 0.0;
      if (chosen > 0.0) { chance = chance_of(lamp, place); }
      add_met(scattered, met, chance, media, chosen, weight);
    }
  }`,
  )}
}

/* The radiance of a light in the scene that a scattered ray hits; a density of 0 if it misses it. */
fn meet_lamp(light: Light, place: vec3<f32>, direction: vec3<f32>) -> LightMet {
  switch (light.kind) {
    ${cases(
      [has.rectangles, [rectangle], 'return meet_rectangle(light, place, direction);'],
      [has.spheres, [point, spot], 'return meet_sphere(light, place, direction);'],
    )}
    default: { return no_light_met(); }
  }
}
`

/** What a ray sees in a unit direction from a surface with a facing, if it hits nothing. */
const MAP_AROUND = /* wgsl */ `
fn add_surroundings(scattered: u32, facing: u32, direction: vec3<f32>, chosen: f32, weight: vec3<f32>) {
  add_met(scattered, meet_map(facing, direction), scene.map_probability, 0u, chosen, weight);
}
`

/** The sky is smooth: it is left to scattered rays alone. */
const SKY_AROUND = /* wgsl */ `
fn add_surroundings(scattered: u32, facing: u32, direction: vec3<f32>, chosen: f32, weight: vec3<f32>) {
  let light = weight * sky_at(direction.y);
  accumulate(limit_of(scattered, light) * light);
}
`
