/**
 * Glass: solid, smooth or rough, and as a thin sheet. Rough refraction: Walter, Marschner, Li and Torrance, "Microfacet Models for
 * Refraction through Rough Surfaces", EGSR 2007. Radiance that leaves a medium of index a for one of index b is scaled by (b/a)².
 * Rough glass loses the light that its facets throw at each other, unless that is compensated.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Lobe, LobeSample, LobeValue } from '../model/lobe.ts'
import { add, BLACK, dot, normalize, scale, WHITE } from '../model/vector.ts'
import { dielectricReflectance } from './fresnel.ts'
import { facetDensity, mirrored, refracted, seenFromBoth, visibleDensity, visibleNormal } from './microfacets.ts'
import { SINGLE, type ThrownAbout, thrownAbout } from './thrown-about.ts'

const NOTHING: LobeValue = { value: BLACK, pdf: 0 }

/** Solid glass: z points out of it. `color` multiplies light at each crossing. `compensation`: whether multiply scattered light is added. */
export function dielectric(color: Vec3, alpha: number, ior: number, compensation: boolean): Lobe {
  // Facets of no contrast do not bend light, however they are turned.
  if (alpha === 0 || ior === 1) return smoothGlass(color, ior)
  return roughGlass(color, alpha, ior, compensation ? thrownAbout(alpha, ior) : SINGLE)
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

function roughGlass(color: Vec3, alpha: number, ior: number, several: ThrownAbout): Lobe {
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

  const evaluate = (wo: Vec3, wi: Vec3): LobeValue => {
    const once = wo[2] > 0 ? fromAbove(wo, wi, ior) : fromAbove(over(wo), over(wi), 1 / ior)
    const again = several.evaluate(wo, wi)
    const share = several.share(wo)
    const tint = wo[2] * wi[2] > 0 ? WHITE : color
    return { value: add(once.value, scale(tint, again.value)), pdf: (1 - share) * once.pdf + share * again.pdf }
  }

  return {
    evaluate,
    sample(wo, [number, u, v]): LobeSample | undefined {
      const share = several.share(wo)
      if (number < share) {
        const wi = several.sample(wo, [number / share, u, v])
        return { wi, smooth: false, ...evaluate(wo, wi) }
      }
      const choice = (number - share) / (1 - share)
      const beyond = wo[2] > 0 ? ior : 1 / ior
      const upright = wo[2] > 0 ? wo : over(wo)
      const m = visibleNormal(upright, alpha, u, v)
      const reflects = choice < dielectricReflectance(dot(upright, m), beyond)
      const wi = reflects ? mirrored(upright, m) : refracted(upright, m, beyond)
      if (reflects !== wi[2] > 0) return undefined
      const turned = wo[2] > 0 ? wi : over(wi)
      return { wi: turned, smooth: false, ...evaluate(wo, turned) }
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
