/** The camera of a film: where it is in each frame of a scene, and what summaries and manifests call it. */
import { cameraAt, cameraOnOrbit } from '../../scenes/camera-paths.ts'
import { fullViewpoint } from '../../scenes/viewpoint.ts'
import type { Size } from '../../shared/rect.ts'
import type { Camera } from '../../shared/view.ts'
import { camerasOf, viewedOf } from '../library/cameras.ts'
import type { ReadyScene } from '../library/ready-scene.ts'
import type { CameraOptions } from './camera-options.ts'

export interface FilmCamera {
  /** The name of a path, or words that differ where cameras do: `--resume` goes on with a film of the same only. */
  readonly cameraPath: string
  cameraAt(frame: number): Camera
}

/** @throws CameraError for any camera of a still or a file that sees nothing */
export function filmCamera(loaded: ReadyScene, asked: CameraOptions, size: Size): FilmCamera {
  if (typeof asked !== 'object') {
    const path = asked ?? loaded.defaultCamera
    return { cameraPath: path, cameraAt: camerasOf(loaded, path, size) }
  }
  const { fov } = asked
  const scene = fov === undefined ? loaded : { ...loaded, framing: { ...loaded.framing, fovDegrees: fov } }
  const viewed = viewedOf(scene)
  const aspect = size[0] / size[1]
  const withLens = (name: string) => (fov === undefined ? name : `${name}, fov ${fov}`)
  switch (asked.kind) {
    case 'path': {
      const path = asked.path ?? scene.defaultCamera
      return checked(
        withLens(path),
        camerasOf(scene, frame => cameraAt(path, viewed, frame, aspect), size),
        1,
      )
    }
    case 'sweep': {
      const { from, to, over } = asked
      const degreesPerFrame = (to - from) / Math.max(1, over.frames - 1)
      const azimuth = (frame: number) => (from + (frame - over.firstFrame) * degreesPerFrame) / 360
      const at = camerasOf(scene, frame => cameraOnOrbit(viewed, azimuth(frame), aspect), size)
      const last = over.firstFrame + over.frames - 1
      return checked(withLens(`orbit:${from}..${to} in frames ${over.firstFrame}..${last}`), at, 1)
    }
    case 'still': {
      const full = fullViewpoint(asked.viewpoint, viewed)
      const name = `eye ${full.eye}, target ${full.target}, up ${full.up}, fov ${full.fov}`
      return checked(name, camerasOf(scene, full, size), 1)
    }
    case 'listed': {
      const { file, viewpoints, length, sha256 } = asked.cameras
      const at = camerasOf(scene, frame => viewpoints[frame]!, size)
      return checked(withLens(`${length} cameras of ${file}, sha256 ${sha256}`), at, length)
    }
  }
}

/** Nobody wants to hear in the middle of a film that a camera sees nothing. */
function checked(cameraPath: string, at: (frame: number) => Camera, frames: number): FilmCamera {
  for (let frame = 0; frame < frames; frame++) at(frame)
  return { cameraPath, cameraAt: at }
}
