/** The stated test of a triangle, which judges the kernel, against another formula. */
import { expect, it } from 'vitest'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { BakedScene } from '../../../../shared/scene/ambient-look.ts'
import { cornersOf } from '../../../support/triangles.ts'
import { GREY, sceneOf } from '../../support/meshes.ts'
import { Dice, mapVec, randomRays, randomSoup } from './aimed-rays.ts'
import { prepare, type Ray } from './brute-force.ts'

it('a triangle is met where another formula meets it (seed 91)', () => {
  const dice = new Dice(91)
  const scene = sceneOf([{ mesh: randomSoup(dice, 60, 0.4), material: GREY }])
  const { answer } = prepare(scene, 1)
  let compared = 0
  for (const ray of randomRays(dice, 3000)) {
    const { triangle, distance } = answer(ray)
    if (triangle < 0) continue
    const other = mollerTrumbore(scene, triangle, ray)
    // Floats and doubles may differ about a triangle's edge, or where it is seen almost from there.
    if (Math.abs(other.margin) < 1e-4 || other.slope < 1e-2) continue
    compared++
    expect(other.margin).toBeGreaterThan(0)
    expect(other.distance).toBeCloseTo(distance, 4)
  }
  expect(compared).toBeGreaterThan(100)
})

/** Another way to meet a triangle: Möller and Trumbore 1997, without any claim about edges. */
function mollerTrumbore(scene: BakedScene, triangle: number, { origin, direction }: Ray) {
  const minus = (a: Vec3, b: Vec3) => mapVec(k => a[k] - b[k])
  const cross = (a: Vec3, b: Vec3): Vec3 => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ]
  const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
  const length = (a: Vec3) => Math.sqrt(dot(a, a))
  const [a, b, c] = cornersOf(scene, triangle)
  const [e1, e2, s] = [minus(b, a), minus(c, a), minus(origin, a)]
  const p = cross(direction, e2)
  const determinant = dot(e1, p)
  const [u, v] = [dot(s, p) / determinant, dot(direction, cross(s, e1)) / determinant]
  return {
    distance: dot(e2, cross(s, e1)) / determinant,
    /** How far within the triangle, as the least barycentric coordinate. */
    margin: Math.min(u, v, 1 - u - v),
    /** Sine of the angle between ray and triangle. */
    slope: Math.abs(determinant) / (length(cross(e1, e2)) * length(direction)),
  }
}
