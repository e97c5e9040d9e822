/**
 * Light that microfacets scatter several times: Kulla and Conty, "Revisiting Physically Based Shading at Imageworks", SIGGRAPH 2017 course.
 * A white surface loses the share l(o) = 1 − E(o) of the light along a direction to further facets, where E is the albedo of a single
 * scattering. It comes back as l(o) l(i) / (π l̄) with the mean l̄ of l over the cosine-weighted hemisphere: energy is conserved, and the lobe
 * is reciprocal. What passes the facets of glass is in the same form, see `light/glass-tables.ts`.
 *
 * Metal (`conductor.ts`), glass (`dielectric.ts`), and facets and clear bodies of the principled model (`principled.ts`, `clear.ts`) multiply
 * these factors each in an order of its own, which the bytes of frames depend on.
 */

/** Colour of that light, of facets with a mean reflectance F̄ (`mean`) of whose light the share Ē is scattered once and l̄ = 1 − Ē is lost. */
@inline
export function severalColor(mean: f64, meanAlbedo: f64, meanLost: f64): f64 {
  return (mean * mean * meanAlbedo) / (1 - mean * meanLost)
}
