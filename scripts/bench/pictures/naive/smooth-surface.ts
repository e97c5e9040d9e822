/**
 * The smooth surface that triangles with shading normals stand for: a point is moved towards the mean, by its barycentric weights, of its
 * feet on the planes through the corners at right angles to their normals, if it lies below them. Hanika, "Hacking the Shadow
 * Terminator", Ray Tracing Gems II, 2021. Corners whose normals are more than 45° from the triangle's stand for an edge, those of 36° to
 * 45° in part; and no point is moved farther than the top of a sphere with such normals is from an equilateral triangle in it.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { add, BLACK, dot, length, scale, subtract } from '../model/vector.ts'

export interface Corner {
  readonly position: Vec3
  /** Unit normal on the side from which the surface is seen. */
  readonly normal: Vec3
  /** Barycentric weight of the point. */
  readonly weight: number
}

const FULLY = Math.cos(Math.PI / 5)
const NOT = Math.cos(Math.PI / 4)

/** How far a point of a triangle is to be moved. `outside`: the triangle's unit normal, on the same side as those of the corners. */
export function lift(point: Vec3, corners: readonly [Corner, Corner, Corner], outside: Vec3): Vec3 {
  const whole = corners
    .map(({ position, normal, weight }) => scale(normal, weight * Math.max(0, -dot(subtract(point, position), normal))))
    .reduce(add, BLACK)
  const cosine = Math.min(...corners.map(({ normal }) => dot(normal, outside)))
  const share = Math.min(1, Math.max(0, (cosine - NOT) / (FULLY - NOT)))
  const far = length(whole)
  if (far === 0 || share === 0) return BLACK
  const edge = Math.max(...corners.map(({ position }, i) => length(subtract(position, corners[(i + 1) % 3]!.position))))
  const top = (edge * Math.tan(Math.acos(Math.min(1, cosine)) / 2)) / Math.sqrt(3)
  return scale(whole, share * Math.min(1, top / far))
}
