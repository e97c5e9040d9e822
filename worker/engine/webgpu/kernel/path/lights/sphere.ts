/**
 * Point and spot lights, as `worker/engine/wasm/kernel/path/lights/sphere.ts`. A sphere is measured in distances to it, because its square and that of
 * the distance need not be floats, and one that is too small for that is a point.
 */
import { LIGHT_KINDS } from '../../../../wasm/records/light.ts'

export const SPHERE = /* wgsl */ `
const SPHERE_PI = 3.141592653589793;
/* Radius below which a sphere is a point, in distances or units. */
const LEAST_RADIUS = 1e-15;

/* Share of a spot's light in a unit direction from the light. */
fn cone_share(light: Light, direction: vec3<f32>) -> f32 {
  if (light.kind != ${LIGHT_KINDS.spot}u) { return 1.0; }
  let cosine = dot(direction, light.axis);
  if (light.inner <= light.outer) { return select(0.0, 1.0, cosine > light.outer); }
  let t = clamp((cosine - light.outer) / (light.inner - light.outer), 0.0, 1.0);
  return t * t * select(3.0 - 2.0 * t, 1.0, light.squared != 0u);
}

fn is_point(radius: f32, distance: f32) -> bool {
  return radius <= LEAST_RADIUS * max(1.0, distance);
}

/* 1 - the cosine of the half angle under which a sphere is seen whose radius, in distances, has this square. */
fn cap(square: f32) -> f32 {
  return square / (1.0 + sqrt(max(0.0, 1.0 - square)));
}

fn sample_sphere(light: Light, place: vec3<f32>, u: f32, v: f32) -> LightSample {
  let way = way_of(light.position - place);
  let radius = light.size;
  /* Nothing is lit from inside a lamp. */
  if (way.distance <= radius) { return no_light(); }
  let size = size_of(place) + way.distance;
  if (is_point(radius, way.distance)) {
    let scale = 1.0 / max(way.distance, LEAST_RADIUS);
    let light_there = light.color * (cone_share(light, -way.direction) * scale * scale);
    return LightSample(way.direction, light_there, 0.0, short_of(way.distance, 1.0, size), 1.0);
  }
  let ratio = radius / way.distance;
  let square = ratio * ratio;
  let open = cap(square);
  let rest = v * open;
  let side2 = max(0.0, rest * (2.0 - rest));
  let direction = point_around(way.direction, vec3<f32>(on_circle(u) * sqrt(side2), 1.0 - rest));
  let nearest = way.distance * (1.0 - rest - sqrt(max(0.0, square - side2)));
  let radiance = light.color * (cone_share(light, -direction) / (SPHERE_PI * radius * radius));
  return LightSample(direction, radiance, 1.0 / (2.0 * SPHERE_PI * open), short_of(nearest, 1.0, size), 1.0);
}

fn meet_sphere(light: Light, place: vec3<f32>, direction: vec3<f32>) -> LightMet {
  let way = way_of(light.position - place);
  let radius = light.size;
  if (way.distance <= radius || is_point(radius, way.distance)) { return no_light_met(); }
  let ratio = radius / way.distance;
  let square = ratio * ratio;
  let along = dot(way.direction, direction);
  /* How far the ray passes from the centre, without cancellation. */
  let aside = way.direction - along * direction;
  let inside = square - dot(aside, aside);
  if (along <= 0.0 || inside < 0.0) { return no_light_met(); }
  let radiance = light.color * (cone_share(light, -direction) / (SPHERE_PI * radius * radius));
  return LightMet(radiance, 1.0 / (2.0 * SPHERE_PI * cap(square)), way.distance * (along - sqrt(inside)));
}
`
