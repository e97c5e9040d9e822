/**
 * The few statements of a Wavefront material file that a tracer without textures can use. three's MTLLoader is not used:
 * it fetches images, and discards the index of refraction and the illumination model.
 */
import { Color, MeshPhysicalMaterial, SRGBColorSpace } from 'three'

export interface MtlMaterial {
  readonly material: MeshPhysicalMaterial
  /** Statements for features that are not traced, such as `map_Kd`, and why. */
  readonly unmet: ReadonlyMap<string, string>
}

/**
 * Materials by name. Colours are read as sRGB, as in three; emission as linear radiance, because it is a quantity of light and
 * goes beyond 1.
 */
export function readMtl(text: string): Map<string, MtlMaterial> {
  const materials = new Map<string, MtlMaterial>()
  let entry: Entry | undefined
  const close = () => {
    if (entry) materials.set(entry.name, materialOf(entry))
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    const words = line.trim().split(/\s+/)
    const comment = words.findIndex(word => word.startsWith('#'))
    const numbers = words.slice(1, comment < 0 ? undefined : comment).map(Number)
    const first = numbers[0]
    if (words[0] === 'newmtl') {
      close()
      entry = {
        name: line.trim().slice(6).trim(),
        color: [1, 1, 1],
        emission: [0, 0, 0],
        gloss: 0,
        sharpness: 0,
        opacity: 1,
        opacityFrom: 'd',
        ior: 1.5,
        model: 2,
        unmet: new Map(),
      }
    } else if (!entry || first === undefined) continue
    else if (MAP.test(words[0]!)) entry.unmet.set(words[0]!, 'textures are not supported, only plain colours')
    else if (numbers.some(Number.isNaN)) {
      if (READ.test(words[0]!))
        entry.unmet.set(words[0]!, `expected numbers, got '${words.slice(1).join(' ').slice(0, 60)}'`)
    } else if (words[0] === 'Kd') entry.color = [first, numbers[1] ?? first, numbers[2] ?? first]
    else if (words[0] === 'Ke') entry.emission = [first, numbers[1] ?? first, numbers[2] ?? first]
    else if (words[0] === 'Ks') entry.gloss = Math.max(...numbers)
    else if (words[0] === 'Ns') entry.sharpness = first
    else if (words[0] === 'Ni') entry.ior = first
    else if (words[0] === 'd') [entry.opacity, entry.opacityFrom] = [first, 'd']
    else if (words[0] === 'Tr') [entry.opacity, entry.opacityFrom] = [1 - first, 'Tr']
    else if (words[0] === 'illum') entry.model = first
    else if (words[0] === 'Tf' && numbers.some(channel => channel < 1))
      entry.unmet.set('Tf', 'tinted transparency is not supported')
    else if (PHYSICAL.test(words[0]!) && first !== (words[0] === 'Pr' ? 1 : 0))
      entry.unmet.set(words[0]!, 'physically based properties are not supported')
  }
  close()
  return materials
}

/** Features requested by `unmet` statements but not traced, one sentence each. @param materials those in use, by name */
export function unmetOf(materials: ReadonlyMap<string, MtlMaterial>): string[] {
  const askers = new Map<string, { statement: string; why: string; names: string[] }>()
  for (const [name, { unmet }] of materials)
    for (const [statement, why] of unmet) {
      const key = `${statement} ${why}`
      const before = askers.get(key)
      if (before) before.names.push(name)
      else askers.set(key, { statement, why, names: [name] })
    }
  return [...askers.values()].map(({ statement, why, names }) => {
    const others = names.length === 1 ? '' : ` and ${names.length - 1} more`
    return `${statement} of material '${names[0]}'${others}: ${why}`
  })
}

/** Statements whose numbers are used. */
const READ = /^(K[dse]|N[si]|d|Tr|illum)$/

/** Of the physically based extension; not used yet. */
const PHYSICAL = /^(P[rmsc]|aniso)$/

/** Statements that name an image: `map_Kd`, `map_Bump`, `bump`, `refl`, … */
const MAP = /^(map_(?!aat)\w+|bump|disp|decal|refl|norm)$/i

/** Opacity below which a surface becomes glass. */
const GLASS_BELOW = 0.6

interface Entry {
  readonly name: string
  color: [number, number, number]
  emission: [number, number, number]
  gloss: number
  sharpness: number
  opacity: number
  opacityFrom: 'd' | 'Tr'
  ior: number
  model: number
  readonly unmet: Map<string, string>
}

/** Illumination models with "transparency: glass" or "refraction" in their description. */
const GLASS_MODELS: readonly number[] = [4, 6, 7, 9]

function materialOf(entry: Entry): MtlMaterial {
  const { name, color, emission, gloss, sharpness, opacity, opacityFrom, ior, model, unmet } = entry
  const meansGlass = GLASS_MODELS.includes(model)
  const material = new MeshPhysicalMaterial({
    color: new Color().setRGB(...color, SRGBColorSpace),
    emissive: new Color().setRGB(...emission),
    roughness: 1,
    transmission: meansGlass || opacity < GLASS_BELOW ? 1 : 0,
    thickness: 1,
    clearcoat: gloss >= 0.2 && sharpness >= 200 ? 1 : 0,
    ior: ior > 1.01 && ior <= 2.333 ? ior : 1.5,
  })
  material.name = name
  if (opacity < 1 && !meansGlass)
    unmet.set(opacityFrom, `opacity is not supported: below ${GLASS_BELOW} a surface is clear glass, otherwise opaque`)
  return { material, unmet }
}
