/**
 * A rectangle as a point sees it, as `worker/engine/wasm/kernel/path/lights/seen-rectangle.ts` (Ureña, Fajardo and King, EGSR 2013; names are theirs).
 * In floats, 1 - a square of a sine or cosine near 1 has no digits left: such differences are taken between sides instead.
 */
export const SEEN_RECTANGLE = /* wgsl */ `
const SEEN_TURN = 6.283185307179586;
/* Squared distance to the centre, in squares of half the diagonal, from which on its area is chosen from. */
const FAR_RECTANGLE = 16.0;
/* Solid angle below which the sum of four angles has too few digits left, turns. */
const LEAST_RECTANGLE = 1e-3;

/*
 * Its solid angle, 0 if a choice over its area is as good; that in turns, the angle k; its low and high sides along the unit axes across and up, relative to
 * the point, and how far its plane is ahead along its normal.
 */
struct SeenRectangle {
  solid: f32,
  angle: f32,
  k: f32,
  low: vec2<f32>,
  high: vec2<f32>,
  ahead: f32,
  across: vec3<f32>,
  up: vec3<f32>,
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
  let zz = z * z;
  let low2 = seen.low * seen.low;
  let high2 = seen.high * seen.high;
  /* Between the planes through neighbouring sides: tan y = z * distance to their corner / -+ (x y). */
  let g0 = turns_of(z * sqrt(high2.x + low2.y + zz), seen.high.x * seen.low.y);
  let g1 = turns_of(z * sqrt(high2.x + high2.y + zz), -seen.high.x * seen.high.y);
  let g2 = turns_of(z * sqrt(low2.x + high2.y + zz), seen.low.x * seen.high.y);
  let g3 = turns_of(z * sqrt(low2.x + low2.y + zz), -seen.low.x * seen.low.y);
  seen.k = max(0.0, 1.0 - g2 - g3);
  seen.angle = (g0 + g1) + (g2 + g3) - 1.0;
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
  let ys = vec2<f32>(seen.low.y, seen.high.y);
  let b = vec2<f32>(-1.0, 1.0) * ys / sqrt(ys * ys + zz);
  let circle = on_circle(u * seen.angle + seen.k);
  /* fu as a fraction, and 1 - b0^2. */
  let above = circle.x * b.x - b.y;
  let below = circle.y;
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
