/**
 * The rays of the camera, in the arithmetic of every engine: doubles in this order, then floats. Records of RAY_FLOATS floats:
 * origin, tMin, direction, tMax. The length of a direction is one unit of camera depth.
 */
import { frameAround } from '../../shared/frame/region.ts'
import type { View } from '../../shared/frame/view.ts'

export const RAY_FLOATS = 8

/**
 * Writes the ray through a point of the picture, px from its top left corner: the column of the pixel and the place inside it, then
 * the same for the row. A lens is taken for a pinhole.
 */
export function putCameraRay(
  { camera, size }: Pick<View, 'camera' | 'size'>,
  column: number,
  across: number,
  row: number,
  down: number,
  rays: Float32Array,
  at: number,
): void {
  const { origin, right, up, back, tanHalfX, tanHalfY, near, far, orthographic = false } = camera
  const { x, y, frame } = frameAround(camera, size)
  const u = ((2 * (x + column + across)) / frame[0] - 1) * tanHalfX
  const v = (1 - (2 * (y + row + down)) / frame[1]) * tanHalfY
  for (let k = 0; k < 3; k++) {
    const aside = right[k]! * u + up[k]! * v
    rays[at + k] = orthographic ? origin[k]! + aside : origin[k]!
    rays[at + 4 + k] = orthographic ? -back[k]! : aside - back[k]!
  }
  rays[at + 3] = near
  rays[at + 7] = far
}
