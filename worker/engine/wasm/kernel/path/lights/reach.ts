/**
 * Where shadow rays end: so little before a light that rounding does not put the surface that shines, or one that coincides with it, in their way. The
 * margin is that of rays that leave a surface (`surface/hit-point.ts`), along the ray, and never more than a share of the way.
 */
const MARGIN: f64 = 1.0 / 1048576.0
const MOST: f64 = 1.0 / 4096.0

/** @param cosine between the ray and the surface's normal @param size largest absolute coordinate of the surface */
@inline
export function shortOf(distance: f64, cosine: f64, size: f64): f64 {
  return distance - min<f64>(distance * MOST, (MARGIN * (size + distance)) / cosine)
}

/** The largest absolute coordinate. */
@inline
export function sizeOf(x: f64, y: f64, z: f64): f64 {
  return max<f64>(abs<f64>(x), max<f64>(abs<f64>(y), abs<f64>(z)))
}
