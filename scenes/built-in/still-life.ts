/**
 * Glass and metal on a wooden table, in the light of a veiled sun and the sky, through a lens focused on the goblet. Its cost is in
 * the glass, where paths are long, and in the blur, which hides what a prediction sees. One unit is 10 cm.
 */
import { Box3, Scene, Vector3 } from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import { DEFAULT_FRAMING } from '../cameras/camera-paths.ts'
import { addDaylight, type Daylight } from '../import/lights/daylight.ts'
import { tiledGround } from '../look/floor.ts'
import type { LoadedScene, SceneSource } from '../scene-source.ts'
import {
  bubbles,
  carafe,
  copperMug,
  frostedBlock,
  fruit,
  goblet,
  goldKnot,
  lacquerBox,
  shaker,
} from './still-life/objects.ts'
import { garden, table } from './still-life/table.ts'

export const stillLife: SceneSource = {
  name: 'still-life',
  description: 'glass, wine and metal on a table, through a lens with depth of field; path traced',
  floor: true,
  load,
}

/** Late afternoon through thin cloud: a wide, warm sun and a bright sky. */
const VEILED: Daylight = {
  sunAzimuthTurns: -0.3,
  sunElevationTurns: 0.085,
  sunDegrees: 11,
  sun: [3.1, 2.25, 1.3],
  zenith: [0.12, 0.26, 0.62],
  horizon: [0.48, 0.6, 0.8],
  ground: [0.3, 0.3, 0.28],
}

const GOBLET: Vec3 = [-0.55, 0, 0.55]

async function load(): Promise<LoadedScene> {
  const scene = new Scene()
  scene.add(
    table(),
    goblet(GOBLET),
    carafe([-2.05, 0, -0.6]),
    copperMug([2.35, 0, -0.35]),
    shaker([0.75, 0, -1.25]),
    goldKnot([1.1, 0, 1.05]),
    lacquerBox([-2.3, 0, 1.35]),
    frostedBlock([2.9, 0, 1.2]),
    ...fruit(),
    ...bubbles(),
    ...garden(),
    tiledGround({ y: -7.6, tile: 3, tiles: 48, tones: TERRACE }),
  )
  addDaylight(scene, VEILED)
  return {
    name: 'still-life',
    scene,
    subject: new Box3(new Vector3(-2.6, 0, -1.6), new Vector3(2.9, 2.9, 1.6)),
    defaultCamera: 'orbit',
    framing: {
      ...DEFAULT_FRAMING,
      fovDegrees: 26,
      fill: 1.1,
      elevationTurns: 0.03,
      startTurns: 0.02,
      turnsPerFrame: 1 / 288,
      shift: [0, -0.12],
      optics: { fNumber: 2.8, filmHeight: 0.24, focus: [GOBLET[0], 1.4, GOBLET[2]] },
    },
    exposure: 1,
    problems: [],
    files: [],
  }
}

const TERRACE: readonly [Vec3, Vec3] = [
  [0.52, 0.47, 0.4],
  [0.4, 0.36, 0.31],
]
