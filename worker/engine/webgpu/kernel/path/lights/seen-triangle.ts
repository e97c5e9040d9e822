/**
 * A triangle as a point sees it, as `worker/engine/wasm/kernel/path/lights/seen-triangle.ts`: the same solid angle, and the same directions for the same
 * numbers. Arvo's cosine of the side to the moved corner has too few digits in floats; here half the tangent of that side comes from the same equation
 * of van Oosterom and Strackee that says the solid angle, solved for it: nothing cancels.
 */
export const SEEN_TRIANGLE = /* wgsl */ `
const TRIANGLE_TURN = 6.283185307179586;
/* Squared distance to the middle, in squares of the farthest corner's from there, beyond which the area is chosen from. */
const FAR_TRIANGLE = 1.0;
/* Solid angle below which directions have too few digits left, turns of two spheres. */
const LEAST_TRIANGLE = 1e-5;

/*
 * Its solid angle, 0 if a choice over its area is as good; half of it in turns; unit vectors towards corners a and b, and one across a towards c; 1 + the cosine
 * between a and b; the volume of a, across and b, and the cosine between the last two.
 */
struct SeenTriangle {
  solid: f32,
  half: f32,
  a: vec3<f32>,
  b: vec3<f32>,
  across: vec3<f32>,
  near: f32,
  volume: f32,
  along: f32,
}

/* @param a relative to the point @param ab from corner a to b @param ac from corner a to c */
fn see_triangle(a: vec3<f32>, ab: vec3<f32>, ac: vec3<f32>) -> SeenTriangle {
  var seen = SeenTriangle();
  let third = (ab + ac) / 3.0;
  let middle = a + third;
  let around = max(dot(third, third), max(dot(ab - third, ab - third), dot(ac - third, ac - third)));
  if (!(dot(middle, middle) <= FAR_TRIANGLE * around)) { return seen; }
  let b = a + ab;
  let c = a + ac;
  let inverse = 1.0 / sqrt(max(vec3<f32>(dot(a, a), dot(b, b), dot(c, c)), vec3<f32>(1e-36)));
  seen.a = a * inverse.x;
  seen.b = b * inverse.y;
  let to_c = c * inverse.z;
  let volume = abs(dot(seen.a, cross(ab, ac))) * inverse.y * inverse.z;
  let sum = 1.0 + dot(seen.a, seen.b) + dot(seen.a, to_c) + dot(seen.b, to_c);
  seen.half = turns_of(volume, sum);
  let side = ac - dot(ac, seen.a) * seen.a;
  seen.across = side / sqrt(max(dot(side, side), 1e-36));
  seen.volume = abs(dot(ab, cross(seen.a, seen.across))) * inverse.y;
  seen.along = dot(ab, seen.across) * inverse.y;
  let both = seen.a + seen.b;
  seen.near = 0.5 * dot(both, both);
  if (seen.half >= LEAST_TRIANGLE && volume > 0.0) { seen.solid = 2.0 * TRIANGLE_TURN * seen.half; }
  return seen;
}

/* A direction towards a triangle that is close. */
fn point_on_seen(seen: SeenTriangle, u: f32, v: f32) -> vec3<f32> {
  /* Corner c moves along the side to a: what lies between a, b and it is the share u of the triangle. */
  let part = on_circle(seen.half * u);
  let sine = seen.near * part.y;
  let cosine = max(0.0, seen.volume * part.x - seen.along * part.y);
  let scale = 1.0 / max(sine * sine + cosine * cosine, 1e-36);
  let moved = (cosine * cosine - sine * sine) * scale * seen.a + 2.0 * sine * cosine * scale * seen.across;
  /* From b towards it, evenly in the cosine. */
  let apart = moved - seen.b;
  let rest = v * 0.5 * dot(apart, apart);
  let side = apart - dot(apart, seen.b) * seen.b;
  let length = sqrt(dot(side, side));
  if (!(length > 0.0)) { return seen.b; }
  return (1.0 - rest) * seen.b + sqrt(max(0.0, rest * (2.0 - rest))) / length * side;
}
`
