/** Where a page begins to look at a scene that is small and far away, or larger than what pages may ask for. */
import { describe, expect, it } from 'vitest'
import { camerasOf } from '../../../scripts/library/cameras.ts'
import type { ReadyScene } from '../../../scripts/library/ready-scene.ts'
import { firstViewpoint } from '../../../scripts/run/first-viewpoint.ts'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { cameraOf, fullViewpointSchema } from '../../../shared/frame/viewpoint.ts'

/** A cube. */
function beginning(min: number, side: number) {
  const corner = (at: number): Vec3 => [at, at, at]
  const scene = {
    ...{ name: 'cube.obj', subject: [corner(min), corner(min + side)], cameras: [], defaultCamera: 'orbit' },
    framing: {
      ...{ fovDegrees: 36, fill: 0.8, elevationTurns: 0.05, startTurns: 0.06, turnsPerFrame: 0 },
      ...{ shift: [0, 0], flyThrough: 'swoop' },
    },
  } as unknown as ReadyScene
  return firstViewpoint(scene, camerasOf(scene, undefined, [160, 90])(0))
}

const distance = (a: Vec3, b: Vec3): number => Math.hypot(...a.map((at, axis) => at - b[axis]!))

describe('a page begins', () => {
  it.each([0, 3, 1e3, 1e7, 1e9, -1e9])('where it sees a cube at %d', at => {
    const { viewpoint, subject } = beginning(at, 1)
    const { eye, target, fov } = viewpoint
    expect(fullViewpointSchema.safeParse(viewpoint).success).toBe(true)
    expect(distance(target, subject.centre)).toBeLessThan(0.01)
    expect(distance(eye, target)).toBeGreaterThan(1)
    const refuse = (problem: string) => new Error(problem)
    expect(() => cameraOf(viewpoint, subject, fov, 16 / 9, refuse)).not.toThrow()
  })

  it.each([1e12, 1e20, 1e30])('nowhere with a cube of %d, of which it says so', side => {
    expect(() => beginning(0, side)).toThrow(
      /^cube\.obj: expected coordinates of at most 1000000000000 .*got an eye at/,
    )
  })
})
