/** What is asked for is bounded where it comes in: no ray without a direction, no light that is infinite. */
import { describe, expect, it } from 'vitest'
import { cameraSchema, viewSchema } from '../../../shared/frame/view.ts'
import { sessionOrderSchema } from '../../../shared/protocol/session-order.ts'
import { smallSession } from '../../support/session.ts'
import { smallCamera } from '../../support/small-scene.ts'

const camera = smallCamera(0)
const turned = Math.SQRT1_2

describe('a camera', () => {
  it.each([
    {},
    { origin: [1e9, -1e9, 0] },
    { right: [turned, 0, turned], back: [-turned, 0, turned] },
    { near: 1e-6, far: 1e9 },
  ])('may be %j', changes => {
    expect(cameraSchema.safeParse({ ...camera, ...changes }).success).toBe(true)
  })

  it.each([
    { origin: [1e30, 0, 0] },
    { origin: [Number.NaN, 0, 0] },
    { right: [0, 0, 0] },
    { up: [0, 2, 0] },
    { right: [0, 0, 1] },
    { tanHalfX: 1e300 },
    { tanHalfY: 1e-300 },
    { tanHalfY: -1 },
    { near: 100, far: 1 },
    { near: 0 },
    { far: Number.POSITIVE_INFINITY },
  ])('may not be %j', changes => {
    expect(cameraSchema.safeParse({ ...camera, ...changes }).success).toBe(false)
  })
})

describe('an exposure', () => {
  it.each([
    [1e-6, true],
    [1, true],
    [1e6, true],
    [0, false],
    [5e-324, false],
    [1e308, false],
    [Number.POSITIVE_INFINITY, false],
  ])('of %d is good: %s', (exposure, good) => {
    const { frames: _, ...order } = smallSession({ exposure })
    const { size, quality } = order
    expect(sessionOrderSchema.safeParse(order).success).toBe(good)
    expect(viewSchema.safeParse({ frame: 0, size, camera, quality, exposure }).success).toBe(good)
  })
})

describe('an order with only so much time', () => {
  const quality = { samples: 64, ambientRays: 0, maxDepth: 0, bounces: 2 }

  it.each<[object, problem: string | undefined]>([
    [{}, undefined],
    [{ noise: 0.01 }, undefined],
    [{ timeMs: 0 }, 'Too small'],
    [{ timeMs: Number.POSITIVE_INFINITY }, 'Invalid input'],
    [{ quality: { samples: 64, ambientRays: 0, maxDepth: 0 } }, "expected integrator 'path' with it, got ambient"],
    [{ passes: 2 }, 'expected no number of passes with it'],
    [{ record: true }, 'expected no recording with it'],
  ])('and %j', (changes, problem) => {
    const { frames: _, ...order } = smallSession({ quality, passes: 1, timeMs: 1000, ...changes })
    const { success, error } = sessionOrderSchema.safeParse(order)
    expect(success).toBe(problem === undefined)
    if (problem !== undefined) expect(error!.issues[0]!.message).toContain(problem)
  })
})
