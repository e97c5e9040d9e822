/** Maps points seen by one camera into the view of another. */
import type { Camera, Vec3 } from '../../shared/frame/view.ts'

/**
 * Twelve numbers m: the second camera sees the point at (u, v) on the first one's image plane, at camera depth t, at u' =
 * x / z and v' = y / z, at depth t · z, where x = m0/t + m1 + m2·u + m3·v, and likewise y with m4 to m7 and z with m8 to
 * m11. It is in front of the second camera where z > 0. The sky is at 1/t = 0, so it needs no special case.
 *
 * With an orthographic camera first, u/t and v/t take the place of u and v; with one second, u' = x · t and v' = y · t.
 */
export function cameraMove(from: Camera, to: Camera): Float64Array {
  const [x, y, z] = from.origin
  const eye: Vec3 = [x - to.origin[0], y - to.origin[1], z - to.origin[2]]
  const row = (axis: Vec3, scale: number): number[] => [
    scale * dot(eye, axis),
    -scale * dot(from.back, axis),
    scale * from.tanHalfX * dot(from.right, axis),
    scale * from.tanHalfY * dot(from.up, axis),
  ]
  return Float64Array.from([...row(to.right, 1 / to.tanHalfX), ...row(to.up, 1 / to.tanHalfY), ...row(to.back, -1)])
}

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
