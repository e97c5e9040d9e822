/** The cameras of a THREE.Scene. */
import { OrthographicCamera, PerspectiveCamera, type Scene, type Camera as ThreeCamera, Vector3 } from 'three'
import { tanTurns } from '../shared/math/trig.ts'
import type { SceneCamera } from '../shared/scene/description.ts'
import type { Vec3 } from '../shared/view.ts'

/** Cameras that no frame could be made with are left out. World matrices must be up to date. */
export function mapCameras(scene: Scene, centre: Vec3): SceneCamera[] {
  const cameras: SceneCamera[] = []
  scene.traverse(object => {
    if (!(object instanceof PerspectiveCamera) && !(object instanceof OrthographicCamera)) return
    const camera = object instanceof PerspectiveCamera ? perspective(object) : orthographic(object)
    const near = Math.max(camera.near, SMALLEST)
    const numbers = [camera.tanHalfY, camera.aspect, camera.near, camera.far]
    const isUsable = numbers.every(Number.isFinite) && camera.far > near && camera.aspect > 1e-3 && camera.aspect < 1e3
    if (!isUsable || !(camera.tanHalfY >= SMALLEST && camera.tanHalfY <= 1 / SMALLEST)) return
    const axes = axesOf(object)
    const origin = new Vector3().setFromMatrixPosition(object.matrixWorld)
    const name = object.name.slice(0, 1000)
    const relative: Vec3 = [origin.x - centre[0], origin.y - centre[1], origin.z - centre[2]]
    if (axes && relative.every(each => Math.abs(each) <= FARTHEST))
      cameras.push({ name, ...camera, near, origin: relative, ...axes })
  })
  return cameras
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
