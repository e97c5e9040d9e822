/** Which table of albedos a material's model reads, see MATERIAL_ALBEDO. */
import { keepNewest } from '../../../../shared/keep-newest.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import {
  ALBEDO_CELLS,
  ALBEDO_ROUGHNESSES,
  CLEAR_BYTES,
  GLASS_BYTES,
  MODEL_COATED,
  MODEL_CONDUCTOR,
  MODEL_DIELECTRIC,
  MODEL_PRINCIPLED,
} from '../kernel/layout.ts'
import { type AlbedoTable, albedoTable } from './albedo-tables.ts'
import { clearTable, glassTable, type RoughnessRows } from './glass-tables.ts'
import { modelOf } from './models.ts'

export interface MaterialTable {
  /** Equal for materials with equal tables. */
  readonly key: string
  readonly bytes: number
  readonly compute: () => AlbedoTable
}

/** The newest tables, by key: the frames of a film in which something moves have the same materials. */
const computed = new Map<string, AlbedoTable>()
const MOST_KEPT = 64

/** Computes a table, unless that was done lately. */
export function tableFor({ key, compute }: MaterialTable): AlbedoTable {
  const table = computed.get(key) ?? compute()
  computed.delete(key)
  computed.set(key, table)
  keepNewest(computed, MOST_KEPT)
  return table
}

/** Undefined for materials without one. */
export function tableOf(material: Material): MaterialTable | undefined {
  const { model, alpha } = modelOf(material)
  const { ior } = material
  const bytes = (ALBEDO_CELLS + 1) * 4
  if (model === MODEL_CONDUCTOR && alpha > 0) return { key: `metal ${alpha}`, bytes, compute: () => albedoTable(alpha) }
  if (model === MODEL_COATED) return { key: `coat ${alpha} ${ior}`, bytes, compute: () => albedoTable(alpha, ior) }
  if (model === MODEL_DIELECTRIC && alpha > 0) {
    const compute = () => ({ values: glassTable(alpha, ior), mean: 0 })
    return { key: `glass ${alpha} ${ior}`, bytes: GLASS_BYTES, compute }
  }
  if (model !== MODEL_PRINCIPLED || material.transmission === 0 || material.thin) return undefined
  const rows = rowsOf(material)
  const compute = () => ({ values: clearTable(ior, rows), mean: 0 })
  return { key: `clear ${ior} ${rows.first} ${rows.last}`, bytes: CLEAR_BYTES, compute }
}

/** A texture only makes surfaces smoother. */
function rowsOf({ roughness, maps }: Material): RoughnessRows {
  // The kernel's roughness is a float.
  const row = Math.min(ALBEDO_ROUGHNESSES - 1, Math.floor(Math.fround(roughness) * ALBEDO_ROUGHNESSES))
  return { first: maps.roughness ? 0 : row, last: row + 1 }
}
