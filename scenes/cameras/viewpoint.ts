/** A camera as users specify it: the position of the eye, the target, the up direction, and the field of view. */
import { Vector3 } from 'three'
import * as z from 'zod'
import { UsageError } from '../../shared/errors.ts'
import { FARTHEST, FOV_DEGREES } from '../../shared/frame/frame-limits.ts'
import type { Camera, Vec3 } from '../../shared/frame/view.ts'
import { cameraOf, type FullViewpoint } from '../../shared/frame/viewpoint.ts'
import { framedSubject, type Viewed } from './camera-paths.ts'

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

export function fullViewpoint({ eye, target, up, fov }: Viewpoint, { subject, framing }: Viewed): FullViewpoint {
  const { x, y, z } = subject.getCenter(new Vector3())
  return { eye, target: target ?? [x, y, z], up: up ?? [0, 1, 0], fov: fov ?? framing.fovDegrees }
}

/**
 * The camera of a viewpoint. `aspect` is width over height of the frame; `which` is used in messages.
 * @throws CameraError if eye, target and up do not define a direction
 */
export const cameraFromViewpoint = (viewpoint: Viewpoint, viewed: Viewed, aspect: number, which = 'camera'): Camera =>
  cameraOf(
    fullViewpoint(viewpoint, viewed),
    framedSubject(viewed),
    viewed.framing.fovDegrees,
    aspect,
    problem => new CameraError(which, problem),
  )
