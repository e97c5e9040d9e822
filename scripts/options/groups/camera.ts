/** Where frames are seen from. Pure. */
import { BLADES, CAMERA_PATHS, type CameraPathName, F_NUMBERS } from '../../../scenes/cameras/camera-words.ts'
import type { LensOptions } from '../../../scenes/cameras/lens.ts'
import type { Viewpoint } from '../../../scenes/cameras/viewpoint.ts'
import { UP_AXES, type UpAxis } from '../../../scenes/look/look-words.ts'
import { OptionError } from '../../../shared/errors.ts'
import { FARTHEST, FOV_DEGREES } from '../../../shared/frame/frame-limits.ts'
import { by, type CommandName, type GivenOf, group, option, PICTURES, RUNS, SCENE_HEADING } from '../declare/group.ts'
import { flag, type Kind, number, oneOf, text, type Vector, vector, wholeNumber } from '../declare/kinds.ts'
import type { CameraList } from './camera-file.ts'
import type { FrameRange } from './film.ts'

const isUpAxis = (word: unknown): word is UpAxis => UP_AXES.some(axis => axis === word)

/** An axis refers to the mesh; a vector to a camera, which has to be there. */
const upOf = (hasEye: boolean): Kind<UpAxis | Vector> => {
  const ofEye = vector(FARTHEST, `, or an axis: ${UP_AXES.join(', ')}`)
  return {
    ...ofEye,
    type: 'string',
    read(word, wrong) {
      if (isUpAxis(word)) return word
      if (hasEye) return ofEye.read(word, wrong)
      throw wrong(`the axis of a mesh that points up (${UP_AXES.join(', ')}), or a vector with --eye`, `'${word}'`)
    },
  }
}

/** A page turns a pinhole around its subject. */
const WITH_LENS = ['render', 'compare', 'simulate', 'tile'] as const satisfies readonly CommandName[]

export const camera = group('Camera:', PICTURES, {
  camera: option({
    flag: '--camera <path>',
    kind: text(CAMERA_PATHS),
    help: '{names}, or a .json file of cameras',
    otherwise: 'the scene’s camera or path',
    heading: by({ render: 'Picture:', simulate: SCENE_HEADING }),
    variable: RUNS,
    decides: 'pixels',
  }),
  cameraPath: option({
    flag: '--camera-path <path>',
    kind: text(CAMERA_PATHS),
    help: 'a path as for {camera}; orbit also with a range of azimuths, such as orbit:30..90',
    decides: 'pixels',
    entry: 'camera',
    rules: [{ excludes: 'camera' }],
  }),
  eye: option({
    flag: '--eye <x,y,z>',
    kind: vector(FARTHEST),
    help: by({
      render: 'position of one still camera; render then makes one frame',
      view: 'where the view begins',
    }),
    decides: 'pixels',
    entry: 'camera',
    rules: [
      { excludes: 'camera', because: ': it is itself a camera' },
      { excludes: 'cameraPath', because: ': it is itself a camera' },
    ],
  }),
  cameraName: option({
    flag: '--camera-name <name>',
    kind: text(),
    help: 'one of the scene’s own cameras',
    otherwise: 'its first, if it has any',
    library: true,
    decides: 'pixels',
    entry: 'camera',
    rules: [{ excludes: 'eye' }, { excludes: 'camera' }, { excludes: 'cameraPath' }],
  }),
  target: option({
    flag: '--target <x,y,z>',
    kind: vector(FARTHEST),
    help: 'what {eye} looks at',
    otherwise: 'the middle of the subject',
    decides: 'pixels',
    entry: 'camera',
    rules: [{ needs: 'eye', because: ': a path looks at its subject' }],
  }),
  up: option({
    flag: '--up <x,y,z|axis>',
    kind: upOf(true),
    among: ({ eye }) => upOf(eye !== undefined),
    help: 'up vector of {eye}; or the axis of a mesh that points up, such as z or -z',
    otherwise: '0,1,0; y',
    decides: 'pixels',
    entry: 'camera',
  }),
  fov: option({
    flag: '--fov <degrees>',
    kind: number(FOV_DEGREES.least, FOV_DEGREES.most),
    help: 'vertical field of view, {range}',
    otherwise: 'the scene’s',
    decides: 'pixels',
    entry: 'camera',
  }),
  fNumber: option({
    commands: WITH_LENS,
    flag: '--f-number <n>',
    kind: number(F_NUMBERS.least, F_NUMBERS.most),
    help: 'path: depth of field, as of a full-frame camera, in a scene in metres; smaller numbers blur more',
    otherwise: 'all sharp',
    decides: 'pixels',
    entry: 'camera',
    rules: [{ needs: 'integrator', as: 'path' }],
  }),
  focus: option({
    commands: WITH_LENS,
    flag: '--focus <distance>',
    kind: number(1e-6, FARTHEST),
    help: 'with {fNumber}: camera depth that is in focus',
    otherwise: 'the middle of the subject',
    decides: 'pixels',
    entry: 'camera',
    rules: [{ needs: 'fNumber' }],
  }),
  blades: option({
    commands: WITH_LENS,
    flag: '--blades <n>',
    kind: wholeNumber(BLADES.least, BLADES.most),
    help: 'with {fNumber}: sides of the aperture, {range}',
    otherwise: 'round',
    decides: 'pixels',
    entry: 'camera',
    rules: [{ needs: 'fNumber' }],
  }),
  orthographic: option({
    commands: WITH_LENS,
    flag: '--orthographic',
    kind: flag,
    help: 'parallel rays, with as much of the subject in the picture',
    decides: 'pixels',
    entry: 'camera',
  }),
})

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

/**
 * @param cameras of the file that `camera` names
 * @throws OptionError, UnknownNameError
 */
export function resolveCamera(given: GivenOf<typeof camera>, over: FrameRange, cameras?: CameraList): CameraOptions {
  const { eye, target, up, fov, cameraPath, cameraName } = given
  const lens = lensOf(given)
  if (eye !== undefined) {
    const isVector = up !== undefined && !isUpAxis(up)
    const viewpoint = { eye, ...(target === undefined ? {} : { target }), ...(isVector ? { up } : {}) }
    return { kind: 'still', viewpoint, fov, lens }
  }
  if (cameras) {
    const [only] = cameras.viewpoints
    return cameras.length === 1
      ? { kind: 'still', viewpoint: only!, fov, lens }
      : { kind: 'listed', cameras, fov, lens }
  }
  if (cameraName !== undefined) return { kind: 'named', name: cameraName, fov, lens }
  const [option, text] = cameraPath === undefined ? ['--camera', given.camera] : ['--camera-path', cameraPath]
  const special = text?.includes(':') ? sweepOf(option, text, over) : undefined
  if (special) return { ...special, fov, lens }
  const path = text === undefined ? undefined : pathNamed(text)
  return fov === undefined && lens === undefined ? path : { kind: 'path', path, fov, lens }
}

/** The axis of a mesh that points up, if `--up` says one. */
export const meshUp = ({ up }: GivenOf<typeof camera>): UpAxis | undefined => (isUpAxis(up) ? up : undefined)

function lensOf({ fNumber, focus, blades, orthographic }: GivenOf<typeof camera>): LensOptions | undefined {
  if (fNumber === undefined && !orthographic) return undefined
  return {
    ...(fNumber === undefined ? {} : { fNumber }),
    ...(focus === undefined ? {} : { focus }),
    ...(blades === undefined ? {} : { blades }),
    ...(orthographic ? { orthographic } : {}),
  }
}

const paths = oneOf('camera path', CAMERA_PATHS)
const pathNamed = (name: string): CameraPathName => paths.read(name, (_, got) => new Error(got))

/** Limit beyond any intended rotation. */
const MAX_DEGREES = 36_000
const degrees = number(-MAX_DEGREES, MAX_DEGREES)

function sweepOf(option: string, text: string, over: FrameRange) {
  const [name, ...ranges] = text.split(':')
  const path = pathNamed(name!)
  if (path !== 'orbit')
    throw new OptionError(option, 'a range only after orbit, such as orbit:30..90', `'${text}': ${path} has none`)
  const ends = ranges.join(':').split('..')
  if (ends.length !== 2) throw new OptionError(option, 'a range in degrees, such as orbit:30..90', `'${text}'`)
  const wrong = (expected: string, got: string) => new OptionError(`${option} ${text}`, expected, got)
  const [from, to] = ends.map(each => degrees.read(each, wrong))
  return { kind: 'sweep', from: from!, to: to!, over } as const
}
