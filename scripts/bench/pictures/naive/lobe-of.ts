/** Which model a material's properties ask for. */
import type { Material } from '../../../../shared/scene/material.ts'
import type { Lobe } from '../model/lobe.ts'
import { conductor } from './conductor.ts'
import { dielectric, thinSheet } from './dielectric.ts'
import { coatedDiffuse, diffuse } from './diffuse.ts'
import { dielectricReflectance, schlickReflectance } from './fresnel.ts'
import { alphaOf } from './microfacets.ts'

/** From this share on, a material has a property; below it, it has not. */
const HALF = 0.5

/**
 * @param compensation whether rough metal and glass keep the light that is scattered more than once; of glass in air only
 * @param ratio of a solid's surface: the index on its inner side over that on its outer side
 */
export function lobeOf(material: Material, compensation: boolean, ratio = material.ior): Lobe {
  const { color, ior, roughness } = material
  if (isGlass(material)) return dielectric(color, alphaOf(roughness), ratio, compensation && ratio === ior)
  if (material.transmission >= HALF) return thinSheet(color, ior)
  if (material.metallic >= HALF) return conductor(color, alphaOf(roughness), compensation)
  if (material.coat >= HALF) {
    // Where the body has no index, the material's is the coat's.
    const index = roughness === 1 ? ior : 1.5
    const head = ((index - 1) / (index + 1)) ** 2
    return coatedDiffuse(
      color,
      alphaOf(material.coatRoughness),
      cosine => schlickReflectance([head, head, head], cosine)[0],
    )
  }
  return roughness < 1
    ? coatedDiffuse(color, alphaOf(roughness), cosine => dielectricReflectance(cosine, ior))
    : diffuse(color)
}

/** Whether a material fills what its surface encloses. */
export const isGlass = ({ transmission, thin }: Material): boolean => transmission >= HALF && !thin
