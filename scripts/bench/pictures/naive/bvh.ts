/** The nearest triangle that a ray meets: a bounding volume hierarchy split at the median, in plain doubles. */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { add, cross, dot, scale, subtract } from '../model/vector.ts'

export interface Ray {
  readonly origin: Vec3
  /** Unit vector. */
  readonly direction: Vec3
}

export interface Hit {
  readonly distance: number
  readonly triangle: number
  /** Barycentric weights of the second and the third corner. */
  readonly u: number
  readonly v: number
}

interface Node {
  readonly min: Vec3
  readonly max: Vec3
  /** Of a leaf. */
  readonly triangles?: readonly Triangle[]
  readonly children?: readonly [Node, Node]
}

interface Triangle {
  readonly index: number
  readonly corner: Vec3
  readonly edge1: Vec3
  readonly edge2: Vec3
  readonly center: Vec3
}

/** Relative difference of distances to what is in one place. */
const SAME = 1e-10

/** Most triangles of a leaf. */
const LEAF = 4

export class Bvh {
  readonly #root: Node | undefined

  /** `positions`: xyz of three corners per triangle. */
  constructor(positions: Float64Array) {
    const at = (corner: number): Vec3 => [
      positions[corner * 3]!,
      positions[corner * 3 + 1]!,
      positions[corner * 3 + 2]!,
    ]
    const triangles = Array.from({ length: positions.length / 9 }, (_, index): Triangle => {
      const [a, b, c] = [at(index * 3), at(index * 3 + 1), at(index * 3 + 2)]
      const center = scale(add(add(a, b), c), 1 / 3)
      return { index, corner: a, edge1: subtract(b, a), edge2: subtract(c, a), center }
    })
    if (triangles.length > 0) this.#root = build(triangles)
  }

  /**
   * The nearest hit between two distances, on any triangle but those that the ray starts on or has passed. Of triangles in one place the first
   * by `rank`.
   */
  nearest(
    ray: Ray,
    passed: ReadonlySet<number>,
    least: number,
    most: number,
    rank: (triangle: number) => number = triangle => triangle,
  ): Hit | undefined {
    const inverse: Vec3 = [1 / ray.direction[0], 1 / ray.direction[1], 1 / ray.direction[2]]
    let best: Hit | undefined
    let end = most
    const visit = (node: Node): void => {
      if (!meetsBox(node, ray.origin, inverse, end)) return
      for (const triangle of node.triangles ?? []) {
        const hit = passed.has(triangle.index) ? undefined : meet(triangle, ray)
        if (!hit || hit.distance < least || hit.distance > end) continue
        if (best && hit.distance > best.distance * (1 - SAME) && rank(hit.triangle) > rank(best.triangle)) continue
        best = hit
        end = hit.distance * (1 + SAME)
      }
      for (const child of node.children ?? []) visit(child)
    }
    if (this.#root) visit(this.#root)
    return best
  }
}

function build(triangles: readonly Triangle[]): Node {
  const corners = triangles.flatMap(({ corner, edge1, edge2 }) => [corner, add(corner, edge1), add(corner, edge2)])
  const bound = (choose: (a: number, b: number) => number): Vec3 =>
    corners.reduce((a, b) => [choose(a[0], b[0]), choose(a[1], b[1]), choose(a[2], b[2])])
  const [min, max] = [bound(Math.min), bound(Math.max)]
  if (triangles.length <= LEAF) return { min, max, triangles }
  const extent = subtract(max, min)
  const axis = extent.indexOf(Math.max(...extent)) as 0 | 1 | 2
  const sorted = [...triangles].sort((a, b) => a.center[axis] - b.center[axis])
  const middle = sorted.length >> 1
  return { min, max, children: [build(sorted.slice(0, middle)), build(sorted.slice(middle))] }
}

/** Rounding must not lose a triangle in the wall of a flat box. */
const MARGIN = 1 + 1e-9

function meetsBox({ min, max }: Node, origin: Vec3, inverse: Vec3, end: number): boolean {
  let enter = 0
  let leave = end
  for (const axis of [0, 1, 2] as const) {
    const a = (min[axis] - origin[axis]) * inverse[axis]
    const b = (max[axis] - origin[axis]) * inverse[axis]
    // 0 · ∞: the ray runs within the plane of a wall, and nothing is excluded.
    if (Number.isNaN(a) || Number.isNaN(b)) continue
    enter = Math.max(enter, Math.min(a, b))
    leave = Math.min(leave, Math.max(a, b))
  }
  return enter <= leave * MARGIN
}

/** Möller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", Journal of Graphics Tools 2(1), 1997. */
function meet({ index, corner, edge1, edge2 }: Triangle, { origin, direction }: Ray): Hit | undefined {
  const p = cross(direction, edge2)
  const determinant = dot(edge1, p)
  if (determinant === 0) return undefined
  const toOrigin = subtract(origin, corner)
  const u = dot(toOrigin, p) / determinant
  if (u < 0 || u > 1) return undefined
  const q = cross(toOrigin, edge1)
  const v = dot(direction, q) / determinant
  if (v < 0 || u + v > 1) return undefined
  return { distance: dot(edge2, q) / determinant, triangle: index, u, v }
}
