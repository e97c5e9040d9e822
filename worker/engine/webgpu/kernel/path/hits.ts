/** What a path's ray sees besides a surface, as `worker/engine/wasm/kernel/path/hits.ts`: the surroundings if it missed everything, and lamps on its way. */
export const HITS = /* wgsl */ `
/* Work of shading a hit, in traversal steps. */
const SHADING_STEPS = 20u;

/* Lamps only scattered rays see. @param t where the ray has hit something, in lengths of its direction */
fn add_lights(missed: bool, lamps: bool, t: f32) {
  let reach = length(path.direction);
  let d = path.direction / reach;
  let dropped = drops_lights(path);
  let weight = path.weight * order.share;
  if (missed && !(dropped && scene.map != 0u)) {
    add_surroundings(path.scattered, path.facing, d, path.density, weight * left_of(path.media, FAR_AWAY));
  }
  if (!lamps || dropped) { return; }
  let distance = select(t * reach, FAR_AWAY, missed);
  add_lamps(path.scattered, path.origin, d, path.t_min * reach, distance, path.media, path.density, weight);
}
`
