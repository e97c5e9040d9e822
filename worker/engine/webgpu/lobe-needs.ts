/** Which lobes the materials of a scene have, so that its shader has no others (`kernel/path/lobes/lobes.ts`). Textures only scale what a material has. */
import type { KernelMemory } from '../wasm/memory.ts'
import { get, header, offsetOf } from '../wasm/records/access.ts'
import { MATERIAL, MODELS } from '../wasm/records/material.ts'
import type { LobeNeeds, Model } from './kernel/path/lobes/lobes.ts'
import type { PrincipledParts } from './kernel/path/lobes/principled/surface.ts'

export function lobeNeeds(memory: KernelMemory): LobeNeeds {
  const count = header(memory, 'materialCount')
  const materials = Array.from({ length: count }, (_, i) => header(memory, 'materials') + i * MATERIAL.bytes)
  const names = Object.keys(MODELS) as Model[]
  const models = new Set(materials.map(at => names[get(memory, MATERIAL, at, 'model')]!))
  const mixed = materials.filter(at => get(memory, MATERIAL, at, 'model') === MODELS.principled)
  const any = (name: 'coat' | 'iridescence' | 'transmission' | 'dispersion' | 'anisotropy') =>
    mixed.some(at => get(memory, MATERIAL, at, name) > 0)
  const parts: PrincipledParts = {
    coat: any('coat'),
    sheen: mixed.some(at => [0, 1, 2].some(k => memory.floats[(at + offsetOf(MATERIAL, 'sheenColor')) / 4 + k]! > 0)),
    film: any('iridescence'),
    clear: any('transmission'),
    dispersion: any('transmission') && any('dispersion'),
    anisotropy: any('anisotropy'),
  }
  return { models, parts }
}
