/**
 * The two intersection tests of a traversal: ray against box and ray against triangle. Both functions are small enough to be
 * inlined, and take precomputed values for everything that is constant for a ray.
 *
 * Triangle: Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013. The vertices are translated to
 * the ray's origin and sheared so that the ray becomes an axis; the triangle is hit if its 2D projection contains the origin.
 * All triangles that share a vertex see it at the same 2D point, and the sign of a difference of two products, each rounded
 * once, is never wrong: at worst it is zero, and zero counts as inside. So there is no gap around an edge or a vertex, and a
 * closed mesh is closed to every ray. Every operation is rounded to a float, in the order written here: an engine that
 * computes in floats finds the same distance, bit for bit.
 *
 * Box: the slabs of Kay and Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986, in doubles. The test only has to be
 * conservative, so that hits never depend on the boxes around a triangle. The triangle test rounds about ten times, each time
 * by 2^-24 of the distance to a corner, which is at most the distance to the hit plus the triangle's size. For the size, boxes
 * are slightly wider than their triangles (see the builder), so no box is flat; for the distance, a ray is taken to enter a box
 * by BOX_SLACK sooner and to leave it as much later, as Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013, does for the rounding
 * of the slabs.
 */
import { NODE_MAX } from './bvh-layout.ts'

/** Relative widening of a ray's interval in a box: sixteen ulps of a float. */
const BOX_SLACK = 1 / 1048576
/** Factors of a ray's inverse direction for the sides where it enters, and for those where it leaves. */
export const SOONER = 1 - BOX_SLACK
export const LATER = 1 + BOX_SLACK

const f = Math.fround

/**
 * Distance at which a ray enters a box within [tMin, tMax], Infinity if it does not; tMin is not negative. `nearX`, `nearY`
 * and `nearZ` are the words of the sides that it meets first. The inverse direction is passed twice, times SOONER and times
 * LATER, and must be finite and nonzero.
 */
export function boxEntry(
  bounds: Float32Array,
  nearX: number,
  nearY: number,
  nearZ: number,
  originX: number,
  originY: number,
  originZ: number,
  soonerX: number,
  soonerY: number,
  soonerZ: number,
  laterX: number,
  laterY: number,
  laterZ: number,
  tMin: number,
  tMax: number,
): number {
  // Comparisons instead of Math.min and max, which are slower because they handle NaN and -0: neither occurs.
  let x = (bounds[nearX]! - originX) * soonerX
  let y = (bounds[nearY]! - originY) * soonerY
  let z = (bounds[nearZ]! - originZ) * soonerZ
  let entry = x > y ? x : y
  entry = entry > z ? entry : z
  entry = entry > tMin ? entry : tMin
  // A node begins at a multiple of 8 words, so this bit toggles between minimum and maximum.
  x = (bounds[nearX ^ NODE_MAX]! - originX) * laterX
  y = (bounds[nearY ^ NODE_MAX]! - originY) * laterY
  z = (bounds[nearZ ^ NODE_MAX]! - originZ) * laterZ
  let exit = x < y ? x : y
  exit = exit < z ? exit : z
  exit = exit < tMax ? exit : tMax
  return entry <= exit ? entry : Number.POSITIVE_INFINITY
}

/**
 * Distance along the ray to the triangle whose nine coordinates begin at `at`; NaN if the ray misses it or sees it edge-on.
 * Both faces count. All numbers are floats. `kz` is the axis along which the direction is longest, `kx` and `ky` the others;
 * the origin is in that order, and the shear is (dkx / dkz, dky / dkz, 1 / dkz).
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
  const az = f(triangles[at + kz]! - originZ)
  const bz = f(triangles[at + 3 + kz]! - originZ)
  const cz = f(triangles[at + 6 + kz]! - originZ)
  const ax = f(f(triangles[at + kx]! - originX) - f(shearX * az))
  const ay = f(f(triangles[at + ky]! - originY) - f(shearY * az))
  const bx = f(f(triangles[at + 3 + kx]! - originX) - f(shearX * bz))
  const by = f(f(triangles[at + 3 + ky]! - originY) - f(shearY * bz))
  const cx = f(f(triangles[at + 6 + kx]! - originX) - f(shearX * cz))
  const cy = f(f(triangles[at + 6 + ky]! - originY) - f(shearY * cz))
  const u = f(f(cx * by) - f(cy * bx))
  const v = f(f(ax * cy) - f(ay * cx))
  const w = f(f(bx * ay) - f(by * ax))
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return Number.NaN
  // Edge-on all three are zero, and 0 / 0 is NaN, a miss.
  return f(f(f(f(f(u * az) + f(v * bz)) + f(w * cz)) * scaleZ) / f(f(u + v) + w))
}
