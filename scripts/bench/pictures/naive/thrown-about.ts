/**
 * Light that facets of rough glass throw at each other until it leaves on either side. Kulla and Conty, "Revisiting Physically Based Shading
 * at Imageworks", SIGGRAPH 2017 course: with l(μ) = 1 − E(μ) of a side, where E counts what is reflected and what passes, light leaves as
 * (1 − x) l(o) l(i) / (π l_avg) on the side that it came from and as x l(o) l(i) / (π l_avg), with l_avg of the other side, beyond.
 * It may travel the other way round if n² x l_avg is the same for both sides. Of the side where n² l_avg is smaller, 1 − x is what facets
 * reflect of diffuse light from outside.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { dot } from '../model/vector.ts'
import { albedoOf, albedoOfFacets } from './albedo.ts'
import { cosineDirection } from './diffuse.ts'
import { dielectricReflectance } from './fresnel.ts'
import { mirrored, refracted, seenFromBoth, seenShare } from './microfacets.ts'

/** Directions are in the frame of the lobe, whose z points out of the glass. */
export interface ThrownAbout {
  /** Share of the light towards `wo`, and how often `sample` should be asked. */
  share(wo: Vec3): number
  /** BSDF without colour times the cosine, and the density of `sample`. */
  evaluate(wo: Vec3, wi: Vec3): { readonly value: number; readonly pdf: number }
  sample(wo: Vec3, u: Vec3): Vec3
}

/** Light is scattered once only. */
export const SINGLE: ThrownAbout = {
  share: () => 0,
  evaluate: () => ({ value: 0, pdf: 0 }),
  sample: wo => wo,
}

/** Below it nothing is lost that could be compensated. */
const NO_LOSS = 1e-6

export function thrownAbout(alpha: number, ior: number): ThrownAbout {
  const outside = albedoOfFacets(alpha, (wo, m) => once(wo, m, alpha, ior))
  const inside = albedoOfFacets(alpha, (wo, m) => once(wo, m, alpha, 1 / ior))
  const [lostOutside, lostInside] = [1 - outside.average, 1 - inside.average]
  if (lostOutside < NO_LOSS || lostInside < NO_LOSS) return SINGLE
  const reflected = albedoOf(alpha, cosine => dielectricReflectance(cosine, ior)).average
  const exchanged = (1 - reflected) * Math.min(lostOutside, ior * ior * lostInside)
  const lost = (w: Vec3): number => Math.max(0, 1 - (w[2] > 0 ? outside : inside).at(Math.abs(w[2])))
  const average = (w: Vec3): number => (w[2] > 0 ? lostOutside : lostInside)
  const passing = (w: Vec3): number => exchanged / (average(w) * index(w) ** 2)
  const index = (w: Vec3): number => (w[2] > 0 ? 1 : ior)
  return {
    share: lost,
    evaluate(wo, wi) {
      const share = wo[2] * wi[2] > 0 ? 1 - passing(wo) : passing(wo)
      const lit = Math.abs(wi[2]) / Math.PI
      const value = (share * lost(wo) * lost(wi) * lit * (index(wo) / index(wi)) ** 2) / average(wi)
      return { value, pdf: share * lit }
    },
    sample(wo, [choice, u, v]) {
      const [x, y, z] = cosineDirection(u, v)
      return [x, y, wo[2] > 0 === choice < passing(wo) ? -z : z]
    },
  }
}

/** Of the light towards `wo` from a facet, what comes from where no other one is in the way. */
function once(wo: Vec3, m: Vec3, alpha: number, beyond: number): number {
  const facing = dot(wo, m)
  const share = dielectricReflectance(facing, beyond)
  const back = mirrored(wo, m)
  const through = refracted(wo, m, beyond)
  const seen = (wi: Vec3): number => seenFromBoth(wo, wi, alpha) / seenShare(wo, alpha)
  return (back[2] > 0 ? share * seen(back) : 0) + (through[2] < 0 ? (1 - share) * seen(through) : 0)
}
