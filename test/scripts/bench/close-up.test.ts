import { expect, it } from 'vitest'
import { closeUp } from '../../../scripts/bench/kernel/close-up.ts'
import { quad, sceneOf, sphere, viewOf } from '../../worker/support/meshes.ts'

const { camera } = viewOf([32, 18])
const ball = sphere([0, 0.3, 0], 0.4, 3)
const floor = quad([-9, 0, 9], [18, 0, 0], [0, 0, -18])
const grey = (mesh: typeof ball, level: number) =>
  ({ mesh, material: { kind: 'matte', color: [level, level, level] } }) as const

it('fits the part with the most triangles into the frame', () => {
  const close = closeUp(camera, sceneOf([grey(ball, 0.5), grey(floor, 0.4)]))
  expect(close).toMatchObject({ origin: camera.origin, back: camera.back })
  expect(close.tanHalfX / close.tanHalfY).toBeCloseTo(camera.tanHalfX / camera.tanHalfY, 12)
  // Every vertex of the ball is inside, one of them at the border less the margin.
  const reach = (at: number) => {
    const p = [0, 1, 2].map(k => ball.positions[at + k]! - camera.origin[k]!)
    const along = (axis: readonly number[]) => p[0]! * axis[0]! + p[1]! * axis[1]! + p[2]! * axis[2]!
    const depth = -along(camera.back)
    return Math.max(Math.abs(along(camera.right)) / close.tanHalfX, Math.abs(along(camera.up)) / close.tanHalfY) / depth
  }
  const most = Math.max(...Array.from({ length: ball.positions.length / 3 }, (_, i) => reach(i * 3)))
  expect(most).toBeCloseTo(1 / 1.02, 5)
})

it('leaves a camera alone that stands inside of it', () => {
  expect(closeUp(camera, sceneOf([grey(sphere([...camera.origin], 3, 2), 0.5)]))).toEqual(camera)
})
