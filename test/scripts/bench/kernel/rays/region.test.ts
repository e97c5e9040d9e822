/** Where the camera looks: not as far as a few points on the horizon. */
import { expect, it } from 'vitest'
import { regionOf } from '../../../../../scripts/bench/kernel/rays/region.ts'

it('is the box of most points', () => {
  const line = Float32Array.from({ length: 101 }, (_, i) => i)
  const { centre, radius } = regionOf([line, line.slice().reverse(), new Float32Array(101)])
  expect(centre).toEqual([50, 50, 0])
  expect(radius).toBeCloseTo(Math.hypot(40, 40))
})

it('ignores a few that are far away', () => {
  const points = Float32Array.from({ length: 1000 }, (_, i) => (i % 20 === 0 ? 1e6 : i % 2))
  expect(regionOf([points, points.slice(), points.slice()])).toEqual({
    centre: [0.5, 0.5, 0.5],
    radius: Math.sqrt(0.75),
  })
})

it('has room around a single point, or none', () => {
  const one = () => Float32Array.of(3)
  expect(regionOf([one(), one(), one()])).toEqual({ centre: [3, 3, 3], radius: 1 })
  const none = () => new Float32Array(0)
  expect(regionOf([none(), none(), none()])).toEqual({ centre: [0, 0, 0], radius: 1 })
})
