/**
 * A room at night that only its lamps light: a pendant over the table, a spot on a picture, moonlight in the window (a panel),
 * and lampshades, bulbs, a flame and a neon sign that are emissive meshes. Most light arrives indirectly. The room
 * is closed, so a path never sees the sky: it is there for the ambient integrator, which has no lamps. With many small lamps, light
 * is found slowly: 256 samples leave visible grain.
 */
import { Box3, Color, HemisphereLight, PointLight, RectAreaLight, Scene, SpotLight, Vector3 } from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import { cosTurns, sinTurns } from '../../shared/math/trig.ts'
import { DEFAULT_FRAMING } from '../cameras/camera-paths.ts'
import type { LoadedScene, SceneSource } from '../scene-source.ts'
import type { Placement } from './builder.ts'
import { bookcase } from './lamps/bookcase.ts'
import { armchair, chair, sideboard, table } from './lamps/furniture.ts'
import { floorLamp, lightBulbs, neonSign, pendantShade, spotLamp, tableLamp } from './lamps/lights.ts'
import { CEILING, room } from './lamps/room.ts'
import { tableware } from './lamps/tableware.ts'

export const lamps: SceneSource = {
  name: 'lamps',
  description: 'a room at night, lit by lamps only: bulbs, spots, shades, a window, neon; path traced',
  floor: false,
  load,
}

const WARM = new Color(1, 0.62, 0.3)

async function load(): Promise<LoadedScene> {
  const scene = new Scene()
  scene.add(room(), table(), tableware())
  for (const [distance, turns] of CHAIRS) scene.add(chair(around(distance, turns)))
  scene.add(
    sideboard({ at: [0.2, 0, -3.74] }),
    bookcase({ at: [2.55, 0, -3.83] }),
    armchair({ at: [-2.75, 0, -2.75], turns: 0.125 }),
    floorLamp([-3.45, 0, -2.2]),
    tableLamp([-0.42, 0.7, -3.72]),
    lightBulbs([-3.95, 2.55, 0.8], [-1.2, 2.62, -3.95]),
    neonSign([-3.93, 1.72, -0.6]),
    pendantShade(PENDANT),
    ...SPOTS.map(([at]) => spotLamp(at)),
  )

  scene.add(
    shining(new PointLight(WARM, 6), 'pendant', [PENDANT[0], PENDANT[1] + 0.07, PENDANT[2]], 0.07),
    ...LANTERNS.map(at => shining(new PointLight(WARM, 1.1), 'paper lantern', at, 0.26)),
    ...SPOTS.map(([at, target]) => {
      const spot = shining(new SpotLight(new Color(1, 0.84, 0.64), 22, 0, 0.44, 0.6), 'spot', at, 0.03)
      spot.target.position.set(...target)
      return spot
    }),
  )
  const window = new RectAreaLight(new Color(0.3, 0.5, 1), 5, 1.5, 1.5)
  window.name = 'window'
  window.position.set(3.99, 1.6, -0.4)
  window.lookAt(0, 1.6, -0.4)
  // Only the ambient integrator sees it. Bright above and dim below, it models shapes although walls hide it everywhere.
  const indoors = new HemisphereLight(new Color(3.4, 2.9, 2.4), new Color(0.9, 0.8, 0.75), Math.PI)
  scene.add(window, indoors)
  return {
    name: 'lamps',
    scene,
    subject: new Box3(new Vector3(-0.9, 0, -0.9), new Vector3(0.9, 1.1, 0.9)),
    defaultCamera: 'orbit',
    framing: {
      ...DEFAULT_FRAMING,
      fovDegrees: 46,
      startTurns: 0.035,
      elevationTurns: 0.045,
      fill: 0.74,
      shift: [0, -0.34],
    },
    exposure: 1.6,
    problems: [],
    files: [],
  }
}

/** Middle of the pendant's rim. */
const PENDANT = [0, 1.62, 0] as const
/** What they shine on: the picture and the books. */
const SPOTS: readonly (readonly [at: Vec3, target: Vec3])[] = [
  [
    [0.24, CEILING - 0.22, -2.3],
    [0.2, 1.6, -3.98],
  ],
  [
    [2.1, CEILING - 0.22, -2.2],
    [2.5, 1.1, -3.7],
  ],
]
/** Balls of paper on the floor. */
const LANTERNS = [
  [3.4, 0.27, 3.3],
  [-3.5, 0.27, 3.4],
] as const

function shining<T extends PointLight | SpotLight>(light: T, name: string, at: Vec3, radius: number): T {
  light.name = name
  light.position.set(...at)
  light.userData.radius = radius
  return light
}

/** Distance from the table's middle and azimuth, 0 towards +z. */
const CHAIRS = [
  [0.98, 0.16],
  [0.9, 0.43],
  [0.92, 0.66],
  [1.12, 0.9],
] as const

/** A place beside the table, facing it. */
const around = (distance: number, turns: number): Placement => ({
  at: [distance * sinTurns(turns), 0, distance * cosTurns(turns)],
  turns: turns + 0.5,
})
