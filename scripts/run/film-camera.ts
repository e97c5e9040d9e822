/** The camera of a film: its position in each frame, and its name in summaries and manifests. */
import { Vector3 } from 'three'
import { cameraAt, cameraOnOrbit } from '../../scenes/cameras/camera-paths.ts'
import { withLens } from '../../scenes/cameras/lens.ts'
import { fullViewpoint } from '../../scenes/cameras/viewpoint.ts'
import { OptionError } from '../../shared/errors.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { tanTurns } from '../../shared/math/trig.ts'
import type { SceneCamera } from '../../shared/scene/description.ts'
import { cameraByName, camerasOf, framed, viewedOf } from '../library/cameras.ts'
import type { ReadyScene } from '../library/ready-scene.ts'
import type { CameraOptions } from '../options/groups/camera.ts'

type CameraAt = FilmCamera['cameraAt']

export interface FilmCamera {
  /** The name of a path, or a text that is different for different cameras: `--resume` continues only the same film. */
  readonly cameraPath: string
  /**
   * @param own the scene's own cameras at that time, if something in it moves
   * @param time as a fraction of a frame number. @default the frame's own
   */
  cameraAt(frame: number, own?: readonly SceneCamera[], time?: number): Camera
  /** Whether it is a camera of the scene, which moves only if the scene does. */
  readonly own?: true
}

/** @throws CameraError if any camera of a still or a file sees nothing */
export function filmCamera(loaded: ReadyScene, asked: CameraOptions, size: Size): FilmCamera {
  if (typeof asked !== 'object') {
    const [own] = loaded.cameras
    if (own && asked === undefined) return ownCamera(loaded, own, size)
    const path = asked ?? loaded.defaultCamera
    return { cameraPath: path, cameraAt: camerasOf(loaded, path, size) }
  }
  const { fov, lens } = asked
  const scene = fov === undefined ? loaded : { ...loaded, framing: { ...loaded.framing, fovDegrees: fov } }
  const viewed = viewedOf(scene)
  const aspect = size[0] / size[1]
  const named = (name: string) =>
    [name, ...(fov === undefined ? [] : [`fov ${fov}`]), ...(lens ? [JSON.stringify(lens)] : [])].join(', ')
  const lensed = (at: CameraAt): CameraAt => {
    const { x, y, z } = viewed.subject.getCenter(new Vector3())
    return lens ? (...when) => withLens(at(...when), lens, [x, y, z]) : at
  }
  switch (asked.kind) {
    case 'named':
      return ownCamera(scene, cameraByName(scene, asked.name, '--camera-name'), size, fov, named, lensed)
    case 'path': {
      const [own] = scene.cameras
      if (own && asked.path === undefined) return ownCamera(scene, own, size, fov, named, lensed)
      const path = asked.path ?? scene.defaultCamera
      return checked(
        named(path),
        lensed(camerasOf(scene, (_, __, time) => cameraAt(path, viewed, time, aspect), size)),
        1,
      )
    }
    case 'sweep': {
      const { from, to, over } = asked
      const degreesPerFrame = (to - from) / Math.max(1, over.frames - 1)
      const azimuth = (time: number) => (from + (time - over.firstFrame) * degreesPerFrame) / 360
      const at = lensed(camerasOf(scene, (_, __, time) => cameraOnOrbit(viewed, azimuth(time), aspect), size))
      const last = over.firstFrame + over.frames - 1
      return checked(named(`orbit:${from}..${to} in frames ${over.firstFrame}..${last}`), at, 1)
    }
    case 'still': {
      const full = fullViewpoint(asked.viewpoint, viewed)
      const name = `eye ${full.eye}, target ${full.target}, up ${full.up}, fov ${full.fov}`
      return checked(lens ? `${name}, ${JSON.stringify(lens)}` : name, lensed(camerasOf(scene, full, size)), 1)
    }
    case 'listed': {
      const { file, viewpoints, length, sha256 } = asked.cameras
      const at = lensed(camerasOf(scene, frame => viewpoints[frame]!, size))
      return checked(named(`${length} cameras of ${file}, sha256 ${sha256}`), at, length)
    }
  }
}

/** A camera of the scene. @throws OptionError if it is orthographic and `fov` is given */
function ownCamera(
  { cameras }: ReadyScene,
  camera: SceneCamera,
  [width, height]: Size,
  fov?: number,
  named = (name: string) => name,
  lensed = (at: CameraAt) => at,
): FilmCamera {
  if (fov !== undefined && camera.orthographic)
    throw new OptionError('--fov', `a camera with perspective, and '${camera.name}' has none`, `${fov}`)
  const number = cameras.indexOf(camera)
  const at = lensed((_, own = cameras) => {
    const now = own[number]!
    return framed(fov === undefined ? now : { ...now, tanHalfY: tanTurns(fov / 720) }, width / height)
  })
  return { cameraPath: named(`the scene's camera '${camera.name}'`), cameraAt: at, own: true }
}

/** Reports a camera that sees nothing now, instead of in the middle of a film. */
function checked(cameraPath: string, at: CameraAt, frames: number): FilmCamera {
  for (let frame = 0; frame < frames; frame++) at(frame)
  return { cameraPath, cameraAt: at }
}
