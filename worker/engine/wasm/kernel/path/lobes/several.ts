/**
 * Light that microfacets scatter several times: Kulla and Conty, "Revisiting Physically Based Shading at Imageworks", SIGGRAPH 2017 course.
 * A white surface loses the share l(o) = 1 − E(o) of the light along a direction to further facets, where E is the albedo of a single
 * scattering. It comes back as l(o) l(i) / (π l̄) with the mean l̄ of l over the cosine-weighted hemisphere: energy is conserved, and the lobe
 * is reciprocal. What passes the facets of glass is in the same form, see `light/glass-tables.ts`.
 *
 * Metal (`conductor.ts`), glass (`dielectric.ts`), and facets and clear bodies of the principled model (`principled.ts`, `clear.ts`) multiply
 * these factors each in an order of its own, which the bytes of frames depend on.
 */

/**
 * Colour: each of the facets that such light meets takes its share. Kulla and Conty's estimate has all facets reflect their mean over the hemisphere, and
 * light leave after each as often as after the first; but it has met facets at slanting angles, which reflect more, and is higher up each time. Random
 * walks between facets (Heitz et al., "Multiple-Scattering Microfacet BSDFs with the Smith Model", SIGGRAPH 2016) of widths from 0.04 to 1 and F₀ from
 * 0.05 to 0.95 have, within 0.6 % of all light that is reflected, the two means below (`scripts/bench/pictures/naive/facet-walk.ts`).
 */

/** Mean of (1 − cosine)⁵ where facets are met: this over what is lost and a rest. 1/21, its mean over the hemisphere, where 0.4 is lost. */
const SLANTING: f64 = 0.021
const REST: f64 = 0.05
/** Share that goes on after each facet, of what is lost. */
const GOES_ON: f64 = 0.65

/** Of facets with reflectances F₀ and F₉₀; `lost` is l̄. White stays white. */
@inline
export function severalColor(f0: f64, f90: f64, lost: f64): f64 {
  const mean = f0 + ((f90 - f0) * SLANTING) / (lost + REST)
  const stays = GOES_ON * lost
  return (mean * mean * (1 - stays)) / (1 - mean * stays)
}
