/** Where a scene is looked at from: the cameras of a film, whichever way they are given. */
import { Box3, type PerspectiveCamera, Vector3 } from 'three'
import * as z from 'zod'
import { type CameraPathName, cameraAt, cameraFrom } from '../../scenes/camera-paths.ts'
import { UsageError } from '../../shared/errors.ts'
import type { Size } from '../../shared/rect.ts'
import { type Camera, cameraSchema } from '../../shared/view.ts'
import type { ReadyScene } from './ready-scene.ts'

/** A camera: one of three.js, of which `fov`, `zoom`, `near`, `far` and the world matrix count, or a plain one. */
export type AnyCamera = PerspectiveCamera | Camera

/** The name of a path around the scene, one camera for all frames, or what says where it is in each frame. */
export type CameraChoice = CameraPathName | AnyCamera | ((frame: number) => AnyCamera)

/** The camera of each frame. @param choice default: the scene's own path */
export function camerasOf(
  { subject, framing, defaultCamera }: ReadyScene,
  choice: CameraChoice = defaultCamera,
  [width, height]: Size,
): (frame: number) => Camera {
  const aspect = width / height
  if (typeof choice === 'string') {
    const [min, max] = subject
    const viewed = { subject: new Box3(new Vector3(...min), new Vector3(...max)), framing }
    return frame => cameraAt(choice, viewed, frame, aspect)
  }
  const at = typeof choice === 'function' ? choice : () => choice
  return frame => {
    const camera = cameraSchema.safeParse(plain(at(frame), aspect))
    if (camera.success) return camera.data
    throw new CameraError(frame, z.prettifyError(camera.error).replaceAll('\n', ' '))
  }
}

/** A camera that sees nothing, or everything in one point. */
export class CameraError extends UsageError {
  readonly code = 'BAD_CAMERA'
  constructor(frame: number, problem: string) {
    super(
      `camera of frame ${frame}: expected a PerspectiveCamera or { origin, right, up, back, tanHalfX, tanHalfY, near, far }: ${problem}`,
    )
  }
}

function plain(camera: AnyCamera, aspect: number): Camera {
  if (typeof camera !== 'object' || camera === null || !('isPerspectiveCamera' in camera)) return camera
  camera.updateWorldMatrix(true, false)
  return cameraFrom(camera, aspect)
}
