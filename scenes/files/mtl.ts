/**
 * The few statements of a Wavefront material file that a tracer without textures can use. three's MTLLoader is not used:
 * it fetches images, and discards the index of refraction and the illumination model.
 */
import { Color, MeshPhysicalMaterial, SRGBColorSpace } from 'three'

export interface MtlMaterial {
  readonly material: MeshPhysicalMaterial
  /** Statements for features that are not traced, such as `map_Kd`. */
  readonly unmet: readonly string[]
}

/** Materials by name. Colours are read as sRGB, as in three. */
export function readMtl(text: string): Map<string, MtlMaterial> {
  const materials = new Map<string, MtlMaterial>()
  let entry: Entry | undefined
  const close = () => {
    if (entry) materials.set(entry.name, materialOf(entry))
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    const words = line.trim().split(/\s+/)
    const numbers = words.slice(1).map(Number)
    const first = numbers[0]
    if (words[0] === 'newmtl') {
      close()
      entry = {
        name: line.trim().slice(6).trim(),
        color: [1, 1, 1],
        gloss: 0,
        sharpness: 0,
        opacity: 1,
        opacityFrom: 'd',
        ior: 1.5,
        model: 2,
        unmet: new Set(),
      }
    } else if (!entry || first === undefined) continue
    else if (MAP.test(words[0]!)) entry.unmet.add(words[0]!)
    else if (numbers.some(Number.isNaN)) continue
    else if (words[0] === 'Kd') entry.color = [first, numbers[1] ?? first, numbers[2] ?? first]
    else if (words[0] === 'Ks') entry.gloss = Math.max(...numbers)
    else if (words[0] === 'Ke' && numbers.some(channel => channel > 0)) entry.unmet.add('Ke')
    else if (words[0] === 'Ns') entry.sharpness = first
    else if (words[0] === 'Ni') entry.ior = first
    else if (words[0] === 'd') [entry.opacity, entry.opacityFrom] = [first, 'd']
    else if (words[0] === 'Tr') [entry.opacity, entry.opacityFrom] = [1 - first, 'Tr']
    else if (words[0] === 'illum') entry.model = first
  }
  close()
  return materials
}

/** Features requested by `unmet` statements but not traced, one sentence each. @param materials those in use, by name */
export function unmetOf(materials: ReadonlyMap<string, MtlMaterial>): string[] {
  const askers = new Map<string, string[]>()
  for (const [name, { unmet }] of materials)
    for (const statement of unmet) askers.set(statement, [...(askers.get(statement) ?? []), name])
  return [...askers].map(([statement, names]) => {
    const others = names.length === 1 ? '' : ` and ${names.length - 1} more`
    return `${statement} of material '${names[0]}'${others}: ${whyUnmet(statement)}`
  })
}

function whyUnmet(statement: string): string {
  if (statement === 'Ke') return 'emission is not supported'
  if (statement === 'd' || statement === 'Tr')
    return `opacity is not supported: below ${GLASS_BELOW} a surface is clear glass, otherwise opaque`
  return 'textures are not supported, only plain colours'
}

/** Statements that name an image: `map_Kd`, `map_Bump`, `bump`, `refl`, … */
const MAP = /^(map_(?!aat)\w+|bump|disp|decal|refl|norm)$/i

/** Opacity below which a surface becomes glass. */
const GLASS_BELOW = 0.6

interface Entry {
  readonly name: string
  color: [number, number, number]
  gloss: number
  sharpness: number
  opacity: number
  opacityFrom: 'd' | 'Tr'
  ior: number
  model: number
  readonly unmet: Set<string>
}

/** Illumination models with "transparency: glass" or "refraction" in their description. */
const GLASS_MODELS: readonly number[] = [4, 6, 7, 9]

function materialOf({ name, color, gloss, sharpness, opacity, opacityFrom, ior, model, unmet }: Entry): MtlMaterial {
  const meansGlass = GLASS_MODELS.includes(model)
  const material = new MeshPhysicalMaterial({
    color: new Color().setRGB(...color, SRGBColorSpace),
    roughness: 1,
    transmission: meansGlass || opacity < GLASS_BELOW ? 1 : 0,
    thickness: 1,
    clearcoat: gloss >= 0.2 && sharpness >= 200 ? 1 : 0,
    ior: ior > 1.01 && ior <= 2.333 ? ior : 1.5,
  })
  material.name = name
  return { material, unmet: [...unmet, ...(opacity < 1 && !meansGlass ? [opacityFrom] : [])] }
}
