/**
 * Where a scene's coordinates have their origin. Tracing is done in single precision, whose steps are half a metre at five
 * million metres: a scene far from the origin is moved there, by a vector that is subtracted in double precision.
 */
import type { Camera, Vec3 } from '../frame/view.ts'

/**
 * The origin for coordinates within a box: zero unless the box is farther away than it is large. With P the power of two at or
 * above the box's diagonal, a multiple of P per axis: a mesh that moves a little keeps its origin.
 */
export function centreOf(min: readonly number[], max: readonly number[]): Vec3 {
  const [x, y, z] = [max[0]! - min[0]!, max[1]! - min[1]!, max[2]! - min[2]!]
  const diagonal = Math.sqrt(x * x + y * y + z * z)
  if (!(diagonal < Number.POSITIVE_INFINITY)) return [0, 0, 0]
  const step = powerOfTwoFrom(diagonal)
  // Adding 0 turns −0 into 0. In halves: the sum of two coordinates may overflow.
  const along = (axis: number): number => Math.round((min[axis]! / 2 + max[axis]! / 2) / step) * step + 0
  return [along(0), along(1), along(2)]
}

/** The smallest power of two that is not less than `length`, from 2^-100 on: smaller scenes do not exist. */
function powerOfTwoFrom(length: number): number {
  let power = 2 ** -100
  while (power < length) power *= 2
  return power
}

/** A camera in the coordinates of a scene. */
export const relativeTo = ([x, y, z]: Vec3, camera: Camera): Camera => ({
  ...camera,
  origin: [camera.origin[0] - x, camera.origin[1] - y, camera.origin[2] - z],
})
