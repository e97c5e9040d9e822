/**
 * A finely tessellated glass knot in front of a row of columns. The camera trucks past, so the expensive part of the
 * screen moves from one side to the other: costs learned in one frame are in the wrong place in the next.
 */
import { Box3, CylinderGeometry, Mesh, Scene, SphereGeometry, TorusKnotGeometry } from 'three'
import { DEFAULT_FRAMING } from '../cameras/camera-paths.ts'
import { addDaylight } from '../import/lights/daylight.ts'
import { STONE, tiledGround } from '../look/floor.ts'
import { coated, glass as glassSurface, matte, mirror, paletteSurface } from '../look/surfaces.ts'
import type { LoadedScene, SceneSource } from '../scene-source.ts'

export const glass: SceneSource = {
  name: 'glass',
  description: 'a glass knot of 131,072 triangles that crosses the screen in front of a row of columns',
  floor: true,
  load,
}

const COLUMNS = 15

async function load(): Promise<LoadedScene> {
  const scene = new Scene()
  const put = (name: string, mesh: Mesh, x: number, y: number, z: number): Mesh => {
    mesh.name = name
    mesh.position.set(x, y, z)
    scene.add(mesh)
    return mesh
  }
  const knot = put(
    'glass knot',
    new Mesh(new TorusKnotGeometry(0.8, 0.27, 1024, 64, 2, 3), glassSurface([0.97, 0.99, 0.985])),
    0,
    1.26,
    0,
  )

  for (let i = 0; i < COLUMNS; i++) {
    const x = (i - (COLUMNS - 1) / 2) * 1.15
    put('column', new Mesh(new CylinderGeometry(0.2, 0.24, 2.6, 64), paletteSurface(i)), x, 1.3, -2.6)
    put(
      'capital',
      new Mesh(new SphereGeometry(0.3, 64, 32), i % 3 === 1 ? mirror([0.93, 0.9, 0.84]) : matte([0.7, 0.66, 0.6])),
      x,
      2.8,
      -2.6,
    )
  }
  put('red ball', new Mesh(new SphereGeometry(0.3, 96, 48), coated([0.68, 0.16, 0.08])), -1.5, 0.3, 0.9)
  put('blue ball', new Mesh(new SphereGeometry(0.2, 96, 48), coated([0.08, 0.2, 0.42])), 1.25, 0.2, 1.15)
  put('ochre ball', new Mesh(new SphereGeometry(0.24, 96, 48), coated([0.72, 0.46, 0.12])), 1.7, 0.24, -0.7)

  scene.add(tiledGround({ y: 0, tile: 0.6, tiles: 96, tones: STONE }))
  addDaylight(scene)
  return {
    name: 'glass',
    scene,
    subject: new Box3().setFromObject(knot),
    defaultCamera: 'fly-through',
    framing: { ...DEFAULT_FRAMING, startTurns: 0, fill: 0.72, elevationTurns: 0.022, flyThrough: 'truck' },
    exposure: 0.85,
    problems: [],
    files: [],
  }
}
