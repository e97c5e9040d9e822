/**
 * Everything in one corner of the screen and only sky elsewhere: the worst case for equal rectangles. Unless the screen
 * is cut by cost, one worker of eight gets nearly all the work.
 */
import {
  Box3,
  BoxGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  Mesh,
  Scene,
  SphereGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three'
import { cosTurns, sinTurns } from '../../shared/math/trig.ts'
import { DEFAULT_FRAMING } from '../cameras/camera-paths.ts'
import { addDaylight, MORNING } from '../import/lights/daylight.ts'
import { STONE, tiledFloor } from '../look/floor.ts'
import { coated, glass, matte, mirror, paletteSurface } from '../look/surfaces.ts'
import type { LoadedScene, SceneSource } from '../scene-source.ts'

export const corner: SceneSource = {
  name: 'corner',
  description: 'a floating plate of glass, mirrors and glaze in one corner of the screen, empty sky elsewhere',
  floor: false,
  load,
}

const PLATE_RADIUS = 2.6
const STONES = 14

async function load(): Promise<LoadedScene> {
  const scene = new Scene()
  const put = (name: string, mesh: Mesh, x: number, y: number, z: number): Mesh => {
    mesh.name = name
    mesh.position.set(x, y, z)
    scene.add(mesh)
    return mesh
  }
  put(
    'plate',
    new Mesh(new CylinderGeometry(PLATE_RADIUS, PLATE_RADIUS * 0.92, 0.3, 128), matte([0.5, 0.47, 0.43])),
    0,
    -0.17,
    0,
  )
  scene.add(
    tiledFloor({
      y: 0,
      tile: 0.4,
      tiles: 14,
      radius: 5.6,
      tones: STONE,
    }),
  )
  put('knot', new Mesh(new TorusKnotGeometry(0.62, 0.2, 480, 64, 2, 3), coated([0.5, 0.09, 0.12])), 0, 1.02, 0)
  put('glass sphere', new Mesh(new SphereGeometry(0.46, 128, 64), glass([0.97, 0.99, 0.98])), 1.05, 0.46, 0.95)
  put('mirror sphere', new Mesh(new SphereGeometry(0.5, 128, 64), mirror([0.93, 0.9, 0.84])), -1.25, 0.5, 0.55)
  put('glass crystal', new Mesh(new IcosahedronGeometry(0.34, 0), glass([0.9, 0.96, 1], 1.8)), -0.15, 0.27, 1.5)

  // A ring of stones along the rim.
  for (let i = 0; i < STONES; i++) {
    const [x, z] = [2.15 * sinTurns(i / STONES), 2.15 * cosTurns(i / STONES)]
    const side = 0.2 + 0.08 * sinTurns((3 * i) / STONES)
    const stone = put('stone', new Mesh(new BoxGeometry(side, side * 1.4, side), paletteSurface(i)), x, side * 0.7, z)
    stone.quaternion.set(0, sinTurns(i / STONES / 2), 0, cosTurns(i / STONES / 2))
  }

  addDaylight(scene, { ...MORNING, ground: [0.13, 0.24, 0.44] })
  return {
    name: 'corner',
    scene,
    subject: new Box3(new Vector3(-PLATE_RADIUS, -0.32, -PLATE_RADIUS), new Vector3(PLATE_RADIUS, 1.9, PLATE_RADIUS)),
    defaultCamera: 'orbit',
    framing: { ...DEFAULT_FRAMING, elevationTurns: 0.05, fill: 0.6, shift: [0.6, -0.45] },
    exposure: 0.85,
    problems: [],
    files: [],
  }
}
