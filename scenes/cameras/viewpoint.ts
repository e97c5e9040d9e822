/** A camera as users specify it: the position of the eye, the target, the up direction, and the field of view. */
import { Vector3 } from 'three'
import * as z from 'zod'
import { UsageError } from '../../shared/errors.ts'
import type { Camera, Vec3 } from '../../shared/frame/view.ts'
import { tanTurns } from '../../shared/math/trig.ts'
import { depthRangeFrom, type Viewed } from './camera-paths.ts'
import { FARTHEST, FOV_DEGREES } from './camera-words.ts'

export interface Viewpoint {
  /** World position, scene units. */
  readonly eye: Vec3
  /** The point at the centre of the frame. @default the centre of the subject */
  readonly target?: Vec3 | undefined
  /** Up direction of the frame; need not be a unit vector or perpendicular to the view. @default [0, 1, 0] */
  readonly up?: Vec3 | undefined
  /** Vertical field of view, degrees, 0.1 to 179. @default from the scene's framing */
  readonly fov?: number | undefined
}

const coordinate = z.number().min(-FARTHEST).max(FARTHEST)
const vector = z.tuple([coordinate, coordinate, coordinate]).readonly()

export const viewpointSchema = z.strictObject({
  eye: vector,
  target: vector.optional(),
  up: vector.optional(),
  fov: z.number().min(FOV_DEGREES.least).max(FOV_DEGREES.most).optional(),
})

/** A camera that sees nothing, or everything at one point. */
export class CameraError extends UsageError {
  readonly code = 'BAD_CAMERA'
  /** @param which for example 'camera of frame 3' */
  constructor(which: string, problem: string) {
    super(`${which}: ${problem}`)
  }
}

/** A viewpoint with every property set. */
export type FullViewpoint = { readonly [key in keyof Viewpoint]-?: NonNullable<Viewpoint[key]> }

export function fullViewpoint({ eye, target, up, fov }: Viewpoint, { subject, framing }: Viewed): FullViewpoint {
  const { x, y, z } = subject.getCenter(new Vector3())
  return { eye, target: target ?? [x, y, z], up: up ?? [0, 1, 0], fov: fov ?? framing.fovDegrees }
}

/**
 * The camera of a viewpoint. `aspect` is width over height of the frame; `which` is used in messages.
 * @throws CameraError if eye, target and up do not define a direction
 */
export function cameraFromViewpoint(viewpoint: Viewpoint, viewed: Viewed, aspect: number, which = 'camera'): Camera {
  const { eye, target, up, fov } = fullViewpoint(viewpoint, viewed)
  const back = direction(minus(eye, target))
  if (!back) throw new CameraError(which, `expected an eye that differs from its target ${target}, got ${eye}`)
  const upwards = direction(up)
  if (!upwards) throw new CameraError(which, `expected an up vector with a direction, got ${up}`)
  const across = cross(upwards, back)
  const right = length(across) > MIN_SINE ? direction(across) : undefined
  if (!right) {
    const other = Math.abs(back[1]) > 0.5 ? '0,0,-1' : '0,1,0'
    throw new CameraError(which, `expected an up vector not parallel to the view, such as ${other}, got ${up}`)
  }
  const tanHalfY = tanTurns(fov / 720)
  return {
    origin: eye,
    right,
    up: cross(back, right),
    back,
    tanHalfX: tanHalfY * aspect,
    tanHalfY,
    ...depthRangeFrom(eye, viewed, aspect),
  }
}

/** Smallest sine of the angle between up and the view: below it, the roll would be determined by rounding errors. */
const MIN_SINE = 1e-6

const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

const length = ([x, y, z]: Vec3): number => Math.sqrt(x * x + y * y + z * z)

/** A unit vector, or undefined for a vector too short to have a direction. */
function direction(vector: Vec3): Vec3 | undefined {
  const by = length(vector)
  return by > 1e-100 ? [vector[0] / by, vector[1] / by, vector[2] / by] : undefined
}
