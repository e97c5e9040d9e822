/** What a path travels in, as `worker/engine/wasm/kernel/path/media.ts`: numbers of a byte, the last entered in the lowest. */
import { MEDIA, MODELS } from '../../../wasm/records/material.ts'

export const MEDIA_OF_PATHS = /* wgsl */ `
const MEDIUM_BITS = ${MEDIA.bits}u;
const LAST_MEDIUM = ${MEDIA.last}u;

fn innermost(media: u32) -> u32 { return media & LAST_MEDIUM; }

fn medium_at(medium: u32) -> u32 { return scene.media + medium * MEDIUM_WORDS; }

fn index_of(medium: u32) -> f32 { return read_medium(medium_at(medium)).ior; }

fn holds(media: u32, medium: u32) -> bool {
  for (var rest = media; rest != 0u; rest >>= MEDIUM_BITS) {
    if ((rest & LAST_MEDIUM) == medium) { return true; }
  }
  return false;
}

fn entered(media: u32, medium: u32) -> u32 { return (media << MEDIUM_BITS) | medium; }

/* Without the one that was entered last of equal ones. */
fn without(media: u32, medium: u32) -> u32 {
  for (var at = 0u; at < 32u; at += MEDIUM_BITS) {
    if (((media >> at) & LAST_MEDIUM) == medium) {
      let later = (1u << at) - 1u;
      return (media & later) | ((media >> MEDIUM_BITS) & ~later);
    }
  }
  return media;
}

/* A crossing of a surface; never 0. */
fn crossing_of(medium: u32, outer: u32, inwards: bool) -> u32 {
  return medium | (outer << MEDIUM_BITS) | (select(0u, 1u, inwards) << (2u * MEDIUM_BITS));
}

/* The media after a crossing. */
fn crossed(media: u32, crossing: u32) -> u32 {
  let inner = crossing & LAST_MEDIUM;
  let outer = (crossing >> MEDIUM_BITS) & LAST_MEDIUM;
  if ((crossing >> (2u * MEDIUM_BITS)) != 0u) {
    if (outer == 0u) { return entered(media, inner); }
    return entered(without(media, outer), inner);
  }
  let rest = without(media, inner);
  if (outer == 0u) { return rest; }
  return entered(rest, outer);
}

/* What is on the side of a crossing that it comes from, of a path that should know. */
fn before(media: u32, crossing: u32) -> u32 {
  let inner = crossing & LAST_MEDIUM;
  let outer = (crossing >> MEDIUM_BITS) & LAST_MEDIUM;
  let here = select(inner, outer, (crossing >> (2u * MEDIUM_BITS)) != 0u);
  if (here == 0u || holds(media, here)) { return innermost(media); }
  return here;
}

/* The medium on the outer side of a hit's triangle, if that is known. */
fn outer_of(found: Answer) -> u32 {
  if (scene.outers == 0u || is_of_instance(found)) { return 0u; }
  let triangle = triangle_of(found);
  return (tables[scene.outers + (triangle >> 2u)] >> (8u * (triangle & 3u))) & 0xffu;
}

/* Whether a surface is nothing but a boundary between media. */
fn is_boundary(material: Material) -> bool {
  if (material.model == ${MODELS.dielectric}u) { return true; }
  return material.model == ${MODELS.principled}u && material.transmission == 1.0 && material.metallic == 0.0;
}

/* Shares of light that are left after a distance. */
fn left_of(media: u32, distance: f32) -> vec3<f32> {
  if (media == 0u) { return vec3<f32>(1.0); }
  let absorption = read_medium(medium_at(innermost(media))).absorption;
  return vec3<f32>(left_after(absorption.x, distance), left_after(absorption.y, distance), left_after(absorption.z, distance));
}

fn left_after(absorption: f32, distance: f32) -> f32 {
  if (absorption == 0.0) { return 1.0; }
  return exponential(-absorption * distance);
}
`

/** For scenes with media: surfaces are counted around the camera, as the kernel does. */
export const AROUND = /* wgsl */ `
/* In this direction, and so many at most. */
const AWAY = vec3<f32>(0.0712, 0.9921, 0.1033);
const MOST_CROSSINGS = 64u;

/* The surfaces that were met on the way out, crossed as on the way back. */
var<private> crossings: array<u32, MOST_CROSSINGS>;
var<private> crossing_count: u32;
var<private> met_around_camera: u32;

fn ray_around_camera() -> Ray {
  return Ray(view.origin, 0.0, AWAY, INFINITE, vec2<u32>(), false);
}

/* Notes what the ray around the camera has met; whether it goes on. */
fn goes_outwards(surface: Surface, found: Answer) -> bool {
  let medium = read_material(surface.material).medium;
  if (medium != 0u) {
    crossings[crossing_count] = crossing_of(medium, outer_of(found), surface.side < 0.0);
    crossing_count += 1u;
  }
  met_around_camera += 1u;
  return met_around_camera < MOST_CROSSINGS;
}

fn media_of_camera() -> u32 {
  var media = 0u;
  for (var i = crossing_count; i > 0u; i--) { media = crossed(media, crossings[i - 1u]); }
  return media;
}
`
