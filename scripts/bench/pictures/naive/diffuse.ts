/** Lambert's reflector, alone and under a clear dielectric coat. */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { type Lobe, type LobeSample, type LobeValue, onBothSides } from '../model/lobe.ts'
import { add, BLACK, dot, normalize, scale } from '../model/vector.ts'
import { type Albedo, albedoOf } from './albedo.ts'
import { facetDensity, mirrored, seenFromBoth, visibleDensity, visibleNormal } from './microfacets.ts'

/** A direction above the surface with density cosine / π. */
export function cosineDirection(u: number, v: number): Vec3 {
  const r = Math.sqrt(u)
  const azimuth = 2 * Math.PI * v
  return [r * Math.cos(azimuth), r * Math.sin(azimuth), Math.sqrt(1 - u)]
}

export function diffuse(color: Vec3): Lobe {
  const evaluate = (_: Vec3, wi: Vec3): LobeValue => {
    const pdf = Math.max(0, wi[2]) / Math.PI
    return { value: scale(color, pdf), pdf }
  }
  return onBothSides({
    evaluate,
    sample(wo, [, u, v]) {
      const wi = cosineDirection(u, v)
      return { wi, smooth: false, ...evaluate(wo, wi) }
    },
  })
}

/** Share that a facet reflects, by the cosine at which it is met. */
type Reflectance = (cosine: number) => number

/**
 * A coat over a diffuse base. The coat reflects E(μ) of the light untinted; what it lets through is scattered
 * as color/π · (1 − E(μo)) (1 − E(μi)) / (1 − E_avg): reciprocal, and with a white base nothing is lost. The denominator stands
 * for light thrown back and forth between the coat and the base. Kelemen and Szirmay-Kalos, "A Microfacet Based Coupled
 * Specular-Matte BRDF Model", Eurographics 2001 (short).
 */
export function coatedDiffuse(color: Vec3, alpha: number, reflectance: Reflectance): Lobe {
  const coat = albedoOf(alpha, reflectance)
  return onBothSides(alpha === 0 ? smoothCoat(color, reflectance, coat) : roughCoat(color, alpha, reflectance, coat))
}

function base(color: Vec3, coat: Albedo, wo: Vec3, wi: Vec3): Vec3 {
  const passed = ((1 - coat.at(wo[2])) * (1 - coat.at(wi[2]))) / (1 - coat.average)
  return scale(color, (passed * wi[2]) / Math.PI)
}

/** How often the coat is sampled, not the base. */
const coatShare = (coat: Albedo, wo: Vec3): number => Math.min(0.9, Math.max(0.1, coat.at(wo[2])))

function smoothCoat(color: Vec3, reflectance: Reflectance, coat: Albedo): Lobe {
  const evaluate = (wo: Vec3, wi: Vec3): LobeValue => {
    if (wi[2] <= 0) return { value: BLACK, pdf: 0 }
    return { value: base(color, coat, wo, wi), pdf: ((1 - coatShare(coat, wo)) * wi[2]) / Math.PI }
  }
  return {
    evaluate,
    sample(wo, [choice, u, v]): LobeSample {
      const share = coatShare(coat, wo)
      if (choice < share) {
        const reflected = reflectance(wo[2])
        return { wi: [-wo[0], -wo[1], wo[2]], smooth: true, value: [reflected, reflected, reflected], pdf: share }
      }
      const wi = cosineDirection(u, v)
      return { wi, smooth: false, ...evaluate(wo, wi) }
    },
  }
}

function roughCoat(color: Vec3, alpha: number, reflectance: Reflectance, coat: Albedo): Lobe {
  const evaluate = (wo: Vec3, wi: Vec3): LobeValue => {
    if (wi[2] <= 0) return { value: BLACK, pdf: 0 }
    const m = normalize(add(wo, wi))
    const facing = dot(wo, m)
    const specular = (reflectance(facing) * facetDensity(m, alpha) * seenFromBoth(wo, wi, alpha)) / (4 * wo[2])
    const share = coatShare(coat, wo)
    return {
      value: add(base(color, coat, wo, wi), [specular, specular, specular]),
      pdf: (share * visibleDensity(wo, m, alpha)) / (4 * facing) + ((1 - share) * wi[2]) / Math.PI,
    }
  }
  return {
    evaluate,
    sample(wo, [choice, u, v]) {
      const fromCoat = choice < coatShare(coat, wo)
      const wi = fromCoat ? mirrored(wo, visibleNormal(wo, alpha, u, v)) : cosineDirection(u, v)
      return wi[2] > 0 ? { wi, smooth: false, ...evaluate(wo, wi) } : undefined
    },
  }
}
