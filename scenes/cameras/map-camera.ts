/** The cameras of a THREE.Scene. */
import {
  type Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  type Scene,
  type Camera as ThreeCamera,
  Vector3,
} from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import { tanTurns } from '../../shared/math/trig.ts'
import type { SceneCamera } from '../../shared/scene/description.ts'

/** Cameras that no frame could be made with are left out, and reported in `problems`. World matrices must be up to date. */
export function mapCameras(scene: Scene, problems: string[] = []): SceneCamera[] {
  const cameras: SceneCamera[] = []
  scene.traverse(object => {
    if (!isSupported(object)) return
    const camera = mapCamera(object, problems)
    if (typeof camera !== 'string') cameras.push(camera)
    else problems.push(`camera '${object.name || object.type}' was left out: expected ${camera}`)
  })
  return cameras
}

/** The cameras of a scene, followed as they move: one with which no frame could be made stays as it was at first. */
export function followCameras(scene: Scene): () => SceneCamera[] {
  const followed: { readonly object: SupportedCamera; readonly first: SceneCamera }[] = []
  scene.traverse(object => {
    if (!isSupported(object)) return
    const first = mapCamera(object)
    if (typeof first !== 'string') followed.push({ object, first })
  })
  return () =>
    followed.map(({ object, first }) => {
      const now = mapCamera(object)
      return typeof now === 'string' ? first : now
    })
}

type SupportedCamera = PerspectiveCamera | OrthographicCamera

const isSupported = (object: Object3D): object is SupportedCamera =>
  object instanceof PerspectiveCamera || object instanceof OrthographicCamera

/** One whose world matrix is up to date; what was expected instead, if it cannot be used. */
export function mapCamera(object: SupportedCamera, problems: string[] = []): SceneCamera | string {
  const camera = object instanceof PerspectiveCamera ? perspective(object) : orthographic(object)
  const near = Math.max(camera.near, SMALLEST)
  if (!(camera.far > near && camera.far < Number.POSITIVE_INFINITY))
    return `a finite range of depths, got ${camera.near} to ${camera.far}`
  if (!(camera.aspect > 1e-3 && camera.aspect < 1e3)) return `a ratio of sides from 0.001 to 1000, got ${camera.aspect}`
  if (!(camera.tanHalfY >= SMALLEST && camera.tanHalfY <= 1 / SMALLEST))
    return object instanceof PerspectiveCamera
      ? `a field of view between 0° and 180°, got ${object.fov}°`
      : `a height above 0, got ${camera.tanHalfY * 2}`
  const axes = axesOf(object)
  if (!axes) return 'three directions at right angles, got a matrix that flattens them'
  const { x, y, z } = placeOf(object, axes)
  const origin: Vec3 = [x, y, z]
  if (!origin.every(each => Math.abs(each) <= FARTHEST)) return `a position within ${FARTHEST}, got ${x}, ${y}, ${z}`
  const isShifted = object instanceof PerspectiveCamera && object.filmOffset !== 0
  if (isShifted || object.view?.enabled)
    problems.push(`camera '${object.name || object.type}' shows its whole picture: view offsets are not supported`)
  return { name: object.name.slice(0, 1000), ...camera, near, origin, ...axes }
}

/** Where it is; of one without perspective, the middle of what it shows. */
function placeOf(
  object: PerspectiveCamera | OrthographicCamera,
  { right, up }: Pick<SceneCamera, 'right' | 'up'>,
): Vector3 {
  const place = new Vector3().setFromMatrixPosition(object.matrixWorld)
  if (object instanceof PerspectiveCamera) return place
  const across = (object.left + object.right) / 2
  const along = (object.top + object.bottom) / 2
  // Most are centred, and keep their bytes.
  if (across !== 0) place.addScaledVector(new Vector3(...right), across)
  if (along !== 0) place.addScaledVector(new Vector3(...up), along)
  return place
}

const SMALLEST = 1e-6
const FARTHEST = 1e12

type Projection = Pick<SceneCamera, 'tanHalfY' | 'aspect' | 'near' | 'far' | 'orthographic'>

function perspective({ fov, zoom, aspect, near, far }: PerspectiveCamera): Projection {
  return { tanHalfY: fov > 0 && fov < 180 ? tanTurns(fov / 720) / zoom : 0, aspect, near, far }
}

function orthographic({ left, right, top, bottom, zoom, near, far }: OrthographicCamera): Projection {
  const height = (top - bottom) / 2 / zoom
  return { tanHalfY: height, aspect: (right - left) / (top - bottom), near, far, orthographic: true }
}

/** Unit vectors at right angles; undefined for a matrix that flattens space. A scale does not matter. */
function axesOf({ matrixWorld }: ThreeCamera): Pick<SceneCamera, 'right' | 'up' | 'back'> | undefined {
  const [x, up, back] = [new Vector3(), new Vector3(), new Vector3()]
  matrixWorld.extractBasis(x, up, back)
  back.normalize()
  const right = new Vector3().crossVectors(up, back).normalize()
  up.crossVectors(back, right)
  const isFrame = [right, up, back].every(axis => Math.abs(axis.length() - 1) < SMALLEST)
  return isFrame ? { right: right.toArray(), up: up.toArray(), back: back.toArray() } : undefined
}
