/**
 * The stated test of a ray against a triangle, by which the kernel's answers are judged.
 *
 * Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013. The vertices are translated to
 * the ray's origin and sheared so that the ray becomes an axis; the triangle is hit if its 2D projection contains the origin.
 * All triangles that share a vertex see it at the same 2D point, and the sign of a difference of two products, each rounded
 * once, is never wrong: at worst it is zero, and zero counts as inside. So there is no gap around an edge or a vertex, and a
 * closed mesh is closed to every ray. Every operation is rounded to a float, in the order written here.
 */
const f = Math.fround

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
