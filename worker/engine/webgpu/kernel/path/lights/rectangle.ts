/** Rectangles that shine towards one side, as `worker/engine/wasm/kernel/path/lights/rectangle.ts`. */
export const RECTANGLE = /* wgsl */ `
/* Density of a direction to a point of a rectangle. */
fn rectangle_density(light: Light, seen: SeenRectangle, distance: f32, cosine: f32) -> f32 {
  if (seen.solid > 0.0) { return 1.0 / seen.solid; }
  return density_over(light.area, distance, cosine);
}

fn sample_rectangle(light: Light, place: vec3<f32>, u: f32, v: f32) -> LightSample {
  let centre = light.position - place;
  let seen = see_rectangle(light, centre);
  var way = Way();
  if (seen.solid > 0.0) {
    /* In its plane: that of the difference to a corner has fewer digits. */
    let at = point_seen(seen, u, v);
    way = way_of(at.x * seen.across + at.y * seen.up + seen.ahead * light.normal);
  } else {
    way = way_of(centre + (2.0 * u - 1.0) * light.axis + (2.0 * v - 1.0) * light.up);
  }
  let cosine = -seen.ahead / max(way.distance, 1e-30);
  if (!(cosine > 0.0)) { return no_light(); }
  let reach = short_of(way.distance, cosine, size_of(place) + way.distance);
  return LightSample(way.direction, light.color, rectangle_density(light, seen, way.distance, cosine), reach, 1.0);
}

fn meet_rectangle(light: Light, place: vec3<f32>, direction: vec3<f32>) -> LightMet {
  let cosine = -dot(direction, light.normal);
  let centre = light.position - place;
  let ahead = dot(centre, light.normal);
  if (!(cosine > 0.0 && ahead < 0.0)) { return no_light_met(); }
  let distance = -ahead / cosine;
  /* From the centre to where the ray meets the plane, along both axes. */
  let at = distance * direction - centre;
  if (!(reaches_within(light.axis, at) && reaches_within(light.up, at))) { return no_light_met(); }
  /* As far as shadow rays go to it: a surface in its plane is behind it for both. */
  let reach = short_of(distance, cosine, size_of(place) + distance);
  return LightMet(light.color, rectangle_density(light, see_rectangle(light, centre), distance, cosine), reach);
}

/* Whether a vector reaches no further along an axis than the axis itself. */
fn reaches_within(axis: vec3<f32>, v: vec3<f32>) -> bool {
  return abs(dot(v, axis)) <= dot(axis, axis);
}
`
