import { OrthographicCamera, PerspectiveCamera, Scene } from 'three'
import { expect, it } from 'vitest'
import { mapCameras } from '../../../scenes/cameras/map-camera.ts'

it('cameras of a scene are those that frames can be made with; the others are told', () => {
  const camera = new PerspectiveCamera(90, 2, 0.5, 50)
  camera.name = 'front'
  camera.position.set(0, 0, 5)
  const plan = new OrthographicCamera(-4, 4, 2, -2, 0, 10)
  plan.position.y = 9
  plan.lookAt(0, 0, 0)
  const broken = new PerspectiveCamera(200, 1)
  const scene = new Scene().add(camera, plan, broken)
  scene.updateMatrixWorld()
  const problems: string[] = []
  const cameras = mapCameras(scene, problems)
  expect(cameras).toMatchObject([
    { name: 'front', origin: [0, 0, 5], back: [0, 0, 1], aspect: 2, near: 0.5, far: 50 },
    { name: '', origin: [0, 9, 0], orthographic: true, tanHalfY: 2, aspect: 2, near: 1e-6 },
  ])
  expect(cameras[0]!.tanHalfY).toBeCloseTo(1, 12)
  expect(cameras[1]!.back[1]).toBeCloseTo(1, 6)
  expect(problems).toEqual([expect.stringMatching(/^camera 'PerspectiveCamera' was left out/)])
})
