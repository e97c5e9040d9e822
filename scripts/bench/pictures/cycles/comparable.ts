/**
 * Which light Blender 3.4's Cycles computes as we do. Found by the formulas of `known/`; what follows is left out of comparisons.
 *
 * - Rough metal: its masking and shadowing are independent, ours are correlated by height; nothing compensates for what facets throw
 *   at each other; and its nodes know the angle to the surface, not to the facet, so that Schlick's reflectance must be 1. Up to
 *   α = 0.01 all this is below a thousandth.
 * - Rough glass: reflects by the angle to the surface, too. Its Glass BSDF is the same.
 * - Coats: its layers do not conserve energy as ours do.
 * - Point lights and spots: discs that face what they shine on, not spheres. At the distance d, a disc of radius r gives
 *   d² / (d² + r²) of a sphere's light, to surfaces that see all of it.
 * - A light exactly where another is: a ray finds one of them.
 * - The gaussian filter ends at six standard deviations, ours at three.
 *
 * Lights are invisible to the camera and cast no shadows in both; both count bounces alike, but for thin sheets, which let light pass
 * unscattered there. On the diagonal of a quadrilateral, rays that start on one triangle may meet the other where they start: a slab
 * of glass is darker by 4 % along it, in pixels of 10⁻⁴ of the slab.
 */
import type { Light } from '../../../../shared/scene/light.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import { alphaOf } from '../naive/microfacets.ts'

/** α up to which white metal is the same, ±0.1 %. */
const ROUGHEST_METAL = 0.0101
const HALF = 0.5

/** What differs about a scene; absent if all of it is comparable. */
export function difference({ materials, lights }: PlainScene): string | undefined {
  for (const material of materials) {
    const reason = ofMaterial(material)
    if (reason) return reason
  }
  if (lights.some(light => 'radius' in light)) return 'its point lights are discs'
  const places = lights.map(light => JSON.stringify(placeOf(light)))
  return new Set(places).size < places.length ? 'of two lights in one place, a ray finds one' : undefined
}

function ofMaterial({ color, metallic, roughness, transmission, thin, coat }: Material): string | undefined {
  const alpha = alphaOf(roughness)
  if (transmission >= HALF)
    return alpha > 0 && !thin ? 'its rough glass reflects by the angle to the surface' : undefined
  if (metallic >= HALF) {
    if (alpha > ROUGHEST_METAL) return 'its rough metal is masked and shadowed otherwise'
    return alpha > 0 && color.some(channel => channel < 1)
      ? 'its rough metal reflects all or by the surface'
      : undefined
  }
  return coat >= HALF || roughness < 1 ? 'its coats do not conserve energy' : undefined
}

const placeOf = (light: Light) => (light.kind === 'distant' ? light.direction : light.position)
