/** Emissive triangles as close points see them: what is sampled is on them, evenly over their solid angle, and as probable as scattered rays are told. */
import { describe, expect, it } from 'vitest'
import { buildHere } from '../../../../../scripts/bench/pictures/kernel/build.ts'
import { cross, dot, subtract } from '../../../../../scripts/bench/pictures/model/vector.ts'
import { SceneBuilder } from '../../../../../scripts/bench/pictures/scenes/meshes.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'
import { loadWasmEngine } from '../../../../../worker/node/load-kernel.ts'
import { Dice } from '../aimed-rays.ts'

const engine = loadWasmEngine('wasm')
const NIGHT = { kind: 'sky', zenith: [0, 0, 0], horizon: [0, 0, 0], ground: [0, 0, 0] } as const

type Corners = readonly [Vec3, Vec3, Vec3]

/** By the angles between the planes of its sides (Girard). */
function solidAngle(corners: Corners, from: Vec3): number {
  const [a, b, c] = corners.map(corner => subtract(corner, from)) as unknown as Corners
  const angle = (p: Vec3, q: Vec3) =>
    Math.acos(Math.min(1, Math.max(-1, dot(p, q) / Math.hypot(...p) / Math.hypot(...q))))
  const [ab, bc, ca] = [cross(a, b), cross(b, c), cross(c, a)]
  return 2 * Math.PI - angle(ab, bc) - angle(bc, ca) - angle(ca, ab)
}

function probeOf(corners: Corners) {
  const builder = new SceneBuilder()
  builder.triangle(builder.material({ color: [0, 0, 0], emission: [3, 2, 1] }), corners)
  return engine.probe(buildHere(engine, builder.build(NIGHT)))
}

/** Weights of the corners b and c where a ray meets the triangle's plane, and how far that is. */
function met([a, b, c]: Corners, from: Vec3, direction: Vec3) {
  const [u, v, s] = [subtract(b, a), subtract(c, a), subtract(from, a)]
  const [h, q] = [cross(direction, v), cross(s, u)]
  const det = dot(u, h)
  return { weights: [dot(s, h) / det, dot(direction, q) / det] as const, distance: dot(v, q) / det }
}

describe.each<[string, Corners]>([
  [
    'right',
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ],
  ],
  [
    'long',
    [
      [-2, 0, 0],
      [2, 0.125, 0.5],
      [0, 0.25, 0],
    ],
  ],
  [
    'tilted',
    [
      [0.5, -0.25, 1],
      [-0.75, 0.5, 0],
      [0.25, 1, -0.5],
    ],
  ],
])('a %s triangle', (_, corners) => {
  const probe = probeOf(corners)
  const dice = new Dice(11)
  const middle = [0, 1, 2].map(
    axis => (corners[0][axis]! + corners[1][axis]! + corners[2][axis]!) / 3,
  ) as unknown as Vec3
  const size = Math.max(...corners.map(corner => Math.hypot(...subtract(corner, middle))))
  const normal = cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]))
  const away = (share: number): Vec3 => {
    const aside = [dice.next() - 0.5, dice.next() - 0.5, dice.next() - 0.5] as const
    const scale = (share * size) / Math.hypot(...aside)
    return [middle[0] + aside[0] * scale, middle[1] + aside[1] * scale, middle[2] + aside[2] * scale]
  }
  const cosineTo = (direction: Vec3) => dot(direction, normal) / Math.hypot(...normal)

  it.each([0.01, 0.3, 0.9, 1.1, 3, 50])(
    'is hit by what is sampled from %s of its size away, with the density that is told',
    share => {
      for (let i = 0; i < 200; i++) {
        const from = away(share)
        const { direction, value, density } = probe.sampleLight(from, [
          i === 0 ? 0 : dice.next(),
          i === 1 ? 0 : dice.next(),
        ])
        if (!(density > 0) || Math.abs(cosineTo(direction)) < 1e-4) continue
        const { weights, distance } = met(corners, from, direction)
        expect(Math.min(...weights, 1 - weights[0] - weights[1])).toBeGreaterThan(-1e-7)
        expect(distance).toBeGreaterThan(0)
        expect(value).toEqual([3, 2, 1])
        const told = probe.densityOfTriangle(0, weights, from, distance, cosineTo(direction))
        expect(told / density).toBeCloseTo(1, 6)
      }
    },
  )

  it('is as bright in all directions from a close point', () => {
    let found = 0
    for (let i = 0; i < 200; i++) {
      const from = away(0.9 * dice.next())
      const angle = solidAngle(corners, from)
      if (angle < 1e-2 || Math.abs(dot(subtract(from, middle), normal)) < 1e-3 * Math.hypot(...normal)) continue
      const { density } = probe.sampleLight(from, [dice.next(), dice.next()])
      expect(density * angle).toBeCloseTo(1, 6)
      found++
    }
    expect(found).toBeGreaterThan(50)
  })

  it('is chosen from evenly: each of its thirds gets its share of what is seen', () => {
    const from = away(0.5)
    const COUNT = 4000
    const sampled = Array.from(
      { length: COUNT },
      (_, i) => probe.sampleLight(from, [(i + 0.5) / COUNT, dice.next()]).direction,
    )
    const third = (i: 0 | 1 | 2): Corners => {
      const parts = [...corners] as [Vec3, Vec3, Vec3]
      parts[i] = middle
      return parts
    }
    for (const i of [0, 1, 2] as const) {
      const part = third(i)
      const share = solidAngle(part, from) / solidAngle(corners, from)
      const inside = sampled.filter(direction => {
        const { weights } = met(part, from, direction)
        return Math.min(...weights, 1 - weights[0] - weights[1]) > 0
      }).length
      expect(Math.abs(inside / COUNT - share)).toBeLessThan(4 * Math.sqrt((share * (1 - share)) / COUNT))
    }
  })
})
