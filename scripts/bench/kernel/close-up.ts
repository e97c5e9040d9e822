/**
 * A camera for kernel benchmarks: the scene's own, with the field of view fitted to the mesh. Otherwise a scan covers about
 * a tenth of the frame, and most rays would measure the floor.
 */

import type { Camera, Vec3 } from '../../../shared/frame/view.ts'
import { cornerOf, materialOf, type Triangles, triangleCount } from '../../../shared/scene/bake.ts'

/** Empty margin around the mesh. */
const MARGIN = 1.02

/** The camera, narrowed or widened to the triangles of the most common material. */
export function closeUp(camera: Camera, triangles: Triangles): Camera {
  const subject = commonestMaterial(triangles)
  let scale = 0
  for (let triangle = 0; triangle < triangleCount(triangles); triangle++) {
    if (materialOf(triangles, triangle) !== subject) continue
    for (let corner = 0; corner < 3; corner++)
      scale = Math.max(scale, outwardness(camera, cornerOf(triangles, triangle, corner)))
  }
  // A subject that surrounds the camera has no outline to fit.
  if (!(scale > 0 && Number.isFinite(scale))) return camera
  return { ...camera, tanHalfX: camera.tanHalfX * scale * MARGIN, tanHalfY: camera.tanHalfY * scale * MARGIN }
}

/** Distance of a point from the centre of the frame: 1 at its border; Infinity behind the camera. */
function outwardness({ origin, right, up, back, tanHalfX, tanHalfY }: Camera, point: Vec3): number {
  const x = point[0] - origin[0]
  const y = point[1] - origin[1]
  const z = point[2] - origin[2]
  const depth = -(x * back[0] + y * back[1] + z * back[2])
  if (depth <= 0) return Number.POSITIVE_INFINITY
  const across = Math.abs(x * right[0] + y * right[1] + z * right[2]) / tanHalfX
  const along = Math.abs(x * up[0] + y * up[1] + z * up[2]) / tanHalfY
  return Math.max(across, along) / depth
}

function commonestMaterial(triangles: Triangles): number {
  const counts = new Uint32Array(65536)
  for (let triangle = 0; triangle < triangleCount(triangles); triangle++) counts[materialOf(triangles, triangle)]!++
  return counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0))
}
