/** A path in flight and its ray, as `worker/engine/wasm/kernel/path/state.ts`: one an invocation, and the rays to lights of its hit. */
export const STATE = /* wgsl */ `
struct Path {
  origin: vec3<f32>,
  /* Where its ray begins, in lengths of its direction. */
  t_min: f32,
  direction: vec3<f32>,
  /* Where it ends, as bits. */
  t_max: u32,
  /* The slot of the hit behind which it begins, or 0, and its instance. */
  passed: vec2<u32>,
  weight: vec3<f32>,
  /* With which its direction was chosen; 0 if its light could not have been found in another way. */
  density: f32,
  wide: bool,
  scattered: u32,
  facing: u32,
  media: u32,
  cone: u32,
  seed: u32,
  number: u32,
}

/* What follows a hit: its path goes on along another ray, or has ended. */
var<private> path: Path;
var<private> goes_on: bool;

/* The ray under way: of the path, or another. */
struct Ray {
  origin: vec3<f32>,
  t_min: f32,
  direction: vec3<f32>,
  t_max: u32,
  passed: vec2<u32>,
  shadow: bool,
}

var<private> ray: Ray;
`
