/**
 * The few statements of a Wavefront material file that a tracer without textures can use. three's MTLLoader is not used:
 * it fetches images, and keeps neither the index of refraction nor the illumination model.
 */
import { Color, MeshPhysicalMaterial, SRGBColorSpace } from 'three'

/** Materials by name. Colours are taken for sRGB, as three does. */
export function readMtl(text: string): Map<string, MeshPhysicalMaterial> {
  const materials = new Map<string, MeshPhysicalMaterial>()
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
        ior: 1.5,
        model: 2,
      }
    } else if (!entry || first === undefined || numbers.some(Number.isNaN)) continue
    else if (words[0] === 'Kd') entry.color = [first, numbers[1] ?? first, numbers[2] ?? first]
    else if (words[0] === 'Ks') entry.gloss = Math.max(...numbers)
    else if (words[0] === 'Ns') entry.sharpness = first
    else if (words[0] === 'Ni') entry.ior = first
    else if (words[0] === 'd') entry.opacity = first
    else if (words[0] === 'Tr') entry.opacity = 1 - first
    else if (words[0] === 'illum') entry.model = first
  }
  close()
  return materials
}

interface Entry {
  readonly name: string
  color: [number, number, number]
  gloss: number
  sharpness: number
  opacity: number
  ior: number
  model: number
}

/** Illumination models with "transparency: glass" or "refraction" in their description. */
const GLASS_MODELS: readonly number[] = [4, 6, 7, 9]

function materialOf({ name, color, gloss, sharpness, opacity, ior, model }: Entry): MeshPhysicalMaterial {
  const glass = opacity < 0.6 || GLASS_MODELS.includes(model)
  const material = new MeshPhysicalMaterial({
    color: new Color().setRGB(...color, SRGBColorSpace),
    roughness: 1,
    transmission: glass ? 1 : 0,
    clearcoat: gloss >= 0.2 && sharpness >= 200 ? 1 : 0,
    ior: ior > 1.01 && ior <= 2.333 ? ior : 1.5,
  })
  material.name = name
  return material
}
