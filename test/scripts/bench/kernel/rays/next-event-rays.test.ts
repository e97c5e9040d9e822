/** Rays to lights: only those that a surface can be lit by, and just as far. */
import { expect, it } from 'vitest'
import { lightsAround } from '../../../../../scripts/bench/kernel/rays/lights.ts'
import { nextEventRay } from '../../../../../scripts/bench/kernel/rays/next-event-rays.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'

const region = { centre: [0, 0, 0] as Vec3, radius: 1 }
const lights = lightsAround(region, [0, 1, 0])
const rays = (normal: Vec3, chosen = lights) =>
  Array.from({ length: 600 }, (_, pixel) => nextEventRay({ point: [0, 0, 0], normal }, chosen, pixel, 0))

it('ends just before a light that has a place', () => {
  const lamp = lights.filter(light => light.kind === 'lamp').slice(0, 1)
  const { centre, radius } = lamp[0]!
  const distance = Math.hypot(...centre)
  for (const ray of rays([0, 1, 0], lamp)) {
    expect(Math.hypot(ray![4], ray![5], ray![6])).toBeCloseTo(1, 12)
    expect(ray![7]).toBeLessThan(Math.hypot(distance, radius))
    expect(ray![7]).toBeGreaterThan((distance - radius) * 0.999)
  }
})

it('leaves the surface, or is not there', () => {
  const up = rays([0, 1, 0])
  for (const ray of up) if (ray) expect(ray[5]).toBeGreaterThan(0)
  // All lights are above.
  expect(up.filter(Boolean)).toHaveLength(600)
  expect(rays([0, -1, 0]).filter(Boolean)).toHaveLength(0)
})

it('asks every light equally often', () => {
  const endless = rays([0, 1, 0]).filter(ray => ray![7] === Number.POSITIVE_INFINITY)
  expect(endless.length / 600).toBeGreaterThan(0.27)
  expect(endless.length / 600).toBeLessThan(0.4)
})

it('asks another light, or goes elsewhere, at every depth', () => {
  const start = { point: [0, 0, 0] as Vec3, normal: [0, 1, 0] as Vec3 }
  const [first, second] = [0, 1].map(depth => nextEventRay(start, lights, 7, depth))
  expect(first).not.toEqual(second)
})
