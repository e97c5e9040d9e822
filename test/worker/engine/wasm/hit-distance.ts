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

/** Factors of a box's distances, which cover rounding; and what is taken for the size of smaller components of a direction. */
const SLACK = 1 + 2 ** -19
const MIN_COMPONENT = f(1e-30)

/** 1 / direction as box tests have it: never infinite, and positive for zeros of either sign. */
export const inverseOf = (direction: readonly number[]): number[] =>
  direction.map(along => f(1 / Math.max(MIN_COMPONENT, Math.abs(along))) * (along < 0 ? -1 : 1))

/**
 * The distance of a hit: not before the ray enters the box of the triangle, which is a little wider than it; NaN if the ray misses that.
 * @param distance as of `hitDistance` @param origin and what `inverseOf` makes of the direction, x y z
 */
export function withinBox(
  triangles: Float32Array,
  at: number,
  origin: readonly number[],
  inverse: readonly number[],
  distance: number,
): number {
  const along = (axis: number) => [0, 3, 6].map(corner => triangles[at + corner + axis]!)
  const axes = [0, 1, 2].map(axis => [Math.min(...along(axis)), Math.max(...along(axis))] as const)
  const wider = f(Math.max(...axes.map(([low, high]) => f(high - low))) * 2 ** -20)
  const outwards = (side: number, way: number) => f(side + way * f(Math.abs(side) * 2 ** -23))
  let [entry, exit] = [0, Number.POSITIVE_INFINITY]
  axes.forEach(([low, high], axis) => {
    const reached = (plane: number) => f(f(plane - origin[axis]!) * inverse[axis]!)
    const [a, b] = [reached(outwards(f(low - wider), -1)), reached(outwards(f(high + wider), 1))]
    entry = Math.max(entry, Math.min(a, b))
    exit = Math.min(exit, Math.max(a, b))
  })
  entry = f(entry * f(2 - SLACK))
  return entry > f(exit * SLACK) ? Number.NaN : Math.max(distance, entry)
}
