/**
 * How far shadow rays start off a triangle. Hanika, "Hacking the Shadow Terminator", Ray Tracing Gems II, 2021, lifts their origin onto
 * the smooth surface that the corners' normals suggest, so that no triangle edges show at the terminator. Where triangles meet at a
 * hard edge and share its vertices, like the six sides of a box with eight, there is no such surface, and a point lifted to it would
 * see past whatever touches the box. So points are not lifted where normals are far apart, and nowhere higher than a sphere with such
 * normals would rise above the triangle.
 */
import { add, div, dot, mul, sub } from './lanes'

/** Cosines of 36 and 45 degrees between a corner's normal and the triangle's: up to the former lifted in full, from the latter on not. */
const LIFTED: f64 = 0.8090169943749475
const UNLIFTED: f64 = 0.7071067811865476

/**
 * Share of a lift to carry out, from the square of its length, the least cosine between a corner's normal and the triangle's, and the
 * square of the triangle's longest edge. A sphere through the corners rises by edge · tan(angle / 2) / √3 above an equilateral
 * triangle, and by less above others.
 */
@inline
export function liftShare(lifted: v128, cosine: v128, edge: v128): v128 {
  const one = f64x2.splat(1)
  // With this operand order NaN becomes 0, or 1 where nothing is lifted.
  const above = div(sub(cosine, f64x2.splat(UNLIFTED)), f64x2.splat(LIFTED - UNLIFTED))
  const smooth = f64x2.pmin(one, f64x2.pmax(f64x2.splat(0), above))
  // tan²(angle / 2) = (1 - cos) / (1 + cos)
  const slope = div(f64x2.pmax(f64x2.splat(0), sub(one, cosine)), add(one, cosine))
  const rise = mul(edge, div(slope, f64x2.splat(3)))
  return mul(smooth, f64x2.pmin(one, f64x2.sqrt(div(rise, lifted))))
}

/** Square of a triangle's longest edge. */
@inline
export function longestSquare(
  ax: v128,
  ay: v128,
  az: v128,
  bx: v128,
  by: v128,
  bz: v128,
  cx: v128,
  cy: v128,
  cz: v128,
): v128 {
  const ab = squareOf(sub(ax, bx), sub(ay, by), sub(az, bz))
  const bc = squareOf(sub(bx, cx), sub(by, cy), sub(bz, cz))
  const ca = squareOf(sub(cx, ax), sub(cy, ay), sub(cz, az))
  return f64x2.pmax(f64x2.pmax(ab, bc), ca)
}

@inline
function squareOf(x: v128, y: v128, z: v128): v128 {
  return dot(x, y, z, x, y, z)
}
