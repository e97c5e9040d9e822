/** The camera of a picture: the file's own, so that three reads it for itself, or the one that is asked for. */
import { Box3, Matrix4, type Object3D, OrthographicCamera, PerspectiveCamera, Vector3 } from 'three'
import type { Size } from '../../../../../shared/frame/rect.ts'
import type { Camera } from '../../../../../shared/frame/view.ts'

export type CameraFor = PerspectiveCamera | OrthographicCamera

/** World matrices must be up to date. @param asked absent: the scene's first camera, whose height the picture shows */
export function cameraFor(scene: Object3D, [width, height]: Size, asked?: Camera): CameraFor {
  const camera = asked ? cameraOf(asked) : firstIn(scene)
  if (!camera) throw new Error('three finds no camera in the file')
  const aspect = width / height
  if (camera instanceof PerspectiveCamera) camera.aspect = aspect
  else {
    camera.right = ((camera.top - camera.bottom) / 2) * aspect
    camera.left = -camera.right
  }
  return camera
}

function firstIn(scene: Object3D): CameraFor | undefined {
  let first: CameraFor | undefined
  scene.traverse(object => {
    if (object instanceof PerspectiveCamera || object instanceof OrthographicCamera) first ??= object
  })
  return first
}

function cameraOf({ origin, right, up, back, tanHalfX, tanHalfY, near, far, orthographic }: Camera): CameraFor {
  const camera = orthographic
    ? new OrthographicCamera(-tanHalfX, tanHalfX, tanHalfY, -tanHalfY, near, far)
    : new PerspectiveCamera((Math.atan(tanHalfY) * 360) / Math.PI, tanHalfX / tanHalfY, near, far)
  const axes = new Matrix4().makeBasis(new Vector3(...right), new Vector3(...up), new Vector3(...back))
  camera.quaternion.setFromRotationMatrix(axes)
  camera.position.set(...origin)
  camera.updateMatrixWorld()
  return camera
}

/** Room around the scene, as a share of its depth. */
const ROOM = 0.01

/**
 * Brings the ends of the depth range nearer to the scene as it is posed: a depth buffer of 24 bits does not distinguish much in a wide
 * range.
 * @returns puts them back
 */
export function narrow(camera: CameraFor, scene: Object3D): () => void {
  const { near, far } = camera
  const { min, max } = new Box3().setFromObject(scene, true)
  const depths = [0, 1, 2, 3, 4, 5, 6, 7].map(corner => {
    const at = new Vector3(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z)
    return -at.applyMatrix4(camera.matrixWorldInverse).z
  })
  const [nearest, farthest] = [Math.min(...depths), Math.max(...depths)]
  const room = (farthest - nearest) * ROOM + Math.abs(farthest) * 1e-6
  camera.near = Math.max(near, nearest - room)
  camera.far = Math.max(camera.near * (1 + ROOM), Math.min(far, farthest + room))
  return () => Object.assign(camera, { near, far })
}
