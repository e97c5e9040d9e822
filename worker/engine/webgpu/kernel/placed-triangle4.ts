/**
 * Triangles of instances where they are in the scene, as `worker/engine/wasm/kernel/placed-triangle4.ts`, whose sums `placed` makes: with its bits
 * (`arithmetic-doubles.ts`), or nearly (`arithmetic-loose.ts`).
 */
import { CORNER } from '../../wasm/records/mesh.ts'

export const PLACED_TRIANGLE4 = /* wgsl */ `
const CORNER_LENGTH = ${CORNER.bytes / 16}u;

/* Of four triangles, as in a triangle4. */
var<private> corners: array<vec4<f32>, ${(3 * CORNER.bytes) / 16}>;

/* Sets the corners of the triangle4 that begins at a row of its section. A mirrored instance has them in the other order. */
fn place_triangle4(row: u32, instance: u32) {
  if (instance == 0u) {
    for (var i = 0u; i < 3u * CORNER_LENGTH; i++) { corners[i] = bitcast<vec4<f32>>(triangle4s[row + i]); }
    return;
  }
  let words = instance_words(instance);
  let mirrored = tables[words + INSTANCE_MIRRORED];
  for (var corner = 0u; corner < 3u; corner++) {
    let begin = row + CORNER_LENGTH * select(corner, 3u - corner, mirrored != 0u && corner != 0u);
    let x = bitcast<vec4<f32>>(triangle4s[begin]);
    let y = bitcast<vec4<f32>>(triangle4s[begin + 1u]);
    let z = bitcast<vec4<f32>>(triangle4s[begin + 2u]);
    for (var axis = 0u; axis < 3u; axis++) {
      corners[CORNER_LENGTH * corner + axis] = placed(words + INSTANCE_PLACE + axis * ROW_WORDS, x, y, z);
    }
  }
}
`
