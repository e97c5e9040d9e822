/** What solids of glass enclose: media with numbers, which paths keep (`kernel/path/media.ts`). Materials of equal glass have the same one. */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import { MEDIA, MODELS } from '../records/material.ts'
import { modelOf } from './models.ts'

interface Medium {
  readonly ior: number
  readonly absorption: Vec3
}

const AIR: Medium = { ior: 1, absorption: [0, 0, 0] }

export interface Media {
  /** The first is air. */
  readonly list: readonly Medium[]
  /** Of each material, 0 if it encloses none. */
  readonly numbers: readonly number[]
}

/** Air, and one medium: nothing has that on both sides. */
export const WITH_ONE = 2

/** Media beyond the last number are taken for it. */
export function mediaOf(materials: readonly Material[]): Media {
  const list = [AIR]
  const known = new Map<string, number>()
  const numbers = materials.map(material => {
    if (!isSolid(material)) return 0
    const { ior, absorption } = material
    const key = `${ior} ${absorption.join(' ')}`
    const number = known.get(key) ?? Math.min(MEDIA.last, list.length)
    if (number === list.length) list.push({ ior, absorption })
    known.set(key, number)
    return number
  })
  return { list, numbers }
}

/** Whether light that passes its surface is inside something. */
function isSolid(material: Material): boolean {
  const { model } = modelOf(material)
  return model === MODELS.dielectric || (model === MODELS.principled && material.transmission > 0 && !material.thin)
}
