/**
 * A rectangle as a point sees it, as `worker/engine/wasm/kernel/path/lights/seen-rectangle.ts` (Ureña, Fajardo and King, EGSR 2013; names are theirs).
 * In floats, sums of angles near half a turn, and 1 - what is near 1, have no digits left: half turns are counted apart, and such differences are taken between
 * sides.
 */
export const SEEN_RECTANGLE = /* wgsl */ `
const SEEN_TURN = 6.283185307179586;
/* Squared distance to the centre, in squares of half the diagonal, from which on its area is chosen from. */
const FAR_RECTANGLE = 16.0;
/* Solid angle below which angles have too few digits left, turns. */
const LEAST_RECTANGLE = 1e-5;

/* An angle of whole half turns and a rest, turns. */
struct HalfTurns { halves: i32, rest: f32 }

/*
 * Its solid angle, 0 if a choice over its area is as good; that in turns, the angle k; its low and high sides along the unit axes across and up, relative to
 * the point, and how far its plane is ahead along its normal.
 */
struct SeenRectangle {
  solid: f32,
  angle: f32,
  k: HalfTurns,
  low: vec2<f32>,
  high: vec2<f32>,
  ahead: f32,
  across: vec3<f32>,
  up: vec3<f32>,
}

/* Angle between the planes through the sides that meet at a corner: its tangent is the depth times the distance to the corner, over x y. */
fn corner_angle(x: f32, y: f32, xy: f32, z: f32) -> HalfTurns {
  let rest = turns_of(z * sqrt(x * x + y * y + z * z), abs(xy));
  if (xy < 0.0) { return HalfTurns(1, -rest); }
  return HalfTurns(0, rest);
}

/* @param centre of the rectangle, relative to the point */
fn see_rectangle(light: Light, centre: vec3<f32>) -> SeenRectangle {
  var seen = SeenRectangle();
  seen.ahead = dot(centre, light.normal);
  let width2 = dot(light.axis, light.axis);
  let height2 = dot(light.up, light.up);
  if (dot(centre, centre) > FAR_RECTANGLE * (width2 + height2)) { return seen; }
  let half_sides = sqrt(vec2<f32>(width2, height2));
  seen.across = light.axis / half_sides.x;
  seen.up = light.up / half_sides.y;
  let middle = vec2<f32>(dot(centre, seen.across), dot(centre, seen.up));
  seen.low = middle - half_sides;
  seen.high = middle + half_sides;
  let z = abs(seen.ahead);
  let k0 = corner_angle(seen.low.x, seen.high.y, -seen.low.x * seen.high.y, z);
  let k1 = corner_angle(seen.low.x, seen.low.y, seen.low.x * seen.low.y, z);
  let g0 = corner_angle(seen.high.x, seen.low.y, seen.high.x * seen.low.y, z);
  let g1 = corner_angle(seen.high.x, seen.high.y, -seen.high.x * seen.high.y, z);
  seen.k = HalfTurns(k0.halves + k1.halves, k0.rest + k1.rest);
  seen.angle = 0.5 * f32(g0.halves + g1.halves - seen.k.halves) + (g0.rest + g1.rest - seen.k.rest);
  if (seen.angle >= LEAST_RECTANGLE) { seen.solid = SEEN_TURN * seen.angle; }
  return seen;
}

/* 1 - y / s, where s is the square root of d2 + y^2. */
fn rest_of_sine(y: f32, d2: f32) -> f32 {
  let s = sqrt(d2 + y * y);
  return select(1.0 - y / s, d2 / (s * (s + y)), y > 0.0);
}

/* A point of a rectangle that is close, along both axes from the point that sees it. */
fn point_seen(seen: SeenRectangle, u: f32, v: f32) -> vec2<f32> {
  let zz = seen.ahead * seen.ahead;
  /* fu as a fraction: with half turns taken off, cos(au) b0 - b1 is b0 -+ b1 less a share of b0. */
  let b0 = -seen.low.y / sqrt(seen.low.y * seen.low.y + zz);
  var ends = rest_of_sine(seen.high.y, zz) - rest_of_sine(-seen.low.y, zz);
  if ((seen.k.halves & 1) != 0) {
    let lower = rest_of_sine(seen.low.y, zz) - rest_of_sine(seen.high.y, zz);
    let upper = rest_of_sine(-seen.high.y, zz) - rest_of_sine(-seen.low.y, zz);
    ends = select(upper, lower, seen.low.y > 0.0);
  }
  let au = u * seen.angle + seen.k.rest;
  let half_au = on_circle(0.5 * abs(au));
  let above = ends - 2.0 * half_au.y * half_au.y * b0;
  let below = sign(au) * 2.0 * half_au.x * half_au.y;
  let rest = zz / (seen.low.y * seen.low.y + zz);
  let far = abs(seen.ahead * below) / sqrt(max(above * above - rest * below * below, 1e-20));
  let xu = clamp(select(far, -far, (above < 0.0) != (below < 0.0)), seen.low.x, seen.high.x);
  let d2 = xu * xu + zz;
  /* 1 + h and 1 - h of both ends, and how far these are apart, from those that are not near 1. */
  let plus = vec2<f32>(rest_of_sine(-seen.low.y, d2), rest_of_sine(-seen.high.y, d2));
  let minus = vec2<f32>(rest_of_sine(seen.low.y, d2), rest_of_sine(seen.high.y, d2));
  let spread = select(plus.y - plus.x, minus.x - minus.y, seen.low.y + seen.high.y > 0.0);
  let plus_v = plus.x + v * spread;
  let minus_v = minus.y + (1.0 - v) * spread;
  let yv = 0.5 * (plus_v - minus_v) * sqrt(d2 / max(plus_v * minus_v, 1e-30));
  return vec2<f32>(xu, clamp(yv, seen.low.y, seen.high.y));
}
`
