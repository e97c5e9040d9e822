/**
 * Where the camera is in each frame. A path is a pure function of the frame number, never of the number of frames, so
 * any frame can be rendered alone, in any order, on any machine, with the same result. No platform trigonometry is
 * used, see `shared/math/trig.ts`.
 */
import { type Box3, PerspectiveCamera, Vector3 } from 'three'
import { invariant } from '../../shared/errors.ts'
import type { Camera, Vec3 } from '../../shared/frame/view.ts'
import { FAR_SHARE, type FramedSubject, fittingDistance, NEAR_SHARE } from '../../shared/frame/viewpoint.ts'
import { cosTurns, sinTurns, tanTurns } from '../../shared/math/trig.ts'
import type { CameraPathName } from './camera-words.ts'
import { depthOf, lensOf } from './lens.ts'

/** How a scene frames its subject. Distances are derived from it, so it works for a subject of any size. */
export interface Framing {
  /** Vertical field of view, degrees, above 0 and below 180. */
  readonly fovDegrees: number
  /** Share of the frame that the subject fills in its tighter direction, above 0; above 1 crops it. */
  readonly fill: number
  /** Elevation of the eye above the subject's centre, turns, 0 to below 1/4. */
  readonly elevationTurns: number
  /** Where the orbit begins, turns around the y axis: 0 looks from +z, 1/4 from +x. */
  readonly startTurns: number
  /** Orbit step per frame, turns. */
  readonly turnsPerFrame: number
  /** Approximate position of the subject's centre: [0, 0] is the middle, [1, 1] the top right corner. */
  readonly shift: readonly [x: number, y: number]
  /** `swoop` closes in on the subject and passes beside it; `truck` slides sideways, and the subject crosses the screen. */
  readonly flyThrough: 'swoop' | 'truck'
  /** The lens of cameras on a path. The ambient integrator sees everything sharp. @default none: a pinhole */
  readonly optics?: Optics
}

/** A lens with depth of field, as photographers describe it. */
export interface Optics {
  /** Focal length over the diameter of the aperture, above 0. */
  readonly fNumber: number
  /** Height of the film, scene units, above 0; 0.024 is a full-frame sensor in a scene in metres. */
  readonly filmHeight: number
  /** The point in focus, world space. @default the subject's centre */
  readonly focus?: Vec3
}

export const DEFAULT_FRAMING: Framing = Object.freeze({
  fovDegrees: 36,
  fill: 0.86,
  elevationTurns: 0.038,
  startTurns: 0.06,
  turnsPerFrame: 1 / 144,
  shift: [0, 0] as const,
  flyThrough: 'swoop',
})

/** What a path needs from a scene; a LoadedScene is one. */
export interface Viewed {
  readonly subject: Box3
  readonly framing: Framing
}

const FRAMES_PER_CUT = 10
const FAST_TURNS_PER_FRAME = 5 / 360
const PAN_TURNS = 14 / 360
/** One swing from side to side and back. */
const FRAMES_PER_PAN = 14
/** How much closer a pan comes, as a share of the distance, and the length of one dolly in and out. */
const DOLLY_SHARE = 0.3
const FRAMES_PER_DOLLY = 40
const SWOOP_TURNS_PER_FRAME = 1 / 80
const TRUCK_TURNS_PER_FRAME = 1 / 44

/** The camera of one frame. `aspect` is width over height of the frame. */
export function cameraAt(path: CameraPathName, { subject, framing }: Viewed, frame: number, aspect: number): Camera {
  const shot = new Shot(subject, framing, aspect)
  switch (path) {
    case 'still':
      return shot.orbit(framing.startTurns)
    case 'orbit':
      return shot.orbit(framing.startTurns + frame * framing.turnsPerFrame)
    case 'fast-orbit':
      return shot.orbit(framing.startTurns + frame * FAST_TURNS_PER_FRAME)
    case 'pan':
      return shot.pan(frame)
    case 'cut':
      return Math.floor(frame / FRAMES_PER_CUT) % 2 === 0
        ? shot.orbit(framing.startTurns + frame * framing.turnsPerFrame)
        : shot.closeUp(frame)
    case 'fly-through':
      return framing.flyThrough === 'truck' ? shot.truck(frame) : shot.swoop(frame)
  }
}

/** A camera on the orbit, by its azimuth around the subject: 0 looks from +z, 1/4 from +x. Turns. */
export const cameraOnOrbit = ({ subject, framing }: Viewed, azimuthTurns: number, aspect: number): Camera =>
  new Shot(subject, framing, aspect).orbit(azimuthTurns)

/** The subject as a cylinder around the y axis, which the framing fits into the frame. */
export function framedSubject({ subject, framing }: Viewed): FramedSubject {
  const size = subject.getSize(new Vector3())
  const radius = Math.sqrt(size.x * size.x + size.z * size.z) / 2
  return {
    centre: subject.getCenter(new Vector3()).toArray(),
    radius: radius > 0 ? radius : size.y / 2 || 1,
    halfHeight: size.y / 2,
    fill: framing.fill,
    elevationTurns: framing.elevationTurns,
  }
}

/** Whether the camera of `frame` has jumped since the previous frame. */
export const isCut = (path: CameraPathName, frame: number): boolean =>
  path === 'cut' && frame > 0 && frame % FRAMES_PER_CUT === 0

/**
 * The plain camera of a three camera whose world matrix is up to date. Honours fov, zoom, near, far and the world
 * matrix except its scale. View offsets and film gauges are ignored.
 */
export function cameraFrom(camera: PerspectiveCamera, aspect: number): Camera {
  const m = camera.matrixWorld.elements
  const tanHalfY = tanTurns(camera.fov / 720) / camera.zoom
  return {
    origin: [m[12], m[13], m[14]],
    right: unit(m[0], m[1], m[2]),
    up: unit(m[4], m[5], m[6]),
    back: unit(m[8], m[9], m[10]),
    tanHalfX: tanHalfY * aspect,
    tanHalfY,
    near: camera.near,
    far: camera.far,
  }
}

/** The subject as a cylinder around the y axis (an orbit sees it from all sides), and the lens. */
class Shot {
  readonly #framing: Framing
  readonly #aspect: number
  readonly #subject: FramedSubject
  readonly #centre: Vector3
  /** Radius of the cylinder around the subject's box, scene units. */
  readonly #radius: number
  readonly #halfHeight: number
  readonly #distance: number

  constructor(subject: Box3, framing: Framing, aspect: number) {
    invariant(!subject.isEmpty() && aspect > 0, 'a camera path needs a subject and a frame')
    this.#framing = framing
    this.#aspect = aspect
    this.#subject = framedSubject({ subject, framing })
    const { centre, radius, halfHeight } = this.#subject
    this.#centre = new Vector3(...centre)
    this.#radius = radius
    this.#halfHeight = halfHeight
    this.#distance = this.#fittingDistance(framing.fill)
  }

  orbit(azimuthTurns: number): Camera {
    const { elevationTurns, shift } = this.#framing
    const back = direction(azimuthTurns, elevationTurns)
    return this.#look(this.#centre.clone().addScaledVector(back, this.#distance), this.#centre, shift)
  }

  /** From another side, lower and nearer, aimed above the middle, but far enough away to clear the subject. */
  closeUp(frame: number): Camera {
    const { startTurns, turnsPerFrame, elevationTurns, fill } = this.#framing
    const back = direction(startTurns - 0.14 + frame * turnsPerFrame, elevationTurns * 0.6)
    const distance = Math.max(this.#fittingDistance(fill * 2.1), this.#radius * 1.3)
    const target = this.#centre.clone()
    target.y += this.#halfHeight * 0.2
    return this.#look(this.#centre.clone().addScaledVector(back, distance), target, [0, 0])
  }

  /** An ellipse around the subject: far at frame 0, beside it a quarter turn later; looks slightly ahead. */
  swoop(frame: number): Camera {
    const w = frame * SWOOP_TURNS_PER_FRAME
    const { startTurns, elevationTurns } = this.#framing
    const ahead = direction(startTurns, 0)
    const beside = direction(startTurns + 0.25, 0)
    const far = this.#distance * cosTurns(elevationTurns)
    const near = Math.min(this.#radius * 1.4, far)
    const [sine, cosine] = [sinTurns(w), cosTurns(w)]
    const eye = this.#centre
      .clone()
      .addScaledVector(ahead, far * cosine)
      .addScaledVector(beside, near * sine)
    eye.y += this.#distance * sinTurns(elevationTurns) * (1 - 0.5 * sine * sine)
    const travel = ahead
      .multiplyScalar(-far * sine)
      .addScaledVector(beside, near * cosine)
      .normalize()
    return this.#look(eye, this.#centre.clone().addScaledVector(travel, this.#radius * 0.3), [0, 0])
  }

  /** Turns from side to side while moving towards the subject and away again. */
  pan(frame: number): Camera {
    const { startTurns, elevationTurns, shift } = this.#framing
    const nearer = (DOLLY_SHARE / 2) * (1 - cosTurns(frame / FRAMES_PER_DOLLY))
    const distance = this.#distance * (1 - nearer)
    const eye = this.#centre.clone().addScaledVector(direction(startTurns, elevationTurns), distance)
    const turned = startTurns + PAN_TURNS * sinTurns(frame / FRAMES_PER_PAN)
    return this.#look(eye, eye.clone().addScaledVector(direction(turned, elevationTurns), -distance), shift)
  }

  /** Sideways and back, looking straight ahead: the subject crosses the screen from the left edge to the right. */
  truck(frame: number): Camera {
    const { startTurns, elevationTurns, shift } = this.#framing
    const back = direction(startTurns, elevationTurns)
    const sideways = direction(startTurns + 0.25, 0)
    const swing = this.#distance * this.#lens().tanHalfX * 0.72 * cosTurns(frame * TRUCK_TURNS_PER_FRAME)
    const target = this.#centre.clone().addScaledVector(sideways, swing)
    return this.#look(target.clone().addScaledVector(back, this.#distance), target, shift)
  }

  /** Looks from `eye` so that `target` appears at about `shift`. */
  #look(eye: Vector3, target: Vector3, shift: readonly [number, number]): Camera {
    const reach = this.#distance + this.#radius + this.#halfHeight
    const [near, far] = [reach * NEAR_SHARE, reach * FAR_SHARE]
    const camera = new PerspectiveCamera(this.#framing.fovDegrees, this.#aspect, near, far)
    camera.position.copy(eye)
    camera.lookAt(target)
    camera.updateMatrixWorld()
    if (shift[0] !== 0 || shift[1] !== 0) {
      // Aim past the target by its offset from the middle.
      const { right, up, tanHalfX, tanHalfY } = cameraFrom(camera, this.#aspect)
      const distance = eye.distanceTo(target)
      const aim = target.clone()
      aim.addScaledVector(new Vector3(...right), -shift[0] * tanHalfX * distance)
      aim.addScaledVector(new Vector3(...up), -shift[1] * tanHalfY * distance)
      camera.lookAt(aim)
      camera.updateMatrixWorld()
    }
    return this.#withLens(cameraFrom(camera, this.#aspect))
  }

  #withLens(camera: Camera): Camera {
    const { optics } = this.#framing
    if (!optics) return camera
    const { fNumber, filmHeight, focus = this.#centre.toArray() } = optics
    return { ...camera, lens: lensOf(camera, fNumber, depthOf(camera, focus), filmHeight) }
  }

  #lens(): { tanHalfX: number; tanHalfY: number } {
    const tanHalfY = tanTurns(this.#framing.fovDegrees / 720)
    return { tanHalfX: tanHalfY * this.#aspect, tanHalfY }
  }

  #fittingDistance(fill: number): number {
    return fittingDistance({ ...this.#subject, fill }, this.#framing.fovDegrees, this.#aspect)
  }
}

/** Unit vector at an azimuth around the y axis and an elevation above the horizon, turns. */
const direction = (azimuth: number, elevation: number): Vector3 =>
  new Vector3(sinTurns(azimuth) * cosTurns(elevation), sinTurns(elevation), cosTurns(azimuth) * cosTurns(elevation))

function unit(x: number, y: number, z: number): Vec3 {
  const length = Math.sqrt(x * x + y * y + z * z)
  return [x / length, y / length, z / length]
}
