/** Angles of points, as `worker/engine/wasm/kernel/surface/math/arctangent.ts`: WGSL's own may be off by 4096 units in the last place. */
export const ARCTANGENT = /* wgsl */ `
const TAN_EIGHTH = 0.41421356237309503;

/* Angle of (x, y) from the x axis towards the y axis, turns, -1/2 to 1/2; 0 for the origin. Within 1e-7. */
fn turns_of(y: f32, x: f32) -> f32 {
  let across = abs(x);
  let up = abs(y);
  let far = max(across, up);
  if (!(far > 0.0)) { return 0.0; }
  var turns = eighth(min(across, up) / far);
  turns = select(turns, 0.25 - turns, up > across);
  turns = select(turns, 0.5 - turns, x < 0.0);
  return select(turns, -turns, y < 0.0);
}

/* Arc tangents of 0 to 1, turns. */
fn eighth(tangent: f32) -> f32 {
  let less = tangent > TAN_EIGHTH;
  let t = select(tangent, (tangent - 1.0) / (tangent + 1.0), less);
  let half = t / (1.0 + sqrt(1.0 + t * t));
  let s = half * half;
  let sum = 1.0 - s * (1.0 / 3.0 - s * (1.0 / 5.0 - s * (1.0 / 7.0 - s * (1.0 / 9.0 - s * (1.0 / 11.0)))));
  return select(0.0, 0.125, less) + half * sum * (2.0 / 6.283185307179586);
}
`
