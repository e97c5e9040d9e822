/** Which way a surface faces, as `worker/engine/wasm/kernel/path/lights/facing.ts`: a cell of an octahedron, counted from 1. */
import { MAP_GRID } from '../../../../wasm/records/light.ts'

export const FACING = /* wgsl */ `
const ANY_FACING = 0u;

fn facing_of(n: vec3<f32>) -> u32 {
  let scaled = n.xz / (abs(n.x) + abs(n.y) + abs(n.z));
  /* The lower half lies outside the square of the upper one. */
  let folded = (1.0 - abs(scaled.yx)) * select(vec2<f32>(1.0), vec2<f32>(-1.0), scaled < vec2<f32>());
  let place = select(scaled, folded, n.y < 0.0);
  return 1u + cell_of(place.y) * ${MAP_GRID.facings}u + cell_of(place.x);
}

fn cell_of(place: f32) -> u32 {
  return min(${MAP_GRID.facings - 1}u, u32(max(0.0, (place + 1.0) * ${(0.5 * MAP_GRID.facings).toFixed(1)})));
}
`
