/** What a hit on a solid means for the media of a path, as `worker/engine/wasm/kernel/path/solids.ts`. */
export const SOLIDS = /* wgsl */ `
/* The crossing of another solid’s surface in the same place as that of the hit, or 0. */
var<private> second_crossing: u32;

/* The media behind its surface, whether there is anything at which light is scattered, and the factor of light that passes. */
struct Solid {
  behind: u32,
  scatters: bool,
  known: f32,
}

fn meet_solid(material: Material, outer: u32, media: u32, side: f32) -> Solid {
  let crossing = crossing_of(material.medium, outer, side > 0.0);
  var behind = crossed(media, crossing);
  if (second_crossing != 0u) { behind = crossed(behind, second_crossing); }
  let near = before(media, crossing);
  let index = index_of(near);
  let missed = select(index_of(innermost(media)) / index, 1.0, near == innermost(media));
  set_ratio(material, side, index_of(innermost(behind)) / index);
  return Solid(behind, near != innermost(behind) || !is_boundary(material), missed * missed);
}
`
