/** How a path's rays pass surfaces, as `worker/engine/wasm/kernel/path/pass.ts`: blends and sheets by chance. */
import { PASSING } from '../../../wasm/records/material.ts'

export const PASS_PATHS = /* wgsl */ `
const SHADOW_PASSAGES = ${PASSING.some | PASSING.sheet}u;
const CAMERA_PASSAGES = ${PASSING.some | PASSING.backs}u;

/* A number in [0, 1) for the path at hand at a triangle. */
fn chance_at(triangle: u32) -> f32 {
  let own = mixed_word(path.number + mixed_word(path.seed + path.scattered));
  return f32(mixed_word(own + triangle) >> 8u) * (1.0 / 16777216.0);
}

/* Whether the path at hand passes its hit: then it goes on behind it, tinted by a sheet. The density of its direction stays. */
fn pass_paths(surface: Surface, found: Answer) -> bool {
  let material = read_material(surface.material);
  let which = select(SHADOW_PASSAGES, CAMERA_PASSAGES, path.scattered == 0u);
  if ((material.passing & which) == 0u) { return false; }
  let color = color_at(surface, material);
  let why = passes(surface, material, color, which, chance_at(number_of_hit(found)));
  if (why == 0u) { return false; }
  if (why == PASSED_SHEET) { path.weight *= color.xyz; }
  send_behind(found);
  return true;
}
`
