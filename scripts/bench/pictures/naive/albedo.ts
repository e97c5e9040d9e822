/**
 * Directional albedo E(μ) of single scattering by a GGX surface: what share of the light from a direction of cosine μ, arriving in a
 * narrow beam, leaves again. Integrated by the midpoint rule over the visible normals, where the integrand is F · G₂ / G₁ for light
 * that is reflected, and kept in a table. For a smooth surface it is the reflectance.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { dot } from '../model/vector.ts'
import { mirrored, seenFromBoth, seenShare, visibleNormal } from './microfacets.ts'

export interface Albedo {
  /** E(μ), μ in [0, 1]. */
  at(cosine: number): number
  /** 2 ∫ E(μ) μ dμ. */
  readonly average: number
}

/** Entries at μ = (i / last)², closer together where E changes fastest. */
const ENTRIES = 97
/** Midpoints per side of the unit square. */
const MIDPOINTS = 48
/** Of the integral for the average. */
const STEPS = 2000

/** `reflectance`: of a facet by the cosine of the angle that it is met at. */
export function albedoOf(alpha: number, reflectance: (cosine: number) => number): Albedo {
  if (alpha === 0) return averaged(reflectance)
  return albedoOfFacets(alpha, (wo, m) => {
    const wi = mirrored(wo, m)
    return wi[2] > 0 ? (reflectance(dot(wo, m)) * seenFromBoth(wo, wi, alpha)) / seenShare(wo, alpha) : 0
  })
}

/** `leaves`: which share of the light towards `wo` above the surface a facet of normal `m`, seen from there, scatters to where no other one is in the way. */
export const albedoOfFacets = (alpha: number, leaves: (wo: Vec3, m: Vec3) => number): Albedo =>
  averaged(tabulated(alpha, leaves))

function averaged(at: (cosine: number) => number): Albedo {
  let average = 0
  for (let i = 0; i < STEPS; i++) {
    // With μ = t², the integral is 4 ∫ E(t²) t³ dt.
    const t = (i + 0.5) / STEPS
    average += (4 * at(t * t) * t * t * t) / STEPS
  }
  return { at, average }
}

function tabulated(alpha: number, leaves: (wo: Vec3, m: Vec3) => number): (cosine: number) => number {
  const last = ENTRIES - 1
  const table = Float64Array.from({ length: ENTRIES }, (_, i) => integral(Math.max(1e-4, i / last) ** 2, alpha, leaves))
  return cosine => {
    const place = Math.sqrt(Math.min(1, Math.max(0, cosine))) * last
    const i = Math.min(last - 1, Math.floor(place))
    return table[i]! + (table[i + 1]! - table[i]!) * (place - i)
  }
}

function integral(cosine: number, alpha: number, leaves: (wo: Vec3, m: Vec3) => number): number {
  const wo: Vec3 = [Math.sqrt(1 - cosine * cosine), 0, cosine]
  let sum = 0
  for (let i = 0; i < MIDPOINTS; i++) {
    for (let j = 0; j < MIDPOINTS; j++)
      sum += leaves(wo, visibleNormal(wo, alpha, (i + 0.5) / MIDPOINTS, (j + 0.5) / MIDPOINTS))
  }
  return sum / (MIDPOINTS * MIDPOINTS)
}
