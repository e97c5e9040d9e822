/** Rays that a matte surface scatters: cosine-distributed around the triangle's normal, without an end. */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import { hash32, unitOf } from '../../../../shared/math/random.ts'
import type { Ray } from './ray-kinds.ts'
import { onSphere } from './sphere.ts'
import type { RayStart } from './start-of.ts'

/** @param depth 1 for the ray that leaves a camera ray's hit */
export function bounceRay({ point, normal }: RayStart, pixel: number, depth: number): Ray {
  const u = unitOf(hash32(pixel, 2 * depth - 1))
  const v = unitOf(hash32(pixel, 2 * depth))
  return [...point, 0, ...cosineDirection(normal, u, v), Number.POSITIVE_INFINITY]
}

/**
 * A point on the unit sphere around the tip of the normal: as directions, such points are cosine-distributed.
 * @param u in [0, 1), as is v
 */
export function cosineDirection([gx, gy, gz]: Vec3, u: number, v: number): Vec3 {
  const [sx, sy, sz] = onSphere(u, v)
  const [x, y, z] = [gx + sx, gy + sy, gz + sz]
  // Opposite the normal the sum vanishes; use the normal itself.
  const length = Math.sqrt(x * x + y * y + z * z)
  return length < 1e-4 ? [gx, gy, gz] : [x / length, y / length, z / length]
}
