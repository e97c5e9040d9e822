/** Parses and validates the camera options. Pure. */
import {
  BLADES,
  CAMERA_PATHS,
  type CameraPathName,
  F_NUMBERS,
  FARTHEST,
  FOV_DEGREES,
} from '../../scenes/cameras/camera-words.ts'
import type { LensOptions } from '../../scenes/cameras/lens.ts'
import type { Viewpoint } from '../../scenes/cameras/viewpoint.ts'
import { UP_AXES } from '../../scenes/look/look-words.ts'
import { OptionError } from '../../shared/errors.ts'
import type { Vec3 } from '../../shared/frame/view.ts'
import type { CameraList } from './camera-file.ts'
import type { FrameRange } from './frame-range.ts'
import { isUpAxis } from './look-options.ts'
import { number, oneOf, triple, wholeNumber } from './option-values.ts'

/** Raw options from commander. */
export interface RawCameraOptions {
  readonly camera?: string
  readonly cameraPath?: string
  readonly cameraName?: string
  readonly eye?: string
  readonly target?: string
  /** A vector; an axis refers to the mesh. */
  readonly up?: string
  readonly fov?: string
  readonly fNumber?: string
  readonly focus?: string
  readonly blades?: string
  readonly orthographic?: boolean
  /** The cameras of the file that `camera` names. */
  readonly cameras?: CameraList
}

/** A path as it is, undefined for the scene's own, or something more specific. */
export type CameraOptions = CameraPathName | undefined | SpecialCamera

export type SpecialCamera =
  /** A path with a custom field of view; undefined: the scene's own path. */
  (
    | { readonly kind: 'path'; readonly path: CameraPathName | undefined }
    /** The orbit from one azimuth to another, degrees, over the frames of the run. */
    | { readonly kind: 'sweep'; readonly from: number; readonly to: number; readonly over: FrameRange }
    | { readonly kind: 'still'; readonly viewpoint: Viewpoint }
    | { readonly kind: 'listed'; readonly cameras: CameraList }
    /** One of the scene's own cameras. */
    | { readonly kind: 'named'; readonly name: string }
  ) & {
    /** Vertical, degrees: for a path, and for cameras without their own. Absent: the scene's. */
    readonly fov: number | undefined
    /** Of all cameras. Absent: as they are. */
    readonly lens: LensOptions | undefined
  }

/** @throws OptionError, UnknownNameError */
export function resolveCamera(raw: RawCameraOptions, over: FrameRange): CameraOptions {
  const fov = raw.fov === undefined ? undefined : number('--fov', raw.fov, FOV_DEGREES.least, FOV_DEGREES.most)
  const lens = lensOf(raw)
  const { camera, cameraPath, cameras } = raw
  if (camera !== undefined && cameraPath !== undefined)
    throw new OptionError('--camera-path', 'no --camera with it', `--camera ${camera}`)
  if (raw.cameraName !== undefined) {
    const other = raw.eye === undefined ? (camera ?? cameraPath) : raw.eye
    if (other !== undefined) {
      const option = raw.eye === undefined ? (camera === undefined ? '--camera-path' : '--camera') : '--eye'
      throw new OptionError('--camera-name', `no ${option} with it`, `${option} ${other}`)
    }
  }
  if (raw.eye !== undefined) return { kind: 'still', viewpoint: viewpointOf(raw, raw.eye), fov, lens }
  if (raw.target !== undefined)
    throw new OptionError('--target', '--eye with it: a path looks at its subject', `only '${raw.target}'`)
  if (raw.up !== undefined && !isUpAxis(raw.up))
    throw new OptionError(
      '--up',
      `the axis of a mesh that points up (${UP_AXES.join(', ')}), or a vector with --eye`,
      `'${raw.up}'`,
    )
  if (cameras) {
    const [only] = cameras.viewpoints
    return cameras.length === 1
      ? { kind: 'still', viewpoint: only!, fov, lens }
      : { kind: 'listed', cameras, fov, lens }
  }
  if (raw.cameraName !== undefined) return { kind: 'named', name: raw.cameraName, fov, lens }
  const [option, text] = cameraPath === undefined ? ['--camera', camera] : ['--camera-path', cameraPath]
  const special = text?.includes(':') ? sweepOf(option!, text, over) : undefined
  if (special) return { ...special, fov, lens }
  const path = text === undefined ? undefined : oneOf('camera path', text, CAMERA_PATHS)
  return fov === undefined && lens === undefined ? path : { kind: 'path', path, fov, lens }
}

function lensOf({ fNumber, focus, blades, orthographic }: RawCameraOptions): LensOptions | undefined {
  for (const [option, value] of [
    ['--focus', focus],
    ['--blades', blades],
  ] as const)
    if (value !== undefined && fNumber === undefined) throw new OptionError(option, '--f-number with it', value)
  if (fNumber === undefined && !orthographic) return undefined
  return {
    ...(fNumber === undefined ? {} : { fNumber: number('--f-number', fNumber, F_NUMBERS.least, F_NUMBERS.most) }),
    ...(focus === undefined ? {} : { focus: number('--focus', focus, 1e-6, FARTHEST) }),
    ...(blades === undefined ? {} : { blades: wholeNumber('--blades', blades, BLADES.least, BLADES.most) }),
    ...(orthographic ? { orthographic } : {}),
  }
}

function viewpointOf({ camera, cameraPath, target, up }: RawCameraOptions, eye: string): Viewpoint {
  const other = camera === undefined ? '--camera-path' : '--camera'
  const said = camera ?? cameraPath
  if (said !== undefined) throw new OptionError('--eye', `no ${other} with it: it is itself a camera`, said)
  return {
    eye: vectorOf('--eye', eye),
    ...(target === undefined ? {} : { target: vectorOf('--target', target) }),
    ...(up === undefined || isUpAxis(up) ? {} : { up: vectorOf('--up', up, `, or an axis: ${UP_AXES.join(', ')}`) }),
  }
}

function vectorOf(option: string, text: string, other = ''): Vec3 {
  const vector = triple(text)
  if (!vector?.every(each => Math.abs(each) <= FARTHEST))
    throw new OptionError(option, `three comma-separated numbers, such as 1.5,2,-3${other}`, `'${text}'`)
  return vector
}

/** Limit beyond any intended rotation. */
const MAX_DEGREES = 36_000

function sweepOf(option: string, text: string, over: FrameRange) {
  const [name, ...ranges] = text.split(':')
  const path = oneOf('camera path', name!, CAMERA_PATHS)
  if (path !== 'orbit')
    throw new OptionError(option, 'a range only after orbit, such as orbit:30..90', `'${text}': ${path} has none`)
  const ends = ranges.join(':').split('..')
  if (ends.length !== 2) throw new OptionError(option, 'a range in degrees, such as orbit:30..90', `'${text}'`)
  const [from, to] = ends.map(each => number(`${option} ${text}`, each, -MAX_DEGREES, MAX_DEGREES))
  return { kind: 'sweep', from: from!, to: to!, over } as const
}
