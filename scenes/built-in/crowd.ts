/**
 * Thousands of small solids arranged on the ground like sunflower seeds: cost is spread everywhere in small portions,
 * with scattered mirrors and glass. Every leaf of the tree has many similar neighbours.
 */
import {
  Box3,
  BoxGeometry,
  type BufferGeometry,
  Color,
  ConeGeometry,
  DodecahedronGeometry,
  IcosahedronGeometry,
  InstancedMesh,
  type Material,
  Matrix4,
  OctahedronGeometry,
  Quaternion,
  Scene,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import { hash32, unitOf } from '../../shared/math/random.ts'
import { cosTurns, sinTurns } from '../../shared/math/trig.ts'
import { DEFAULT_FRAMING } from '../cameras/camera-paths.ts'
import { addDaylight } from '../import/lights/daylight.ts'
import { tiledGround } from '../look/floor.ts'
import { coated, glass, matte, mirror } from '../look/surfaces.ts'
import type { LoadedScene, SceneSource } from '../scene-source.ts'

export const crowd: SceneSource = {
  name: 'crowd',
  description: '2,400 small solids in a sunflower spiral, some of them mirrors and glass',
  floor: true,
  load,
}

const SOLIDS = 2400
const SEED = 20
/** Turns between one sunflower seed and the next: no two ever line up (Vogel 1979). */
const GOLDEN_TURN = 0.3819660112501051
/** Each solid occupies the square of this, times π, of the ground; scene units. */
const SPACING = 0.3

async function load(): Promise<LoadedScene> {
  const scene = new Scene()
  const kinds = solidKinds()
  const places = kinds.map((): Place[] => [])
  for (let i = 0; i < SOLIDS; i++) {
    // Each number is a hash of its purpose, so no solid depends on those before it.
    const random = (purpose: number) => unitOf(hash32(SEED, i, purpose))
    const chosen = chooseKind(random(0), kinds)
    const radius = SPACING * Math.sqrt(i + 6)
    const angle = (i + 6) * GOLDEN_TURN
    const size = SPACING * (0.5 + 0.34 * random(1))
    const position = new Vector3(radius * sinTurns(angle), size * kinds[chosen]!.height, radius * cosTurns(angle))
    const turn = random(2) / 2
    const rotation = new Quaternion(0, sinTurns(turn), 0, cosTurns(turn))
    const matrix = new Matrix4().compose(position, rotation, new Vector3(size, size, size))
    places[chosen]!.push({ matrix, color: colorAt(i / SOLIDS, random(3), random(4)) })
  }
  kinds.forEach((kind, i) => {
    scene.add(instancesOf(kind, places[i]!))
  })

  const reach = SPACING * Math.sqrt(SOLIDS + 6)
  scene.add(tiledGround({ y: 0, tile: 0.9, tiles: 96, tones: LIMESTONE }))
  addDaylight(scene)
  return {
    name: 'crowd',
    scene,
    subject: new Box3(new Vector3(-reach, 0, -reach), new Vector3(reach, SPACING, reach)),
    defaultCamera: 'orbit',
    framing: { ...DEFAULT_FRAMING, elevationTurns: 0.045, fill: 2.5 },
    exposure: 0.85,
    problems: [],
    files: [],
  }
}

interface Kind {
  readonly geometry: BufferGeometry
  /** Height of the centre above the ground for a resting solid of size 1. */
  readonly height: number
  readonly material: Material
  /** Relative frequency. */
  readonly share: number
  /** Whether instances take the crowd's colours or only a hint of them. */
  readonly colorful: boolean
}

interface Place {
  readonly matrix: Matrix4
  readonly color: Color
}

function solidKinds(): readonly Kind[] {
  const white = [1, 1, 1] as const
  return [
    { geometry: new SphereGeometry(1, 24, 12), height: 1, material: coated(white), share: 20, colorful: true },
    { geometry: new BoxGeometry(1.5, 1.5, 1.5), height: 0.75, material: matte(white), share: 16, colorful: true },
    { geometry: new ConeGeometry(1, 2, 24, 1), height: 1, material: matte(white), share: 16, colorful: true },
    { geometry: new DodecahedronGeometry(1), height: 0.795, material: coated(white), share: 14, colorful: true },
    { geometry: new OctahedronGeometry(1.1), height: 1.1, material: matte(white), share: 12, colorful: true },
    {
      geometry: new TorusGeometry(0.75, 0.32, 10, 24),
      height: 1.07,
      material: coated(white),
      share: 10,
      colorful: true,
    },
    { geometry: new SphereGeometry(1.1, 32, 16), height: 1.1, material: mirror(white), share: 6, colorful: false },
    { geometry: new IcosahedronGeometry(1.1, 4), height: 1.1, material: glass(white), share: 6, colorful: false },
  ]
}

/** The kind at `draw`, 0 to 1, with the shares laid end to end. */
function chooseKind(draw: number, kinds: readonly Kind[]): number {
  let left = draw * kinds.reduce((sum, kind) => sum + kind.share, 0)
  return kinds.findIndex(kind => {
    left -= kind.share
    return left < 0
  })
}

function instancesOf({ geometry, material, colorful }: Kind, places: readonly Place[]): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, places.length)
  mesh.name = geometry.type
  places.forEach(({ matrix, color }, i) => {
    mesh.setMatrixAt(i, matrix)
    if (colorful) mesh.setColorAt(i, color)
    else mesh.setColorAt(i, new Color(0.92, 0.92, 0.92).lerp(color, 0.06))
  })
  return mesh
}

/** Warm in the middle to cool at the rim, each solid slightly off its neighbours; quantized to keep materials few. */
function colorAt(share: number, drift: number, light: number): Color {
  const steps = 8 * (BANDS.length - 1)
  const step = Math.round((Math.sqrt(share) + (drift - 0.5) * 0.3) * steps)
  const at = Math.min(Math.max(step, 0), steps) / 8
  const band = Math.min(Math.floor(at), BANDS.length - 2)
  const color = new Color(...BANDS[band]!).lerp(new Color(...BANDS[band + 1]!), at - band)
  return color.multiplyScalar(0.75 + Math.floor(light * 4) / 8)
}

/** Two similar tones, so that the solids provide the colour. */
const LIMESTONE: readonly [Vec3, Vec3] = [
  [0.6, 0.55, 0.47],
  [0.44, 0.41, 0.36],
]

const BANDS: readonly Vec3[] = [
  [0.82, 0.52, 0.12],
  [0.78, 0.24, 0.1],
  [0.5, 0.09, 0.14],
  [0.13, 0.14, 0.3],
  [0.08, 0.32, 0.36],
]
