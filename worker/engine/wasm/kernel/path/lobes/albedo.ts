/**
 * Tables of directional albedos, over roots of cosines because they change most along the surface, and some over roughnesses, too. Read
 * here, and between their entries linearly. The host makes those of one roughness and index (`albedo-tables.ts`, `glass-tables.ts`), the
 * kernel the one for all roughnesses (`principled/albedos.ts`), over a coarser grid of facets: the bytes of frames depend on both.
 */
import { Albedo, Material } from '../../records'

/** Of a material's specular part. */
export function albedo(material: u32, cosine: f64): f64 {
  return albedoIn(Material.albedo(material), cosine)
}

/** From a table of that kind. */
@inline
export function albedoIn(table: u32, cosine: f64): f64 {
  const at = placeOf(cosine, Albedo.CELLS)
  const cell = cellAt(at, Albedo.CELLS)
  return entryAt(table + cell * 4, at - <f64>cell)
}

/** Place of a cosine in a table of `cells` cells. */
@inline
export function placeOf(cosine: f64, cells: u32): f64 {
  return sqrt<f64>(min<f64>(1, max<f64>(0, cosine))) * <f64>cells
}

/** The cell of a place. */
@inline
export function cellAt(place: f64, cells: u32): u32 {
  return min<u32>(cells - 1, <u32>place)
}

/** Between an entry and the next one. */
@inline
export function entryAt(entry: u32, share: f64): f64 {
  return between(load<f32>(entry), load<f32>(entry, 4), share)
}

@inline
export function between(a: f64, b: f64, share: f64): f64 {
  return a + (b - a) * share
}
