/**
 * The box of a triangle itself, by which its hits are judged, as `worker/engine/wasm/kernel/trace/own-box.ts`, which says why. Quotients are inexact here: a ray that has a
 * hit for which this could matter is left to the CPU, or, where the kernel's bits are not asked for, judged by them as they are.
 */
export const OWN_BOX = /* wgsl */ `
/* As much as boxes are widened, and the times of a ray in them (the kernel’s build/boxes.ts, ray-context.ts). */
const SIDE_WIDENING = 0x1p-20f;
const RELATIVE_WIDENING = 0x1p-23f;
const NEARER = 1.0 - 0x1p-19f;
const FARTHER = 1.0 + 0x1p-19f;
/* Half as much of that: times that may be off by some units in the last place are within that surely. */
const SURELY_NEARER = 1.0 - 0x1p-20f;
const SURELY_FARTHER = 1.0 + 0x1p-20f;
const LARGEST_FLOAT = 0x1.fffffep+127f;
const MISSES = 0xffffffffu;

/*
 * When a ray enters the boxes of four triangles, and when it leaves them: those that hits are judged by, or such as are certainly inside of them.
 * rows, origin and inverse: by axis, the longest last
 */
fn box_times(rows: vec3<u32>, origin: vec3<f32>, inverse: vec3<f32>, widened: bool) -> mat2x4<f32> {
  var low: array<vec4<f32>, 3>;
  var high: array<vec4<f32>, 3>;
  var side = vec4<f32>();
  for (var axis = 0u; axis < 3u; axis++) {
    let a = corner_row(rows[axis]);
    let b = corner_row(rows[axis] + CORNER_ROWS);
    let c = corner_row(rows[axis] + 2u * CORNER_ROWS);
    low[axis] = min(min(a, b), c);
    high[axis] = max(max(a, b), c);
    side = max(side, high[axis] - low[axis]);
  }
  var entry = vec4<f32>(-LARGEST_FLOAT);
  var exit = vec4<f32>(LARGEST_FLOAT);
  for (var axis = 0u; axis < 3u; axis++) {
    let wider = select(vec4<f32>(), side * SIDE_WIDENING, widened);
    let least = low[axis] - wider;
    let most = high[axis] + wider;
    let more = select(0.0, RELATIVE_WIDENING, widened);
    let first = sealed(least - abs(least) * more - vec4<f32>(origin[axis])) * inverse[axis];
    let last = sealed(most + abs(most) * more - vec4<f32>(origin[axis])) * inverse[axis];
    entry = max(entry, min(first, last));
    exit = min(exit, max(first, last));
  }
  return mat2x4<f32>(entry, exit);
}

/* Distances to four triangles, raised to where a ray enters their boxes; MISSES for one whose box it misses. Only those that are met matter. */
fn within_boxes(rows: vec3<u32>, ray: ptr<function, Context>, t: vec4<u32>, met: vec4<bool>) -> vec4<u32> {
  let scene_inverse = inverse_of((*ray).direction);
  let axes = (*ray).axes;
  let inverse = vec3<f32>(scene_inverse[axes.x], scene_inverse[axes.y], scene_inverse[axes.z]);
  let distance = bitcast<vec4<f32>>(t);
  let inner = box_times(rows, (*ray).turned, inverse, false);
  let sure = (inner[0] * SURELY_NEARER <= distance) & (distance <= inner[1] * SURELY_FARTHER);
  if (all(sure | !met)) { return t; }
  be_unsure(true);
  let own = box_times(rows, (*ray).turned, inverse, true);
  let entry = max(vec4<f32>(), own[0]) * NEARER;
  let raised = select(vec4<u32>(MISSES), bitcast<vec4<u32>>(max(distance, entry)), entry <= own[1] * FARTHER);
  return select(raised, t, sure);
}
`
