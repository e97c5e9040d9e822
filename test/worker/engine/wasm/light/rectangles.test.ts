/** Rectangles as close points see them: what is sampled is on them, and as probable as scattered rays are told. */
import { describe, expect, it } from 'vitest'
import { buildPacked } from '../../../../../scripts/bench/pictures/kernel/build.ts'
import { cross, dot } from '../../../../../scripts/bench/pictures/model/vector.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'
import { packScene } from '../../../../../shared/scene/packed-scene.ts'
import { loadWasmEngine } from '../../../../../worker/node/load-kernel.ts'
import { stacked } from '../../../support/stacked.ts'
import { Dice } from '../aimed-rays.ts'

const engine = loadWasmEngine('wasm')
const RADIANCE: Vec3 = [3, 2, 1]

const FLAT = 1e-9

interface Sides {
  readonly across: Vec3
  readonly up: Vec3
}

function probeOf({ across, up }: Sides) {
  const lights = [{ kind: 'rectangle', position: [0, 0, 0], across, up, radiance: RADIANCE }] as const
  return engine.probe(buildPacked(engine, packScene(stacked({ layers: [{ z: -50, material: {} }], lights })).bytes))
}

const at = ({ across, up }: Sides, a: number, b: number, from: Vec3): Vec3 => [
  a * across[0] + b * up[0] - from[0],
  a * across[1] + b * up[1] - from[1],
  a * across[2] + b * up[2] - from[2],
]

/** Of a triangle with these corners: van Oosterom and Strackee, "The Solid Angle of a Plane Triangle", IEEE Trans. Biomed. Eng. 30(2), 1983. */
function solidAngle(a: Vec3, b: Vec3, c: Vec3): number {
  const [ra, rb, rc] = [Math.hypot(...a), Math.hypot(...b), Math.hypot(...c)]
  const below = ra * rb * rc + dot(a, b) * rc + dot(b, c) * ra + dot(c, a) * rb
  return 2 * Math.abs(Math.atan2(dot(a, cross(b, c)), below))
}

/** Of which the whole is 4π. */
function seen(sides: Sides, from: Vec3): number {
  const [a, b, c, d] = [at(sides, -1, -1, from), at(sides, 1, -1, from), at(sides, 1, 1, from), at(sides, -1, 1, from)]
  return solidAngle(a, b, c) + solidAngle(a, c, d)
}

describe.each([
  ['square', { across: [1, 0, 0], up: [0, 1, 0] }],
  ['strip', { across: [0.02, 0, 0], up: [0, 0.8, 0.6] }],
  ['tilted', { across: [0.5, 0.5, 0], up: [0.2, -0.2, 0.7] }],
] as const)('a %s', (_, sides) => {
  const probe = probeOf(sides)
  const dice = new Dice(3)
  const normal = cross(sides.across, sides.up)
  const size = Math.hypot(Math.hypot(...sides.across), Math.hypot(...sides.up))
  /** On its bright side, mostly; some in its plane, above an edge, or just above it. */
  const places = Array.from({ length: 300 }, (_, i): Vec3 => {
    const [a, b] = i % 3 === 0 ? [dice.next() * 6 - 3, dice.next() * 6 - 3] : [dice.next() * 2 - 1, 1]
    const above = i % 5 === 0 ? 0 : i % 5 === 1 ? 1e-5 * dice.next() : 2 * size * dice.next()
    const [x, y, z] = at(sides, a, b, [0, 0, 0])
    const length = Math.hypot(...normal)
    return [x + (above * normal[0]) / length, y + (above * normal[1]) / length, z + (above * normal[2]) / length]
  })

  it('is hit by the directions that are sampled, which are as probable as scattered rays are told', () => {
    let found = 0
    for (const place of places) {
      const { direction, value, density } = probe.sampleLight(place, [dice.next(), dice.next()])
      expect(density).toBeGreaterThanOrEqual(0)
      // In its plane, rounding decides where a ray meets it.
      if (!(density > 0) || Math.abs(dot(direction, normal)) < FLAT) continue
      found++
      const distance = -dot(place, normal) / dot(direction, normal)
      const hit: Vec3 = [
        place[0] + distance * direction[0],
        place[1] + distance * direction[1],
        place[2] + distance * direction[2],
      ]
      for (const axis of [sides.across, sides.up])
        expect(Math.abs(dot(hit, axis)) / dot(axis, axis)).toBeLessThan(1 + 1e-9)
      expect(value).toEqual(RADIANCE)
      // A point on the very edge may be beside it.
      const met = probe.meetLight(place, direction)
      if (met.density > 0) expect(met.density / density).toBeCloseTo(1, 6)
    }
    expect(found).toBeGreaterThan(150)
  })

  it('is equally bright in all directions from a close point, as far as there is a solid angle', () => {
    let close = 0
    for (const place of places) {
      const angle = seen(sides, place)
      if (dot(place, normal) < FLAT || angle < 1e-3 || Math.hypot(...place) > 4 * size) continue
      close++
      const { density } = probe.sampleLight(place, [dice.next(), dice.next()])
      expect(density * angle).toBeCloseTo(1, 6)
    }
    expect(close).toBeGreaterThan(80)
  })
})
