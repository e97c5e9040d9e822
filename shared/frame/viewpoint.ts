/**
 * The camera of an eye and its target, from plain numbers: the same bits wherever it is computed, in a program that renders or in a master whose
 * viewers move. No platform trigonometry is used, see `math/trig.ts`.
 */
import * as z from 'zod'
import { cosTurns, sinTurns, tanTurns } from '../math/trig.ts'
import type { Immutable } from '../text/numbers.ts'
import { FARTHEST, FOV_DEGREES } from './frame-limits.ts'
import type { Camera, Vec3 } from './view.ts'

const coordinate = z.number().min(-FARTHEST).max(FARTHEST)
const vector = z.tuple([coordinate, coordinate, coordinate]).readonly()

/** With every property set. */
export const fullViewpointSchema = z.object({
  /** World position, scene units. */
  eye: vector,
  /** The point at the centre of the frame. */
  target: vector,
  /** Up direction of the frame; need not be a unit vector or perpendicular to the view. */
  up: vector,
  /** Vertical field of view, degrees. */
  fov: z.number().min(FOV_DEGREES.least).max(FOV_DEGREES.most),
})
export type FullViewpoint = Immutable<z.infer<typeof fullViewpointSchema>>

const size = z.number().min(0).max(1e30)

/** What is looked at, a cylinder around the vertical axis (an orbit sees it from all sides), and how it is framed. */
export const framedSubjectSchema = z.object({
  centre: vector,
  /** Radius and half the height of the cylinder, scene units; the radius is above 0. */
  radius: size.positive(),
  halfHeight: size,
  /** Share of the frame that it fills in its tighter direction, above 0. */
  fill: z.number().positive().max(1e6),
  /** Elevation of an eye on the orbit, turns. */
  elevationTurns: z.number().min(-0.25).max(0.25),
})
export type FramedSubject = Immutable<z.infer<typeof framedSubjectSchema>>

/** Limits of the depth range, as shares of the distance to the far side of the subject. */
export const NEAR_SHARE = 1e-3
export const FAR_SHARE = 1e4

/**
 * Distance from eye to centre at which the cylinder stays within `fill` of the frame. A point that is `side` off the
 * view axis and `nearer` to the eye than the centre needs a distance of nearer + side / (tan · fill); this is the largest
 * such sum over both rims.
 * @param fov vertical, degrees
 * @param aspect width over height of the frame
 */
export function fittingDistance(
  { radius: r, halfHeight: h, elevationTurns, fill }: FramedSubject,
  fov: number,
  aspect: number,
): number {
  const tanHalfY = tanTurns(fov / 720)
  const [x, y] = [tanHalfY * aspect * fill, tanHalfY * fill]
  const sine = sinTurns(elevationTurns)
  const cosine = cosTurns(elevationTurns)
  return Math.max(
    h * sine + r * Math.sqrt(cosine * cosine + 1 / (x * x)),
    h * Math.abs(sine + cosine / y) + r * Math.abs(cosine - sine / y),
    h * Math.abs(sine - cosine / y) + r * Math.abs(cosine + sine / y),
  )
}

/** Greatest distance from a camera on a path to the far side of the subject. */
const reachOf = (subject: FramedSubject, fov: number, aspect: number): number =>
  fittingDistance(subject, fov, aspect) + subject.radius + subject.halfHeight

/** Depth range for a camera that is not on a path: `eye` may be farther away than any path goes. */
function depthRangeFrom(eye: Vec3, subject: FramedSubject, fov: number, aspect: number): Pick<Camera, 'near' | 'far'> {
  const reach = reachOf(subject, fov, aspect)
  return { near: reach * NEAR_SHARE, far: Math.max(reach, length(minus(eye, subject.centre))) * FAR_SHARE }
}

/**
 * `aspect` is width over height of the frame.
 * @param framedFov the field of view by which the subject is framed, degrees
 * @param refuse makes the error of a viewpoint without a direction
 */
export function cameraOf(
  { eye, target, up, fov }: FullViewpoint,
  subject: FramedSubject,
  framedFov: number,
  aspect: number,
  refuse: (problem: string) => Error,
): Camera {
  const back = direction(minus(eye, target))
  if (!back) throw refuse(`expected an eye that differs from its target ${target}, got ${eye}`)
  const upwards = direction(up)
  if (!upwards) throw refuse(`expected an up vector with a direction, got ${up}`)
  const across = cross(upwards, back)
  const right = length(across) > MIN_SINE ? direction(across) : undefined
  if (!right) {
    const other = Math.abs(back[1]) > 0.5 ? '0,0,-1' : '0,1,0'
    throw refuse(`expected an up vector not parallel to the view, such as ${other}, got ${up}`)
  }
  const tanHalfY = tanTurns(fov / 720)
  return {
    origin: eye,
    right,
    up: cross(back, right),
    back,
    tanHalfX: tanHalfY * aspect,
    tanHalfY,
    ...depthRangeFrom(eye, subject, framedFov, aspect),
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
