/** Which of the path tracer's models a material is, and its numbers for it. */
import { MAP_NAMES, type Material } from '../../../../shared/scene/material.ts'
import { MAP_EFFECTS } from '../records/map-effects.ts'
import { MODELS } from '../records/material.ts'

/** Surfaces of less roughness are perfectly smooth: their lobe would be narrower than a pixel. */
const SMOOTH = 0.001

/** Of glass that bends light. */
const LEAST_INDEX = 1.001

export interface Model {
  readonly model: number
  /** α of GGX; 0 if smooth. */
  readonly alpha: number
}

/** Textures of what the simple models have one number for. */
const MAPPED = MAP_NAMES.filter(name => !MAP_EFFECTS[name].inAllModels)

/** What is one thing only has a model of its own, which is quicker; the principled one takes mixtures and what varies. */
export function modelOf(material: Material): Model {
  const { unlit, transmission, thin, ior, metallic, coat, coatRoughness, roughness } = material
  if (unlit) return { model: MODELS.unlit, alpha: 0 }
  const isPlain = !hasExtras(material) && !MAPPED.some(name => material.maps[name])
  const alone = (share: number, ...others: readonly number[]) => share === 1 && others.every(other => other === 0)
  if (isPlain && alone(transmission, metallic, coat)) {
    // What bends nothing does not blur.
    if (!thin) return { model: MODELS.dielectric, alpha: ior > LEAST_INDEX ? alphaOf(roughness) : 0 }
    if (alphaOf(roughness) === 0) return { model: MODELS.thin, alpha: 0 }
  }
  if (isPlain && alone(metallic, coat)) return { model: MODELS.conductor, alpha: alphaOf(roughness) }
  if (isPlain && alone(coat, metallic, transmission) && roughness === 1)
    return { model: MODELS.coated, alpha: alphaOf(coatRoughness) }
  if (isPlain && metallic === 0 && transmission === 0 && coat === 0)
    return roughness < 1 ? { model: MODELS.coated, alpha: alphaOf(roughness) } : { model: MODELS.diffuse, alpha: 0 }
  return { model: MODELS.principled, alpha: 0 }
}

/** Whether it has properties that only the principled model has. */
const hasExtras = ({
  specular,
  specularColor,
  dispersion,
  sheenColor,
  anisotropy,
  iridescence,
  transmission,
}: Material): boolean =>
  specular !== 1 ||
  specularColor.some(channel => channel !== 1) ||
  (dispersion > 0 && transmission > 0) ||
  sheenColor.some(channel => channel > 0) ||
  anisotropy > 0 ||
  iridescence > 0

const alphaOf = (roughness: number): number => (roughness * roughness < SMOOTH ? 0 : roughness * roughness)
