/** A picture that is bent by its depths shows every point where a camera would that is there. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Camera, Vec3 } from '../../../shared/frame/view.ts'
import { cameraOf, type FullViewpoint } from '../../../shared/frame/viewpoint.ts'
import { pointAt, warped, warpOf } from '../../../shared/page/warp-view.ts'

const coordinate = fc.double({ min: -10, max: 10, noNaN: true })
const vector = fc.tuple(coordinate, coordinate, coordinate)
const subject = { centre: [0, 0, 0], radius: 1, halfHeight: 1, fill: 1, elevationTurns: 0 } as const
const camera = (view: FullViewpoint, aspect: number): Camera =>
  cameraOf(view, subject, view.fov, aspect, problem => new Error(problem))
const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

/** A viewpoint that looks somewhere, and not along its up. */
const viewpoint = fc
  .record({ eye: vector, target: vector, fov: fc.double({ min: 10, max: 100, noNaN: true }) })
  .map((view): FullViewpoint => ({ ...view, up: [0, 1, 0] }))
  .filter(({ eye, target }) => Math.hypot(eye[0] - target[0], eye[2] - target[2]) > 0.5)
const share = fc.double({ min: -1, max: 1, noNaN: true })

it('shows a point where the other camera sees it, and a direction where it is', () => {
  fc.assert(
    fc.property(
      viewpoint,
      viewpoint,
      fc.double({ min: 0.3, max: 3, noNaN: true }),
      share,
      share,
      (a, b, aspect, x, y) => {
        for (const depth of [0.1, 1, 30, Number.POSITIVE_INFINITY]) {
          const [sx, sy, w] = warped(warpOf(a, b, aspect), x, y, 1 / depth)
          const { right, up, back, tanHalfX, tanHalfY } = camera(a, aspect)
          const ray = [0, 1, 2].map(k => x * tanHalfX * right[k]! + y * tanHalfY * up[k]! - back[k]!) as unknown as Vec3
          const seen = camera(b, aspect)
          const far = depth === Number.POSITIVE_INFINITY
          const from = far ? ray : minus(pointAt(a, aspect, x, y, depth), seen.origin)
          const along = far ? 1 : depth
          expect(w * along).toBeCloseTo(-dot(from, seen.back), 6)
          expect(sx * along).toBeCloseTo(dot(from, seen.right) / seen.tanHalfX, 6)
          expect(sy * along).toBeCloseTo(dot(from, seen.up) / seen.tanHalfY, 6)
        }
      },
    ),
  )
})

it('leaves a picture as it is where nobody moved', () => {
  fc.assert(
    fc.property(viewpoint, share, share, fc.double({ min: 0, max: 10, noNaN: true }), (view, x, y, nearness) => {
      const [sx, sy, w] = warped(warpOf(view, view, 1.5), x, y, nearness)
      expect(w).toBeCloseTo(1, 9)
      expect([sx, sy].map((value, i) => Math.abs(value - [x, y][i]!)).every(error => error < 1e-9)).toBe(true)
    }),
  )
})
