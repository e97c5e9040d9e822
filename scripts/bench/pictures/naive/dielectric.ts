/**
 * Glass: solid, smooth or rough, and as a thin sheet. Rough refraction: Walter, Marschner, Li and Torrance, "Microfacet Models for
 * Refraction through Rough Surfaces", EGSR 2007. Radiance that leaves a medium of index a for one of index b is scaled by (b/a)².
 * Light that rough facets throw at each other is lost.
 */
import type { Vec3 } from '../../../../shared/view.ts'
import type { Lobe, LobeSample, LobeValue } from '../model/lobe.ts'
import { add, BLACK, dot, normalize, scale, WHITE } from '../model/vector.ts'
import { dielectricReflectance } from './fresnel.ts'
import { facetDensity, mirrored, seenFromBoth, visibleDensity, visibleNormal } from './microfacets.ts'

const NOTHING: LobeValue = { value: BLACK, pdf: 0 }

/** Solid glass: z points out of it. `color` multiplies light at each crossing. */
export function dielectric(color: Vec3, alpha: number, ior: number): Lobe {
  // Facets of no contrast do not bend light, however they are turned.
  return alpha === 0 || ior === 1 ? smoothGlass(color, ior) : roughGlass(color, alpha, ior)
}

function smoothGlass(color: Vec3, ior: number): Lobe {
  return {
    evaluate: () => NOTHING,
    sample(wo, [choice]) {
      const beyond = wo[2] > 0 ? ior : 1 / ior
      const m: Vec3 = [0, 0, Math.sign(wo[2])]
      const reflected = dielectricReflectance(Math.abs(wo[2]), beyond)
      if (choice < reflected)
        return { wi: mirrored(wo, m), smooth: true, value: scale(WHITE, reflected), pdf: reflected }
      const value = scale(color, (1 - reflected) / (beyond * beyond))
      return { wi: refracted(wo, m, beyond), smooth: true, value, pdf: 1 - reflected }
    },
  }
}

/** Direction of light that leaves towards `wo` through the facet `m`, which faces `wo`. `beyond`: index of the far side over the near. */
function refracted(wo: Vec3, m: Vec3, beyond: number): Vec3 {
  const cosine = dot(wo, m)
  const far = Math.sqrt(Math.max(0, 1 - (1 - cosine * cosine) / (beyond * beyond)))
  return normalize(add(scale(wo, -1 / beyond), scale(m, cosine / beyond - far)))
}

function roughGlass(color: Vec3, alpha: number, ior: number): Lobe {
  const over = (w: Vec3): Vec3 => [w[0], w[1], -w[2]]
  /** With `wo` above, whatever is there, and `beyond` below. */
  const fromAbove = (wo: Vec3, wi: Vec3, beyond: number): LobeValue =>
    wi[2] > 0 ? reflection(wo, wi, beyond) : transmission(wo, wi, beyond)

  function reflection(wo: Vec3, wi: Vec3, beyond: number): LobeValue {
    const m = normalize(add(wo, wi))
    const facing = dot(wo, m)
    const reflected = dielectricReflectance(facing, beyond)
    // Walter 2007, Eq. 20, times the cosine of wi.
    const value = (reflected * facetDensity(m, alpha) * seenFromBoth(wo, wi, alpha)) / (4 * wo[2])
    return { value: scale(WHITE, value), pdf: (reflected * visibleDensity(wo, m, alpha)) / (4 * facing) }
  }

  function transmission(wo: Vec3, wi: Vec3, beyond: number): LobeValue {
    if (wi[2] === 0) return NOTHING
    // Walter 2007, Eq. 16, turned upwards.
    const sum = add(wo, scale(wi, beyond))
    const m = normalize(sum[2] > 0 ? sum : scale(sum, -1))
    const [near, far] = [dot(wo, m), dot(wi, m)]
    if (near <= 0 || far >= 0) return NOTHING
    const passed = 1 - dielectricReflectance(near, beyond)
    const spread = (near + beyond * far) ** 2
    // Eq. 21 times the cosine of wi, with the index of the viewer's side as 1.
    const value = (-far * near * passed * facetDensity(m, alpha) * seenFromBoth(wo, wi, alpha)) / (wo[2] * spread)
    // Eq. 17: solid angles of m and of wi.
    const pdf = (passed * visibleDensity(wo, m, alpha) * beyond * beyond * -far) / spread
    return { value: scale(color, value), pdf }
  }

  return {
    evaluate: (wo, wi) => (wo[2] > 0 ? fromAbove(wo, wi, ior) : fromAbove(over(wo), over(wi), 1 / ior)),
    sample(wo, [choice, u, v]): LobeSample | undefined {
      const beyond = wo[2] > 0 ? ior : 1 / ior
      const upright = wo[2] > 0 ? wo : over(wo)
      const m = visibleNormal(upright, alpha, u, v)
      const reflects = choice < dielectricReflectance(dot(upright, m), beyond)
      const wi = reflects ? mirrored(upright, m) : refracted(upright, m, beyond)
      if (reflects !== wi[2] > 0) return undefined
      return { wi: wo[2] > 0 ? wi : over(wi), smooth: false, ...fromAbove(upright, wi, beyond) }
    },
  }
}

/**
 * A sheet too thin to bend light: of a single surface's reflectance R, light thrown back and forth between both surfaces, added
 * without interference, makes 2R / (1 + R); the rest passes straight through, times `color`. Its roughness is ignored.
 */
export function thinSheet(color: Vec3, ior: number): Lobe {
  return {
    evaluate: () => NOTHING,
    sample(wo, [choice]) {
      const once = dielectricReflectance(Math.abs(wo[2]), ior)
      const reflected = (2 * once) / (1 + once)
      if (choice < reflected)
        return { wi: [-wo[0], -wo[1], wo[2]], smooth: true, value: scale(WHITE, reflected), pdf: reflected }
      return { wi: scale(wo, -1), smooth: true, value: scale(color, 1 - reflected), pdf: 1 - reflected }
    },
  }
}
