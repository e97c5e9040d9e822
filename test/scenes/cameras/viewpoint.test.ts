import { Box3, PerspectiveCamera, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { cameraAt, cameraFrom, cameraOnOrbit, DEFAULT_FRAMING } from '../../../scenes/cameras/camera-paths.ts'
import { CameraError, cameraFromViewpoint } from '../../../scenes/cameras/viewpoint.ts'
import { cameraSchema, type Vec3 } from '../../../shared/frame/view.ts'

const viewed = { subject: new Box3(new Vector3(-1, 0, -1), new Vector3(1, 1.5, 1)), framing: DEFAULT_FRAMING }

describe('a viewpoint', () => {
  it('is the camera that three.js makes of the same words', () => {
    const [eye, target, up, fov] = [[3, 2, 5] as const, [0.5, -1, 0.25] as const, [0.3, 2, -0.1] as const, 25]
    const camera = cameraFromViewpoint({ eye, target, up, fov }, viewed, 1.5)
    const three = new PerspectiveCamera(fov, 1.5)
    three.position.set(...eye)
    three.up.set(...up)
    three.lookAt(new Vector3(...target))
    three.updateMatrixWorld()
    const expected = cameraFrom(three, 1.5)
    for (const axis of ['right', 'up', 'back', 'origin'] as const)
      for (const i of [0, 1, 2] as const) expect(camera[axis][i]).toBeCloseTo(expected[axis][i], 12)
    expect([camera.tanHalfX, camera.tanHalfY]).toEqual([expected.tanHalfX, expected.tanHalfY])
    expect(cameraSchema.parse(camera)).toEqual(camera)
  })

  it('looks at the middle of the subject with the lens and the depth range of its paths', () => {
    const path = cameraAt('still', viewed, 0, 2)
    const camera = cameraFromViewpoint({ eye: path.origin }, viewed, 2)
    expect([camera.near, camera.far, camera.tanHalfY]).toEqual([path.near, path.far, path.tanHalfY])
    for (const i of [0, 1, 2] as const) expect(camera.back[i]).toBeCloseTo(path.back[i], 12)
  })

  it('still has its subject in the depth range from very far away', () => {
    expect(cameraFromViewpoint({ eye: [0, 0, 1e9] }, viewed, 1).far).toBeGreaterThan(1e9)
  })

  it.each<[string, Vec3, Vec3, Vec3, string]>([
    ['in its own target', [1, 2, 3], [1, 2, 3], [0, 1, 0], 'an eye that differs from its target 1,2,3, got 1,2,3'],
    ['without an up', [1, 2, 3], [0, 0, 0], [0, 0, 0], 'expected an up vector with a direction, got 0,0,0'],
    ['straight down', [0, 9, 0], [0, 0, 0], [0, 1, 0], 'not parallel to the view, such as 0,0,-1, got 0,1,0'],
    ['along its up', [9, 0, 0], [0, 0, 0], [-2, 0, 0], 'not parallel to the view, such as 0,1,0, got -2,0,0'],
  ])('%s is refused', (_, eye, target, up, problem) => {
    const make = () => cameraFromViewpoint({ eye, target, up }, viewed, 1, 'camera of frame 3')
    expect(make).toThrow(CameraError)
    expect(make).toThrow(problem)
    expect(make).toThrow(/^camera of frame 3: /)
  })
})

it('a camera of the orbit looks from +z at azimuth 0, from +x a quarter of a turn later', () => {
  const side = (turns: number) => cameraOnOrbit(viewed, turns, 1).origin
  const [x0, , z0] = side(0)
  const [x1, , z1] = side(0.25)
  expect([x0, z1]).toEqual([0, 0])
  expect(z0).toBeGreaterThan(1)
  expect(x1).toBe(z0)
  expect(cameraOnOrbit(viewed, DEFAULT_FRAMING.startTurns, 1)).toEqual(cameraAt('orbit', viewed, 0, 1))
})
