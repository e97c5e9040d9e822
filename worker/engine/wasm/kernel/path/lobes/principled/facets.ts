/** GGX facets that may be stretched along x: `ggx.ts` with two widths. Directions are in a frame whose x is the long side of highlights. */

const PI: f64 = 3.141592653589793

/** Density of facet normals, per solid angle and area. */
@inline
export function stretchedFacets(ax: f64, ay: f64, x: f64, y: f64, z: f64): f64 {
  const u = x / ax
  const v = y / ay
  const spread = u * u + v * v + z * z
  return 1 / (PI * ax * ay * spread * spread)
}

/** Smith's Λ. */
@inline
export function stretchedHidden(ax: f64, ay: f64, x: f64, y: f64, z: f64): f64 {
  const u = ax * x
  const v = ay * y
  return 0.5 * (sqrt<f64>(1 + (u * u + v * v) / (z * z)) - 1)
}
