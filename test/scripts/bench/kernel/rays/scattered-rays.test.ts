/** Bounce and ambient rays: cosine-distributed, the latter two to a hit. */
import { expect, it } from 'vitest'
import { AMBIENT_RAYS, ambientRays } from '../../../../../scripts/bench/kernel/rays/ambient-rays.ts'
import { bounceRay } from '../../../../../scripts/bench/kernel/rays/bounce-rays.ts'
import type { Ray } from '../../../../../scripts/bench/kernel/rays/ray-kinds.ts'
import { AMBIENT_QUALITY } from '../../../../../scripts/options/groups/light.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'

const normal: Vec3 = [0.48, 0.6, 0.64]
const start = { point: [1, 2, 3] as Vec3, normal }
const COUNT = 4096

const cosineOf = (ray: Ray): number => ray[4] * normal[0] + ray[5] * normal[1] + ray[6] * normal[2]

it.each<[string, () => Ray[]]>([
  ['bounce', () => Array.from({ length: COUNT }, (_, pixel) => bounceRay(start, pixel, 1))],
  ['deep bounce', () => Array.from({ length: COUNT }, (_, pixel) => bounceRay(start, pixel, 3))],
  ['ambient', () => Array.from({ length: COUNT / AMBIENT_RAYS }, (_, hit) => ambientRays(start, hit)).flat()],
])('sends %s rays by the cosine, without an end', (_, make) => {
  const rays = make()
  expect(rays).toHaveLength(COUNT)
  for (const ray of rays) {
    expect(ray.slice(0, 4)).toEqual([1, 2, 3, 0])
    expect(ray[7]).toBe(Number.POSITIVE_INFINITY)
    expect(cosineOf(ray)).toBeGreaterThanOrEqual(0)
  }
  // The mean cosine is 2/3, its standard deviation √(1/18).
  const mean = rays.reduce((sum, ray) => sum + cosineOf(ray), 0) / COUNT
  expect(Math.abs(mean - 2 / 3)).toBeLessThan(4 * Math.sqrt(1 / 18 / COUNT))
})

it('sends as many ambient rays as the integrator does by default, far apart', () => {
  expect(AMBIENT_RAYS).toBe(AMBIENT_QUALITY.ambientRays)
  const all = Array.from({ length: 100 }, (_, hit) => ambientRays(start, hit)).flat()
  const together = all.slice(1).map((ray, i) => ray[4] * all[i]![4] + ray[5] * all[i]![5] + ray[6] * all[i]![6])
  expect(Math.max(...together)).toBeLessThan(0.98)
})
