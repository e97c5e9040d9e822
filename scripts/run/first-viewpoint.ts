/** Where a page begins, and what it turns around: the camera of a film's first frame, in numbers that a command line can have. */
import { framedSubject } from '../../scenes/cameras/camera-paths.ts'
import { depthOf } from '../../scenes/cameras/lens.ts'
import { CameraError } from '../../scenes/cameras/viewpoint.ts'
import { FARTHEST, FOV_DEGREES } from '../../shared/frame/frame-limits.ts'
import { shortPlace } from '../../shared/frame/short-place.ts'
import type { Camera, Vec3 } from '../../shared/frame/view.ts'
import { framedSubjectSchema, fullViewpointSchema } from '../../shared/frame/viewpoint.ts'
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import { viewedOf } from '../library/cameras.ts'
import type { ReadyScene } from '../library/ready-scene.ts'

/** Digits of an angle. */
const DIGITS = 6
/** A camera whose horizon is tilted by less than this sine is upright. */
const UPRIGHT = 1e-3

/**
 * @param camera of the first frame
 * @throws CameraError for a scene that is too large, or too far away: what a page asks for of it would be refused
 */
export function firstViewpoint(scene: ReadyScene, camera: Camera): Pick<ViewFacts, 'viewpoint' | 'subject'> {
  const subject = framedSubject(viewedOf(scene))
  const { origin, right, up, back, tanHalfY, orthographic } = camera
  const depth = Math.max(depthOf(camera, subject.centre), subject.radius * 0.01)
  const target = origin.map((at, axis) => at - back[axis]! * depth) as unknown as Vec3
  // A page has no parallel rays: it begins where they do, with the scene's own field of view.
  const degrees = orthographic ? scene.framing.fovDegrees : (Math.atan(tanHalfY) * 360) / Math.PI
  const fov = Math.min(FOV_DEGREES.most, Math.max(FOV_DEGREES.least, short(degrees)))
  const isUpright = Math.abs(right[1]) < UPRIGHT && up[1] > UPRIGHT
  const places = { eye: shortPlace(origin, depth), target: shortPlace(target, depth) }
  const viewpoint = { ...places, up: isUpright ? UP : shortPlace(up, 1), fov }
  if (!fullViewpointSchema.safeParse(viewpoint).success || !framedSubjectSchema.safeParse(subject).success) {
    const got = `an eye at ${viewpoint.eye} and a target at ${viewpoint.target}`
    throw new CameraError(scene.name, `expected coordinates of at most ${FARTHEST} to turn it around, got ${got}`)
  }
  return { viewpoint, subject }
}

const UP: Vec3 = [0, 1, 0]
const short = (value: number): number => Number(value.toPrecision(DIGITS))
