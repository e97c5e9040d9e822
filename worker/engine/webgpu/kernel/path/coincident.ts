/** Solids that touch, as `worker/engine/wasm/kernel/path/coincident.ts`: a hit on one is held until what is just behind it is known. */
export const COINCIDENT = /* wgsl */ `
const SLANT = 16.0;

/* The hit, while what is behind it is traced. */
var<private> held: Answer;

/* The crossing at what a ray has met; 0 if that is no solid. */
fn crossing_at(surface: Surface, found: Answer) -> u32 {
  let medium = read_material(surface.material).medium;
  if (medium == 0u) { return 0u; }
  return crossing_of(medium, outer_of(found), surface.side > 0.0);
}

/* Where a ray is, in lengths of its direction, when it is as deep behind its hit as rays start that go on from there. */
fn end_behind(surface: Surface, t: f32) -> f32 {
  let cosine = -dot(surface.d, surface.g);
  let slant = min(SLANT, 1.0 / max(cosine, 1e-6));
  return t + 2.0 * surface.offset * slant / length(path.direction);
}
`
