/** Tables of directional albedos, as `worker/engine/wasm/kernel/path/lobes/albedo.ts`; they are where words of `tables` say. */
import { ALBEDO } from '../../../../wasm/records/albedos.ts'

export const ALBEDO_TABLES = /* wgsl */ `
fn albedo_in(table: u32, cosine: f32) -> f32 {
  let at = place_of(cosine, ${ALBEDO.cells}u);
  let cell = cell_at(at, ${ALBEDO.cells}u);
  return entry_at(table + cell, at - f32(cell));
}

fn place_of(cosine: f32, cells: u32) -> f32 { return sqrt(clamp(cosine, 0.0, 1.0)) * f32(cells); }

fn cell_at(place: f32, cells: u32) -> u32 { return min(cells - 1u, u32(place)); }

/* Between an entry and the next one. */
fn entry_at(entry: u32, share: f32) -> f32 { return mix(float_at(entry), float_at(entry + 1u), share); }
`
