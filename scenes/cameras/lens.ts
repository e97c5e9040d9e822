/** Changes the projection of a camera: depth of field, or parallel rays. */
import type { Camera, Vec3 } from '../../shared/frame/view.ts'

export type Lens = NonNullable<Camera['lens']>

export interface LensOptions {
  /** Focal length over the diameter of the aperture, above 0. Absent: the camera as it is. */
  readonly fNumber?: number
  /** Camera depth in focus, scene units. @default that of the subject's centre */
  readonly focus?: number
  /** Sides of the aperture, 3 to 16. @default round */
  readonly blades?: number
  /** Parallel rays through a picture as large as what the camera sees of the subject's centre. */
  readonly orthographic?: true
}

/** Full frame, in a scene in metres. */
const FILM_HEIGHT = 0.024

/** @param subject the centre of what is looked at, world space */
export function withLens(camera: Camera, { fNumber, focus, blades, orthographic }: LensOptions, subject: Vec3): Camera {
  const depth = depthOf(camera, subject)
  const lensed =
    fNumber === undefined
      ? camera
      : { ...camera, lens: { ...lensOf(camera, fNumber, focus ?? depth), ...(blades === undefined ? {} : { blades }) } }
  if (!orthographic) return lensed
  const { tanHalfX, tanHalfY } = camera
  return { ...lensed, tanHalfX: tanHalfX * depth, tanHalfY: tanHalfY * depth, orthographic }
}

/**
 * The lens of a photographer's camera. The focal length is half the film's height over the tangent of half the field of view.
 * @param focus camera depth
 * @param filmHeight scene units
 */
export function lensOf({ tanHalfY }: Camera, fNumber: number, focus: number, filmHeight = FILM_HEIGHT): Lens {
  const focalLength = filmHeight / 2 / tanHalfY
  return { radius: focalLength / 2 / fNumber, focus }
}

/** Camera depth of a point, or of the nearest that can be seen. */
export function depthOf({ origin, back, near }: Camera, [x, y, z]: Vec3): number {
  return Math.max(near, (origin[0] - x) * back[0] + (origin[1] - y) * back[1] + (origin[2] - z) * back[2])
}
