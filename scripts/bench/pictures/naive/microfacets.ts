/**
 * The GGX distribution of facet normals m, and which of them are seen. Walter, Marschner, Li and Torrance, "Microfacet Models for
 * Refraction through Rough Surfaces", EGSR 2007 (GGX); Heitz, "Understanding the Masking-Shadowing Function", JCGT 3(2), 2014
 * (Λ, height-correlated G₂); Dupuy and Benyoub, "Sampling Visible GGX Normals with Spherical Caps", HPG 2023.
 * Directions are local, normals point to +z, and α is the same in x and y.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { add, dot, normalize, scale } from '../model/vector.ts'

/** Below it a surface is perfectly smooth. */
const SMOOTHEST = 0.001

/** α of a perceived roughness; 0 for a perfectly smooth surface. */
export function alphaOf(roughness: number): number {
  const alpha = roughness * roughness
  return alpha < SMOOTHEST ? 0 : alpha
}

/** D: density of facet normals per solid angle and area of the surface. Walter 2007, Eq. 33. */
export function facetDensity([x, y, z]: Vec3, alpha: number): number {
  if (z <= 0) return 0
  const a2 = alpha * alpha
  const spread = (x * x + y * y) / a2 + z * z
  return 1 / (Math.PI * a2 * spread * spread)
}

/** Λ(w). Heitz 2014, Eq. 72. */
function hidden([x, y, z]: Vec3, alpha: number): number {
  const slope = (alpha * alpha * (x * x + y * y)) / (z * z)
  return (Math.sqrt(1 + slope) - 1) / 2
}

/** G₁(w): share of the facets turned towards `w` that are seen from there. */
export const seenShare = (w: Vec3, alpha: number): number => 1 / (1 + hidden(w, alpha))

/** G₂: share seen from both directions; of directions on different sides of the surface, too. Heitz 2014, Eq. 99. */
export const seenFromBoth = (wo: Vec3, wi: Vec3, alpha: number): number =>
  1 / (1 + hidden(wo, alpha) + hidden(wi, alpha))

/** Density of the normals that are seen from `wo`, which is above the surface: the share of its view that they fill. */
export const visibleDensity = (wo: Vec3, m: Vec3, alpha: number): number =>
  (seenShare(wo, alpha) * Math.max(0, dot(wo, m)) * facetDensity(m, alpha)) / wo[2]

/** A normal with that density. Dupuy and Benyoub 2023. */
export function visibleNormal(wo: Vec3, alpha: number, u: number, v: number): Vec3 {
  const stretched = normalize([wo[0] * alpha, wo[1] * alpha, wo[2]])
  const azimuth = 2 * Math.PI * u
  const z = (1 - v) * (1 + stretched[2]) - stretched[2]
  const r = Math.sqrt(Math.max(0, 1 - z * z))
  const m = add([r * Math.cos(azimuth), r * Math.sin(azimuth), z], stretched)
  return normalize([m[0] * alpha, m[1] * alpha, m[2]])
}

/** `wo` mirrored at the normal `m`. */
export function mirrored(wo: Vec3, m: Vec3): Vec3 {
  const twice = 2 * dot(wo, m)
  return [twice * m[0] - wo[0], twice * m[1] - wo[1], twice * m[2] - wo[2]]
}

/** Direction of light that leaves towards `wo` through the facet `m`, which faces `wo`. `beyond`: index of the far side over the near. */
export function refracted(wo: Vec3, m: Vec3, beyond: number): Vec3 {
  const cosine = dot(wo, m)
  const far = Math.sqrt(Math.max(0, 1 - (1 - cosine * cosine) / (beyond * beyond)))
  return normalize(add(scale(wo, -1 / beyond), scale(m, cosine / beyond - far)))
}
