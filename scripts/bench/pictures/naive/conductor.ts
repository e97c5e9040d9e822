/**
 * Metal: GGX facets with Schlick's reflectance. A rough one loses the light that its facets throw at each other, unless that is
 * compensated: Kulla and Conty, "Revisiting Physically Based Shading at Imageworks", SIGGRAPH 2017 course; its colour is fitted to random walks
 * (`facet-walk.ts`).
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { type Lobe, type LobeValue, onBothSides } from '../model/lobe.ts'
import { add, BLACK, dot, normalize, scale } from '../model/vector.ts'
import { albedoOf } from './albedo.ts'
import { cosineDirection } from './diffuse.ts'
import { schlickReflectance } from './fresnel.ts'
import { facetDensity, mirrored, seenFromBoth, visibleDensity, visibleNormal } from './microfacets.ts'

/** How often a direction is sampled as from a diffuse surface: for light that was thrown about, and for rare directions. */
const COSINE_SHARE = 0.2
/** Below it nothing is lost that could be compensated. */
const NO_LOSS = 1e-6

/** `compensation`: whether multiply scattered light is added. */
export function conductor(color: Vec3, alpha: number, compensation: boolean): Lobe {
  return onBothSides(alpha === 0 ? mirror(color) : roughMetal(color, alpha, compensation))
}

const mirror = (color: Vec3): Lobe => ({
  evaluate: () => ({ value: BLACK, pdf: 0 }),
  sample: wo => ({ wi: [-wo[0], -wo[1], wo[2]], smooth: true, value: schlickReflectance(color, wo[2]), pdf: 1 }),
})

function roughMetal(color: Vec3, alpha: number, compensation: boolean): Lobe {
  const single = albedoOf(alpha, () => 1)
  const lost = 1 - single.average
  const tint = color.map(channel => {
    const facet = channel + ((1 - channel) * 0.021) / (lost + 0.05)
    const again = 0.65 * lost
    return (facet * facet * (1 - again)) / (1 - facet * again)
  }) as [number, number, number]

  const evaluate = (wo: Vec3, wi: Vec3): LobeValue => {
    if (wi[2] <= 0) return { value: BLACK, pdf: 0 }
    const m = normalize(add(wo, wi))
    const facing = dot(wo, m)
    const reflected = (facetDensity(m, alpha) * seenFromBoth(wo, wi, alpha)) / (4 * wo[2])
    const value = scale(schlickReflectance(color, facing), reflected)
    const pdf = ((1 - COSINE_SHARE) * visibleDensity(wo, m, alpha)) / (4 * facing) + (COSINE_SHARE * wi[2]) / Math.PI
    if (!compensation || lost < NO_LOSS) return { value, pdf }
    const again = ((1 - single.at(wo[2])) * (1 - single.at(wi[2])) * wi[2]) / (Math.PI * lost)
    return { value: add(value, scale(tint, again)), pdf }
  }
  return {
    evaluate,
    sample(wo, [choice, u, v]) {
      const wi = choice < COSINE_SHARE ? cosineDirection(u, v) : mirrored(wo, visibleNormal(wo, alpha, u, v))
      return wi[2] > 0 ? { wi, smooth: false, ...evaluate(wo, wi) } : undefined
    },
  }
}
