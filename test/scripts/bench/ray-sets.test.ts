/** The bench's rays: every pixel once, in blocks and squares, each from where the one before it has ended. */
import { expect, it } from 'vitest'
import { makeRaySets } from '../../../scripts/bench/kernel/ray-sets.ts'
import { RAY_FLOATS, RAY_KINDS, type RaySet } from '../../../scripts/bench/kernel/rays/ray-kinds.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import { readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { smallCamera, smallScene } from '../../support/small-scene.ts'

const scene = bakedScene(readPackedScene(smallScene().bytes))
const setsOf = (size: Size) =>
  makeRaySets(scene, {
    frame: 0,
    size,
    camera: smallCamera(0),
    quality: { samples: 1, ambientRays: 0, maxDepth: 0 },
    exposure: 1,
  })

/** Column and row of the pixel that a primary ray goes through. */
function pixelOf(rays: Float32Array, ray: number, [width, height]: Size): [x: number, y: number] {
  const [dx, dy, dz] = rays.subarray(ray * RAY_FLOATS + 4, ray * RAY_FLOATS + 7) as unknown as [number, number, number]
  const { tanHalfX, tanHalfY } = smallCamera(0)
  return [Math.floor(((dx / -dz / tanHalfX + 1) / 2) * width), Math.floor(((1 - dy / -dz / tanHalfY) / 2) * height)]
}

it.each<[number, number]>([
  [16, 16],
  [13, 9],
  [1, 1],
  [3, 31],
])('sends a ray through each of %i x %i pixels', (...size) => {
  const { primary } = setsOf(size)
  const pixels = Array.from({ length: primary.count }, (_, i) => pixelOf(primary.rays, i, size))
  const numbers = pixels.map(([x, y]) => y * size[0] + x)
  expect(new Set(numbers)).toEqual(new Set(Array.from({ length: size[0] * size[1] }, (_, i) => i)))
})

it('goes by blocks of 8 x 8 and squares of 4 x 4 pixels', () => {
  const { primary } = setsOf([24, 16])
  for (let ray = 0; ray < primary.count; ray++) {
    const [x, y] = pixelOf(primary.rays, ray, [24, 16])
    for (const [rays, side] of [
      [64, 8],
      [16, 4],
    ] as const) {
      const [firstX, firstY] = pixelOf(primary.rays, ray - (ray % rays), [24, 16])
      expect([Math.floor(x / side), Math.floor(y / side)]).toEqual([firstX / side, firstY / side])
    }
  }
})

it('starts shadow and bounce rays where camera rays have met something', () => {
  const { primary, shadow, bounce } = setsOf([32, 24])
  const hits = primary.answers.filter(Number.isFinite)
  expect(shadow.count).toBe(hits.length)
  expect(bounce.count).toBe(hits.length)
  const met = Array.from(primary.answers, (t, i) => ({ t, at: i * RAY_FLOATS })).filter(({ t }) => Number.isFinite(t))
  met.forEach(({ t, at }, i) => {
    for (let k = 0; k < 3; k++) {
      const place = primary.rays[at + k]! + t * primary.rays[at + 4 + k]!
      expect(shadow.rays[i * RAY_FLOATS + k]).toBeCloseTo(place, 3)
      expect(bounce.rays[i * RAY_FLOATS + k]).toBe(shadow.rays[i * RAY_FLOATS + k])
      expect(shadow.rays[i * RAY_FLOATS + 4 + k]).toBeCloseTo(scene.sun.direction[k]!, 6)
    }
  })
})

it('makes unit directions, and the same rays again', () => {
  const [sets, again] = [setsOf([20, 12]), setsOf([20, 12])]
  expect(again).toEqual(sets)
  for (const kind of RAY_KINDS)
    for (let i = 0; i < sets[kind].count; i++) {
      const [x, y, z] = sets[kind].rays.subarray(i * RAY_FLOATS + 4, i * RAY_FLOATS + 7)
      expect(Math.hypot(x!, y!, z!)).toBeCloseTo(1, 6)
    }
})

/** Origins of rays, as text. */
const originsOf = ({ rays, count }: RaySet): string[] =>
  Array.from({ length: count }, (_, i) => rays.subarray(i * RAY_FLOATS, i * RAY_FLOATS + 3).join())

it('sends two ambient rays from each hit in every other block', () => {
  const { ambient, bounce, primary } = setsOf([32, 24])
  const starts = originsOf(bounce)
  let hit = 0
  const expected = Array.from(primary.answers, t => (Number.isFinite(t) ? starts[hit++] : undefined))
    .filter((_, pixel) => pixel % 128 < 64)
    .flatMap(start => (start === undefined ? [] : [start, start]))
  expect(expected.length).toBeGreaterThan(0)
  expect(originsOf(ambient)).toEqual(expected)
})

it('follows paths to the fourth bounce, and asks lights on the way', () => {
  const sets = setsOf([32, 24])
  const deep = sets['deep-bounce']
  const lit = sets['next-event']
  const hitsOf = ({ answers }: RaySet) => answers.filter(Number.isFinite).length
  // Every hit has a child, up to the last depth, whose hits are at most as many as those of bounces.
  expect(deep.count).toBeGreaterThan(0)
  expect(deep.count).toBeGreaterThanOrEqual(hitsOf(sets.bounce))
  expect(deep.count).toBeLessThanOrEqual(3 * hitsOf(sets.bounce))
  const starts = new Set([...originsOf(sets.bounce), ...originsOf(deep)])
  for (const start of originsOf(lit)) expect(starts).toContain(start)
  for (let i = 0; i < lit.count; i++) {
    const reach = lit.rays[i * RAY_FLOATS + 7]!
    if (Number.isFinite(lit.answers[i]!)) expect(lit.answers[i]).toBeLessThanOrEqual(reach)
  }
  const ending = Array.from({ length: lit.count }, (_, i) => lit.rays[i * RAY_FLOATS + 7]!).filter(Number.isFinite)
  expect(ending.length).toBeGreaterThan(lit.count / 3)
})

it('has no rays from hits where the camera sees nothing', () => {
  const camera = { ...smallCamera(0), origin: [0, 1000, 0] as const }
  const view = { frame: 0, size: [8, 8] as Size, camera: { ...camera, back: [0, -1, 0] as const } }
  const sets = makeRaySets(scene, { ...view, quality: { samples: 1, ambientRays: 0, maxDepth: 0 }, exposure: 1 })
  for (const kind of RAY_KINDS) expect(sets[kind].count).toBe(kind === 'primary' ? 64 : 0)
})
