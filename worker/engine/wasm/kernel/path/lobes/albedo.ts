/** Directional albedo of a material's specular part, from the table that the host computed (`albedo-tables.ts`). */
import { ALBEDO_CELLS, MATERIAL_ALBEDO } from '../../layout'

export function albedo(material: u32, cosine: f64): f64 {
  return albedoIn(load<u32>(material, MATERIAL_ALBEDO), cosine)
}

/** From a table of that kind. */
@inline
export function albedoIn(table: u32, cosine: f64): f64 {
  const at = sqrt<f64>(min<f64>(1, max<f64>(0, cosine))) * <f64>ALBEDO_CELLS
  const cell = min<u32>(ALBEDO_CELLS - 1, <u32>at)
  const entry = table + cell * 4
  const low: f64 = load<f32>(entry)
  const high: f64 = load<f32>(entry, 4)
  return low + (high - low) * (at - <f64>cell)
}
