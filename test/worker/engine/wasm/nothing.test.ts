/** What is traced of a scene with nothing in it: no ray meets it, wherever it begins, and no pixel is covered by it. */
import { expect, it } from 'vitest'
import { projectCoverage } from '../../../../master/coverage/project.ts'
import type { Camera, Vec3 } from '../../../../shared/frame/view.ts'
import { bakedScene } from '../../../../shared/scene/ambient-look.ts'
import { triangleCount } from '../../../../shared/scene/bake.ts'
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import { instanceOfNothing, isNothing, NOTHING } from '../../../../shared/scene/nothing.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import { described } from '../../../support/described.ts'
import { evenSky, GREY, NO_SUN } from '../../support/meshes.ts'
import { Dice, mapVec } from './aimed-rays.ts'
import { compare, prepare, type Ray } from './brute-force.ts'

const SIDE = NOTHING.vertices[3]!
/** 0, the triangle's own size, what rounds it away, and everyday numbers: of every coordinate, so that rays begin on it and near it. */
const PLACES = [
  0,
  -0,
  SIDE,
  -SIDE,
  SIDE / 2,
  2 ** -110,
  -(2 ** -104),
  2 ** -102,
  2 ** -90,
  2 ** -60,
  -1e-20,
  1e-7,
  -3,
  1e9,
]

function hardRay(dice: Dice): Ray {
  const origin = mapVec(() => dice.oneOf(PLACES))
  const target = mapVec(() => dice.oneOf([0, SIDE, SIDE / 4]))
  // At it, and as long as any ray is: single precision has no direction that is shorter than its numbers.
  const scale = 1 / Math.max(...origin.map((from, k) => Math.abs(target[k]! - from)), SIDE / 8)
  const aimed: Vec3 = mapVec(k => (target[k]! - origin[k]!) * scale)
  return { origin, direction: dice.oneOf([dice.axis(), dice.plane(), dice.point(), aimed]) }
}

const plain = described({
  positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
  indices: [0, 1, 2],
  materialIds: [0],
  materials: [GREY],
  sky: evenSky([1, 1, 1]),
  sun: NO_SUN,
})
const empty: SceneDescription = { ...plain, meshes: [NOTHING], instances: [instanceOfNothing(0, 0)] }

it('has one triangle that no ray meets, by any test', () => {
  const scene = bakedScene(packScene(empty))
  expect(triangleCount(scene)).toBe(1)
  const prepared = prepare(scene)
  const dice = new Dice(1)
  for (let batch = 0; batch < 40; batch++) {
    const rays = Array.from({ length: 1000 }, () => hardRay(dice))
    expect(compare(prepared, rays)).toEqual({ hits: 0, wrong: [] })
  }
})

it('covers no pixel, unlike what it is told from', () => {
  const camera: Camera = {
    ...({ origin: [0, 0, 5], right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] } satisfies Partial<Camera>),
    tanHalfX: 0.5,
    tanHalfY: 0.5,
    near: 0.1,
    far: 100,
  }
  const covered = (scene: SceneDescription) => projectCoverage(packScene(scene), camera, [32, 32]).bits.some(Boolean)
  expect(covered(empty)).toBe(false)
  expect(covered(plain)).toBe(true)
  const [there] = empty.instances
  expect(isNothing(NOTHING, there!)).toBe(true)
  expect(isNothing(plain.meshes[0]!, there!)).toBe(false)
  // As large as any triangle.
  expect(isNothing(NOTHING, { ...there!, transform: there!.transform.map(each => each * 2 ** 126) })).toBe(false)
})
