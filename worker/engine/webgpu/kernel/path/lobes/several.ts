/** Colour of the light that microfacets scatter several times, as `worker/engine/wasm/kernel/path/lobes/several.ts`. */
export const SEVERAL = /* wgsl */ `
/* Whether such light is left out. */
var<private> single: bool;

const SLANTING = 0.021;
const REST = 0.05;
const GOES_ON = 0.65;

fn several_color(f0: vec3<f32>, f90: f32, lost: f32) -> vec3<f32> {
  let mean = f0 + (vec3<f32>(f90) - f0) * (SLANTING / (lost + REST));
  let stays = GOES_ON * lost;
  return mean * mean * (1.0 - stays) / (1.0 - mean * stays);
}
`
