/**
 * Scenes in which something moves, each with another reason for a balancer to be wrong. They are functions of the frame number, and
 * use no platform trigonometry: their costs are the same everywhere.
 */
import {
  Box3,
  BoxGeometry,
  type Material,
  type Mesh,
  type Object3D,
  PlaneGeometry,
  Scene,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'
import { drawing, part } from '../../../scenes/built-in/builder.ts'
import { DEFAULT_FRAMING } from '../../../scenes/cameras/camera-paths.ts'
import type { CameraPathName } from '../../../scenes/cameras/camera-words.ts'
import { addDaylight } from '../../../scenes/import/lights/daylight.ts'
import { STONE, tiledGround } from '../../../scenes/look/floor.ts'
import { coated, glass, lacquer, matte, metal, mirror } from '../../../scenes/look/surfaces.ts'
import type { LoadedScene } from '../../../scenes/scene-source.ts'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { cosTurns, sinTurns } from '../../../shared/math/trig.ts'

export interface MovingScene {
  readonly name: string
  /** What moves, in a few words. */
  readonly what: string
  readonly camera: CameraPathName
  build(): LoadedScene
}

export const MOVING_SCENES: readonly MovingScene[] = [
  {
    name: 'crossing',
    what: 'five objects of very different cost slide, spin, cross, bounce',
    camera: 'still',
    build: crossing,
  },
  { name: 'fast', what: 'a glass knot crosses the frame, 10 cells per frame', camera: 'still', build: fast },
  { name: 'deforming', what: 'a large sheet of glass waves, a column bends', camera: 'still', build: deforming },
  { name: 'many', what: '200 small solids, each on its own way', camera: 'still', build: many },
  { name: 'appearing', what: 'objects appear and vanish beside those that move', camera: 'still', build: appearing },
  { name: 'around', what: 'a large ring passes around objects that stand still', camera: 'still', build: around },
  { name: 'orbit', what: 'as crossing, while the camera moves, too', camera: 'fast-orbit', build: crossing },
  { name: 'cuts', what: 'as crossing, with camera cuts', camera: 'cut', build: crossing },
]

/** What a camera frames: about the width of the picture at the middle of the floor. */
const STAGE = new Box3(new Vector3(-4, 0, -1), new Vector3(4, 3, 1))

function stage(name: string, actors: readonly Object3D[], setFrame: (frame: number) => void): LoadedScene {
  const scene = new Scene()
  for (const actor of actors) scene.add(actor)
  scene.add(tiledGround({ y: 0, tile: 0.6, tiles: 96, tones: STONE }))
  addDaylight(scene)
  setFrame(0)
  return {
    name,
    scene,
    subject: STAGE,
    defaultCamera: 'still',
    exposure: 0.85,
    problems: [],
    files: [],
    framing: { ...DEFAULT_FRAMING, startTurns: 0, elevationTurns: 0.04, fill: 1 },
    motion: { seconds: undefined, setTime: (_, frame) => setFrame(frame), times: () => [], cameras: () => [] },
  }
}

const knot = (material: Material): Mesh => part('knot', new TorusKnotGeometry(0.5, 0.17, 240, 32), material)
const ball = (radius: number, material: Material): Mesh => part('ball', new SphereGeometry(radius, 96, 48), material)

/** From -1 to 1 and back at an even speed; whole again after one turn. */
function backAndForth(turns: number): number {
  const at = turns - Math.floor(turns)
  return at < 0.5 ? 4 * at - 1 : 3 - 4 * at
}

/** 0 on the ground, 1 at the top; whole again after one turn. */
function bounce(turns: number): number {
  const at = 2 * (turns - Math.floor(turns)) - 1
  return 1 - at * at
}

function spin(object: Object3D, turns: number, axis: Vec3): void {
  const [x, y, z] = new Vector3(...axis)
    .normalize()
    .multiplyScalar(sinTurns(turns / 2))
    .toArray()
  object.quaternion.set(x, y, z, cosTurns(turns / 2))
}

function crossing(): LoadedScene {
  const clear = knot(glass([0.97, 0.99, 0.985]))
  const shiny = ball(0.7, mirror([0.94, 0.92, 0.88]))
  const box = part('box', new BoxGeometry(1.1, 1.1, 1.1), matte([0.7, 0.25, 0.15]))
  const glazed = knot(coated([0.1, 0.35, 0.3]))
  const drop = ball(0.45, glass([0.9, 0.95, 0.99]))
  return stage('crossing', [clear, shiny, box, glazed, drop], frame => {
    clear.position.set(3.2 * backAndForth(0.05 + frame / 40), 1, 0.8)
    spin(clear, frame / 30, [0, 1, 0.3])
    shiny.position.set(3 * backAndForth(0.4 + frame / 60), 0.7, -1)
    box.position.set(2.6 * backAndForth(0.7 + frame / 50), 0.56, 2)
    spin(box, frame / 36, [0, 1, 0])
    glazed.position.set(-2.6, 1.9, -0.4)
    spin(glazed, frame / 24, [1, 0.4, 0])
    drop.position.set(1.2 + 0.03 * frame, 0.45 + 2 * bounce(frame / 15), 0.2)
  })
}

function fast(): LoadedScene {
  const clear = knot(glass([0.97, 0.99, 0.985]))
  clear.scale.setScalar(1.4)
  const still = [-2.6, 0, 2.6].map((x, i) => {
    const each = i === 1 ? ball(0.7, coated([0.6, 0.4, 0.1])) : knot(coated([0.15, 0.2, 0.4]))
    each.position.set(x, 0.8, -1.2)
    return each
  })
  return stage('fast', [clear, ...still], frame => {
    clear.position.set(3.6 * backAndForth(frame / 28), 1.3, 0.6)
    spin(clear, frame / 20, [0.3, 1, 0])
  })
}

/** Moves every vertex of a geometry from where it was at first. */
function deform(mesh: Mesh, place: (x: number, y: number, z: number) => Vec3): void {
  const { position } = mesh.geometry.attributes
  mesh.userData.first ??= Float32Array.from(position!.array)
  const first: Float32Array = mesh.userData.first
  for (let i = 0; i < position!.count; i++)
    position!.setXYZ(i, ...place(first[3 * i]!, first[3 * i + 1]!, first[3 * i + 2]!))
  position!.needsUpdate = true
  mesh.geometry.computeVertexNormals()
}

function deforming(): LoadedScene {
  const sheet = part('sheet', new PlaneGeometry(6, 2.4, 120, 48), glass([0.93, 0.97, 0.99]))
  sheet.position.set(0.4, 1.5, -0.6)
  const column = part('column', new BoxGeometry(0.6, 2.6, 0.6, 6, 60, 6), coated([0.5, 0.1, 0.12]))
  column.position.set(-2.2, 1.3, 1)
  const behind = [-1.5, 0, 1.5, 3].map((x, i) => {
    const each = i % 2 === 0 ? ball(0.6, mirror([0.9, 0.9, 0.92])) : knot(coated([0.1, 0.35, 0.3]))
    each.position.set(x, 0.8, -2.4)
    return each
  })
  return stage('deforming', [sheet, column, ...behind], frame => {
    deform(sheet, (x, y) => [x, y + 0.25 * sinTurns(x / 4 + frame / 24), 0.35 * sinTurns(x / 3 - frame / 18)])
    deform(column, (x, y, z) => {
      const bent = ((y + 1.3) / 2.6) ** 2 * 0.9 * sinTurns(frame / 20)
      return [x + bent, y - 0.3 * Math.abs(bent), z]
    })
  })
}

function many(): LoadedScene {
  const draw = drawing(7)
  const shapes = [
    new SphereGeometry(0.16, 32, 16),
    new BoxGeometry(0.26, 0.26, 0.26),
    new TorusGeometry(0.14, 0.06, 16, 32),
  ]
  const surfaces = [
    ...[matte([0.6, 0.2, 0.1]), lacquer([0.1, 0.3, 0.5]), coated([0.5, 0.4, 0.1])],
    ...[mirror([0.9, 0.9, 0.9]), glass([0.97, 0.98, 0.99]), metal([0.8, 0.6, 0.3], 0.2)],
  ]
  const solids = Array.from({ length: 200 }, (_, i) =>
    part(`solid ${i}`, shapes[Math.floor(draw(i, 0) * 3)]!, surfaces[Math.floor(draw(i, 1) * 6)]!),
  )
  return stage('many', solids, frame => {
    for (const [i, solid] of solids.entries()) {
      const turns = draw(i, 2) + (frame * (draw(i, 3) - 0.5)) / 20
      const [radius, height] = [0.4 + 3.2 * draw(i, 4), 0.2 + 2.6 * draw(i, 5)]
      solid.position.set(radius * cosTurns(turns), height, 0.6 * radius * sinTurns(turns))
      spin(solid, frame / 16, [draw(i, 6), 1, draw(i, 7)])
    }
  })
}

function appearing(): LoadedScene {
  const clear = knot(glass([0.97, 0.99, 0.985]))
  const flashes = [-2.8, -0.4, 2.4].map((x, i) => {
    const each = i === 1 ? ball(0.8, mirror([0.9, 0.9, 0.92])) : knot(glass([0.9, 0.95, 0.97]))
    each.position.set(x, 1, -0.8)
    return each
  })
  const box = part('box', new BoxGeometry(1, 1, 1), coated([0.7, 0.25, 0.15]))
  return stage('appearing', [...flashes, clear, box], frame => {
    for (const [i, each] of flashes.entries()) each.visible = (frame + 5 * i) % 12 < 7
    clear.position.set(3 * backAndForth(0.1 + frame / 40), 1, 0.8)
    spin(clear, frame / 30, [0, 1, 0.3])
    box.position.set(2.4 * backAndForth(0.6 + frame / 44), 0.5, 1.8)
  })
}

function around(): LoadedScene {
  const ring = part('ring', new TorusGeometry(1.5, 0.16, 32, 160), lacquer([0.6, 0.08, 0.06]))
  // One mesh, whose box contains much that it is not.
  const [deck, mast] = [new BoxGeometry(3.4, 0.1, 2.6), new BoxGeometry(0.1, 2.2, 0.1).translate(1.5, 1.1, 0)]
  const cart = part('cart', mergeGeometries([deck, mast]), matte([0.3, 0.3, 0.34]))
  const still = Array.from({ length: 7 }, (_, i) => {
    const each = i % 2 === 0 ? knot(glass([0.95, 0.97, 0.98])) : ball(0.5, mirror([0.9, 0.88, 0.86]))
    each.position.set(-3.6 + 1.2 * i, 1.1, 0)
    return each
  })
  return stage('around', [ring, cart, ...still], frame => {
    ring.position.set(3.2 * backAndForth(0.05 + frame / 44), 1.5, 0)
    ring.quaternion.set(0, sinTurns(1 / 8), 0, cosTurns(1 / 8))
    cart.position.set(2.6 * backAndForth(0.5 + frame / 48), 0.1, 0.3)
  })
}
