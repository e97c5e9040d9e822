/** Which table of albedos a material's model reads, see `albedo` of MATERIAL. */
import { keepNewest } from '../../../../shared/keep-newest.ts'
import { coatIor, type Material } from '../../../../shared/scene/material.ts'
import { ALBEDO, CLEAR_ALBEDO, GLASS_ALBEDO, SPECULAR_ALBEDO } from '../records/albedos.ts'
import { MODELS } from '../records/material.ts'
import { type AlbedoTable, albedoTable, reflectance, schlick } from './albedo-tables.ts'
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
  const { bytes } = SPECULAR_ALBEDO
  if (model === MODELS.conductor && alpha > 0)
    return { key: `metal ${alpha}`, bytes, compute: () => albedoTable(alpha) }
  if (model === MODELS.coated && material.coat > 0) {
    const f0 = ((coatIor(material) - 1) / (coatIor(material) + 1)) ** 2
    return { key: `coat ${alpha} ${f0}`, bytes, compute: () => albedoTable(alpha, cosine => schlick(cosine, f0)) }
  }
  if (model === MODELS.coated)
    return {
      key: `plastic ${alpha} ${ior}`,
      bytes,
      compute: () => albedoTable(alpha, cosine => reflectance(cosine, ior)),
    }
  if (model === MODELS.dielectric && alpha > 0) {
    const compute = () => ({ values: glassTable(alpha, ior), mean: 0 })
    return { key: `glass ${alpha} ${ior}`, bytes: GLASS_ALBEDO.bytes, compute }
  }
  if (model !== MODELS.principled || material.transmission === 0 || material.thin) return undefined
  const rows = rowsOf(material)
  const compute = () => ({ values: clearTable(ior, rows), mean: 0 })
  return { key: `clear ${ior} ${rows.first} ${rows.last}`, bytes: CLEAR_ALBEDO.bytes, compute }
}

/** A texture only makes surfaces smoother. */
function rowsOf({ roughness, maps }: Material): RoughnessRows {
  // The kernel's roughness is a float.
  const row = Math.min(ALBEDO.roughnesses - 1, Math.floor(Math.fround(roughness) * ALBEDO.roughnesses))
  return { first: maps.roughness ? 0 : row, last: row + 1 }
}
