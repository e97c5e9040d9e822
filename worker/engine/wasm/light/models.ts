/** Which of the path tracer's models a material is, and its numbers for it. */
import type { Material } from '../../../../shared/scene/material.ts'
import {
  MODEL_COATED,
  MODEL_CONDUCTOR,
  MODEL_DIELECTRIC,
  MODEL_DIFFUSE,
  MODEL_THIN,
  MODEL_UNLIT,
} from '../kernel/layout.ts'

/** Surfaces of less roughness are perfectly smooth: their lobe would be narrower than a pixel. */
const SMOOTH = 0.001

export interface Model {
  readonly model: number
  /** α of GGX; 0 if smooth. */
  readonly alpha: number
}

/** The dominant part decides, until there is one model for mixtures. */
export function modelOf({ unlit, transmission, thin, metallic, coat, coatRoughness, roughness }: Material): Model {
  if (unlit) return { model: MODEL_UNLIT, alpha: 0 }
  if (transmission >= 0.5)
    return thin ? { model: MODEL_THIN, alpha: 0 } : { model: MODEL_DIELECTRIC, alpha: alphaOf(roughness) }
  if (metallic >= 0.5) return { model: MODEL_CONDUCTOR, alpha: alphaOf(roughness) }
  if (coat >= 0.5) return { model: MODEL_COATED, alpha: alphaOf(coatRoughness) }
  if (roughness < 1) return { model: MODEL_COATED, alpha: alphaOf(roughness) }
  return { model: MODEL_DIFFUSE, alpha: 0 }
}

const alphaOf = (roughness: number): number => (roughness * roughness < SMOOTH ? 0 : roughness * roughness)
