/** Where a page begins, and what it turns around: the camera of a film's first frame, in numbers that a command line can have. */
import { framedSubject } from '../../scenes/cameras/camera-paths.ts'
import { depthOf } from '../../scenes/cameras/lens.ts'
import { FOV_DEGREES } from '../../shared/frame/frame-limits.ts'
import type { Camera, Vec3 } from '../../shared/frame/view.ts'
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import { viewedOf } from '../library/cameras.ts'
import type { ReadyScene } from '../library/ready-scene.ts'

/** Digits of a coordinate: a millionth of it cannot be seen. */
const DIGITS = 6
/** A camera whose horizon is tilted by less than this sine is upright. */
const UPRIGHT = 1e-3

/** @param camera of the first frame */
export function firstViewpoint(scene: ReadyScene, camera: Camera): Pick<ViewFacts, 'viewpoint' | 'subject'> {
  const subject = framedSubject(viewedOf(scene))
  const { origin, right, up, back, tanHalfY, orthographic } = camera
  const depth = Math.max(depthOf(camera, subject.centre), subject.radius * 0.01)
  const target = origin.map((at, axis) => at - back[axis]! * depth) as unknown as Vec3
  // A page has no parallel rays: it begins where they do, with the scene's own field of view.
  const degrees = orthographic ? scene.framing.fovDegrees : (Math.atan(tanHalfY) * 360) / Math.PI
  const fov = Math.min(FOV_DEGREES.most, Math.max(FOV_DEGREES.least, short(degrees)))
  const isUpright = Math.abs(right[1]) < UPRIGHT && up[1] > UPRIGHT
  const viewpoint = { eye: shortVector(origin), target: shortVector(target), up: isUpright ? UP : shortVector(up), fov }
  return { viewpoint, subject }
}

const UP: Vec3 = [0, 1, 0]
const short = (value: number): number => Number(value.toPrecision(DIGITS))
const shortVector = ([x, y, z]: Vec3): Vec3 => [short(x), short(y), short(z)]
