/**
 * How far shadow rays start off a triangle, and paths that leave a smooth surface below it. Hanika, "Hacking the Shadow Terminator", Ray Tracing Gems II, 2021, lifts their origin onto
 * the smooth surface that the corners' normals suggest, so that no triangle edges show at the terminator. Where triangles meet at a
 * hard edge and share its vertices, like the six sides of a box with eight, there is no such surface, and a point lifted to it would
 * see past whatever touches the box. So points are not lifted where normals are far apart, and nowhere higher than a sphere with such
 * normals would rise above the triangle.
 */
import { add, div, mul, splat, sub } from './math/floats'

/** Cosines of 36 and 45 degrees between a corner's normal and the triangle's: up to the former lifted in full, from the latter on not. */
const LIFTED: f64 = 0.8090169943749475
const UNLIFTED: f64 = 0.7071067811865476
const STEEPNESS: f32 = <f32>(1 / (LIFTED - UNLIFTED))

/**
 * Share to carry out of twice a lift, from the square of the length of that, the least cosine between a corner's normal and the triangle's, and the
 * square of the triangle's longest edge. A sphere through the corners rises by edge · tan(angle / 2) / √3 above an equilateral
 * triangle, and by less above others.
 */
@inline
export function liftShare(twice: v128, cosine: v128, edge: v128): v128 {
  const one = splat(1)
  // With this operand order NaN becomes 0, or 1 where nothing is lifted.
  const above = mul(sub(cosine, splat(<f32>UNLIFTED)), splat(STEEPNESS))
  const smooth = f32x4.pmin(one, f32x4.pmax(splat(0), above))
  // tan²(angle / 2) = (1 - cos) / (1 + cos)
  const rise = mul(edge, f32x4.pmax(splat(0), sub(one, cosine)))
  const most = div(rise, mul(twice, mul(splat(3), add(one, cosine))))
  return mul(smooth, f32x4.pmin(splat(0.5), f32x4.sqrt(most)))
}
