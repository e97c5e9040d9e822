/** By which colour's index a path is refracted, as `worker/engine/wasm/kernel/path/lobes/principled/colours.ts`. */
export const COLOURS = /* wgsl */ `
/* Probabilities of the indices for a facet that lets so much of each colour pass of what the path carries. */
fn colours_of(passing: vec3<f32>) -> vec3<f32> {
  let sum = passing.x + passing.y + passing.z;
  if (!(sum > 0.0)) { return vec3<f32>(1.0 / 3.0); }
  return passing / sum;
}

fn index_for(w: f32, chooses: vec3<f32>, indices: vec3<f32>) -> f32 {
  if (w < chooses.x) { return indices.x; }
  return select(indices.z, indices.y, chooses.z == 0.0 || w < 1.0 - chooses.z);
}
`
