/** The cameras of a film, in whichever form they are given. */
import { Box3, type PerspectiveCamera, Vector3 } from 'three'
import { cameraAt, cameraFrom, type Viewed } from '../../scenes/cameras/camera-paths.ts'
import { CAMERA_PATHS, type CameraPathName } from '../../scenes/cameras/camera-words.ts'
import { CameraError, cameraFromViewpoint, type Viewpoint, viewpointSchema } from '../../scenes/cameras/viewpoint.ts'
import { OptionError, UnknownNameError } from '../../shared/errors.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { type Camera, cameraSchema } from '../../shared/frame/view.ts'
import type { SceneCamera } from '../../shared/scene/description.ts'
import { schemaProblem } from '../../shared/text/schema-problem.ts'
import type { ReadyScene } from './ready-scene.ts'

/**
 * One of: a three.js camera, of which `fov`, `zoom`, `near`, `far` and the world matrix are used; an eye and its target; or
 * a plain camera.
 */
export type AnyCamera = PerspectiveCamera | Viewpoint | Camera

/**
 * The name of a path around the scene, one camera for all frames, or a function that returns the camera of a frame; it is also
 * given the scene's own cameras at that time, and the time as a fraction of a frame number: with motion blur, it is asked for each
 * moment of a frame.
 */
export type CameraChoice = CameraPathName | AnyCamera | CameraFunction
type CameraFunction = (frame: number, own: readonly SceneCamera[], time: number) => AnyCamera

/**
 * The camera of each frame, of a scene that moves also a function of its own cameras at that time; at a time between this frame and the
 * next, as a fraction of a frame number, where it moves.
 * @param asked default: the scene's first camera, or else its path
 * @throws UnknownNameError
 */
export function camerasOf(
  scene: Pick<ReadyScene, 'subject' | 'framing' | 'defaultCamera' | 'cameras'>,
  asked: CameraChoice | undefined,
  [width, height]: Size,
): (frame: number, own?: readonly SceneCamera[], time?: number) => Camera {
  const aspect = width / height
  const viewed = viewedOf(scene)
  const choice = asked ?? (scene.cameras.length > 0 ? ownCamera(0, aspect) : scene.defaultCamera)
  if (typeof choice === 'string' && !CAMERA_PATHS.includes(choice))
    throw new UnknownNameError('camera path', choice, CAMERA_PATHS)
  if (typeof choice === 'string') return (frame, _, time = frame) => cameraAt(choice, viewed, time, aspect)
  const at = typeof choice === 'function' ? choice : () => choice
  return (frame, own = scene.cameras, time = frame) => {
    const which = `camera of frame ${frame}`
    const camera = cameraSchema.safeParse(plain(at(frame, own, time), viewed, aspect, which))
    if (camera.success) return camera.data
    const expected =
      'a PerspectiveCamera, { eye, target, up, fov } or { origin, right, up, back, tanHalfX, tanHalfY, near, far }'
    throw new CameraError(which, `expected ${expected}: ${schemaProblem(camera.error)}`)
  }
}

/**
 * One of the scene's own cameras.
 * @param option what asks for it, for messages
 * @throws UnknownNameError, or OptionError for a scene without cameras
 */
export function cameraByName(
  { name: scene, cameras }: Pick<ReadyScene, 'name' | 'cameras'>,
  name: string,
  option: string,
): SceneCamera {
  const found = cameras.find(camera => camera.name === name)
  if (found) return found
  if (cameras.length === 0) throw new OptionError(option, `a scene with cameras: '${scene}' has none`, `'${name}'`)
  throw new UnknownNameError(
    'camera',
    name,
    cameras.map(camera => camera.name),
  )
}

/** One of the scene's own cameras, by its number. */
export const ownCamera =
  (number: number, aspect: number): CameraFunction =>
  (_, own) =>
    framed(own[number]!, aspect)

/** A scene's camera for frames of any shape: their height shows what its own picture's would. */
export const framed = ({ name: _, aspect: __, ...camera }: SceneCamera, aspect: number): Camera => ({
  ...camera,
  tanHalfX: camera.tanHalfY * aspect,
})

/** The properties of a scene that cameras need. */
export function viewedOf({ subject, framing }: Pick<ReadyScene, 'subject' | 'framing'>): Viewed {
  const [min, max] = subject
  return { subject: new Box3(new Vector3(...min), new Vector3(...max)), framing }
}

function plain(camera: AnyCamera, viewed: Viewed, aspect: number, which: string): Camera {
  if (typeof camera !== 'object' || camera === null) return camera
  if ('eye' in camera) {
    const viewpoint = viewpointSchema.safeParse(camera)
    if (viewpoint.success) return cameraFromViewpoint(viewpoint.data, viewed, aspect, which)
    throw new CameraError(which, `expected { eye, target, up, fov }: ${schemaProblem(viewpoint.error)}`)
  }
  if (!('isPerspectiveCamera' in camera)) return camera
  camera.updateWorldMatrix(true, false)
  return cameraFrom(camera, aspect)
}
