/** Where rays start that leave a triangle which a ray has hit: computed here and not by an engine, so that it is the same for all. */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import { cornerOf, type Triangles } from '../../../../shared/scene/bake.ts'

/** How far off the triangle, relative to the coordinates and distances involved. */
const OFFSET = 1 / 1048576

export interface RayStart {
  /** Slightly on the side from which the ray came, so that rays do not hit the triangle that they leave. */
  readonly point: Vec3
  /** Unit normal of the triangle, on that side. */
  readonly normal: Vec3
}

/** @param ray origin xyz, tMin, unit direction xyz, tMax */
export function startOf(scene: Triangles, triangle: number, ray: Float32Array, distance: number): RayStart {
  const [a, b, c] = [0, 1, 2].map(corner => cornerOf(scene, triangle, corner)) as [Vec3, Vec3, Vec3]
  const [ox, oy, oz, , dx, dy, dz] = ray as unknown as [number, number, number, number, number, number, number]
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]]
  const [gx, gy, gz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  const towards = gx * dx + gy * dy + gz * dz < 0 ? 1 : -1
  const scale = towards / Math.sqrt(gx * gx + gy * gy + gz * gz)
  const normal: Vec3 = [gx * scale, gy * scale, gz * scale]
  const largest = [...a, ...b, ...c].reduce((most, coordinate) => Math.max(most, Math.abs(coordinate)), 0)
  const offset = OFFSET * (largest + distance)
  return {
    point: [
      ox + distance * dx + normal[0] * offset,
      oy + distance * dy + normal[1] * offset,
      oz + distance * dz + normal[2] * offset,
    ],
    normal,
  }
}
