/** Textures that the materials of a scene have but do not get, told once for all of them. */
import type { Material as ThreeMaterial } from 'three'
import { obstacleOf } from '../import/materials/map-texture.ts'
import { MAPS, texturesOf } from '../import/materials/map-textures.ts'

/** Textures that change nothing here. */
const NEEDLESS: readonly string[] = ['envMap', 'thicknessMap', 'gradientMap', 'matcap']

export class UnusedLook {
  /** Pictures, however many materials and properties they serve. */
  readonly #pictures = new Set<unknown>()
  readonly #kinds = new Set<string>()

  add(material: ThreeMaterial): void {
    for (const [key, texture] of texturesOf(material)) {
      if (NEEDLESS.includes(key) || (key in MAPS && obstacleOf(texture) === undefined)) continue
      this.#pictures.add(texture.source)
      this.#kinds.add(wordsOf(MAPS[key] ?? key))
    }
  }

  /** One sentence, if there is anything. */
  problems(): string[] {
    const textures = this.#pictures.size
    if (textures === 0) return []
    const which = `${textures === 1 ? '1 texture' : `${textures} textures`} (${[...this.#kinds].sort().join(', ')})`
    return [`${which} ${textures === 1 ? 'is' : 'are'} not used`]
  }
}

/** `clearcoatRoughnessMap` → `clearcoat roughness`. */
const wordsOf = (key: string): string =>
  key.replace(/Map$/, '').replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
