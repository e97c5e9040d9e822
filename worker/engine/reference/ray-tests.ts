/**
 * The two questions of a traversal: does the ray enter this box, and where does it meet this triangle. Doubles over
 * float data; both functions are small enough to be inlined, and take what is constant for a ray already worked out.
 *
 * Box: the slabs of Kay and Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986. Boxes are wider than their triangles
 * by far more than the rounding here (see the builder), so no widening happens per ray, and no box is flat.
 *
 * Triangle: Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013. The vertices are moved to
 * the ray's origin and sheared so that the ray becomes an axis; the triangle is hit when its 2D shadow holds the origin.
 * All triangles at a vertex see it at the same 2D point, and the sign of a difference of two products, each rounded
 * once, is never the wrong one: at worst it is zero, and zero counts as inside. So around an edge or a vertex there is
 * no gap, and a closed mesh is closed to every ray.
 */
import { NODE_MAX } from './bvh-layout.ts'

/**
 * Distance at which a ray enters a box within [tMin, tMax], Infinity when it does not. `nearX`, `nearY` and `nearZ` are
 * the words of the sides that it meets first; the inverse direction must be finite and not zero.
 */
export function boxEntry(
  bounds: Float32Array,
  nearX: number,
  nearY: number,
  nearZ: number,
  originX: number,
  originY: number,
  originZ: number,
  inverseX: number,
  inverseY: number,
  inverseZ: number,
  tMin: number,
  tMax: number,
): number {
  // Comparisons rather than Math.min and max, which cost more for the sake of NaN and -0: neither occurs.
  let x = (bounds[nearX]! - originX) * inverseX
  let y = (bounds[nearY]! - originY) * inverseY
  let z = (bounds[nearZ]! - originZ) * inverseZ
  let entry = x > y ? x : y
  entry = entry > z ? entry : z
  entry = entry > tMin ? entry : tMin
  // A node begins at a multiple of 8 words, so this bit leads from the minimum to the maximum and back.
  x = (bounds[nearX ^ NODE_MAX]! - originX) * inverseX
  y = (bounds[nearY ^ NODE_MAX]! - originY) * inverseY
  z = (bounds[nearZ ^ NODE_MAX]! - originZ) * inverseZ
  let exit = x < y ? x : y
  exit = exit < z ? exit : z
  exit = exit < tMax ? exit : tMax
  return entry <= exit ? entry : Number.POSITIVE_INFINITY
}

/**
 * Distance along the ray to the triangle whose nine coordinates begin at `at`; NaN where the ray misses it or sees it
 * from its edge. Both faces count. `kz` is the axis along which the direction is longest, `kx` and `ky` the others; the
 * origin comes in that order, and the shear is (dkx / dkz, dky / dkz, 1 / dkz).
 */
export function hitDistance(
  triangles: Float32Array,
  at: number,
  kx: number,
  ky: number,
  kz: number,
  originX: number,
  originY: number,
  originZ: number,
  shearX: number,
  shearY: number,
  scaleZ: number,
): number {
  const az = triangles[at + kz]! - originZ
  const bz = triangles[at + 3 + kz]! - originZ
  const cz = triangles[at + 6 + kz]! - originZ
  const ax = triangles[at + kx]! - originX - shearX * az
  const ay = triangles[at + ky]! - originY - shearY * az
  const bx = triangles[at + 3 + kx]! - originX - shearX * bz
  const by = triangles[at + 3 + ky]! - originY - shearY * bz
  const cx = triangles[at + 6 + kx]! - originX - shearX * cz
  const cy = triangles[at + 6 + ky]! - originY - shearY * cz
  const u = cx * by - cy * bx
  const v = ax * cy - ay * cx
  const w = bx * ay - by * ax
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return Number.NaN
  // From its edge all three are zero, and 0 / 0 is the NaN that was promised.
  return ((u * az + v * bz + w * cz) * scaleZ) / (u + v + w)
}
