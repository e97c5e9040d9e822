/** What the materials of a scene ask for but do not get yet, told once for all of them. */
import { Color, MeshPhysicalMaterial, Texture, type Material as ThreeMaterial } from 'three'
import { obstacleOf } from './map-texture.ts'

/** What a texture is for, by three's property, in the words of glTF. Others are called after their property. */
const KINDS: Readonly<Record<string, string>> = {
  map: 'base color',
  metalnessMap: 'metallic-roughness',
  roughnessMap: 'metallic-roughness',
  normalMap: 'normal',
  bumpMap: 'bump',
  aoMap: 'occlusion',
  lightMap: 'light',
  emissiveMap: 'emissive',
  alphaMap: 'alpha',
}

export class UnusedLook {
  /** Pictures, however many materials and properties they serve. */
  readonly #pictures = new Set<unknown>()
  readonly #kinds = new Set<string>()
  #seeThrough = 0
  #specular = 0

  add(material: ThreeMaterial): void {
    for (const [key, value] of Object.entries(material)) {
      if (!(value instanceof Texture) || key === 'envMap') continue
      if (key === 'map' && obstacleOf(value) === undefined) continue
      this.#pictures.add(value.source)
      this.#kinds.add(KINDS[key] ?? wordsOf(key))
    }
    if (
      material.alphaTest > 0 ||
      (material.transparent && (material.opacity < 1 || ('map' in material && material.map)))
    )
      this.#seeThrough++
    if (material instanceof MeshPhysicalMaterial && !isPlain(material)) this.#specular++
  }

  #kindsInOrder(): string[] {
    const known = Object.values(KINDS)
    const place = (kind: string): number => (known.includes(kind) ? known.indexOf(kind) : known.length)
    return [...this.#kinds].sort((a, b) => place(a) - place(b))
  }

  /** One sentence each. */
  problems(): string[] {
    const textures = this.#pictures.size
    return [
      ...(textures > 0
        ? [
            `${textures === 1 ? '1 texture' : `${textures} textures`} (${this.#kindsInOrder().join(', ')}) ${textures === 1 ? 'is' : 'are'} not used yet, only plain colours`,
          ]
        : []),
      ...told(this.#seeThrough, 'with alpha (mask or blend)', 'shown opaque'),
      ...told(this.#specular, 'with a specular strength or colour', 'shown without'),
    ]
  }
}

const told = (count: number, which: string, how: string): string[] =>
  count === 0
    ? []
    : [`${count} ${count === 1 ? 'material' : 'materials'} ${which} ${count === 1 ? 'is' : 'are'} ${how}`]

/** `clearcoatRoughnessMap` → `clearcoat roughness`. */
const wordsOf = (key: string): string =>
  key.replace(/Map$/, '').replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

const WHITE = new Color(1, 1, 1)

const isPlain = ({ specularIntensity, specularColor }: MeshPhysicalMaterial): boolean =>
  specularIntensity === 1 && specularColor.equals(WHITE)
