/** The tree over the lights of a scene: every light is in it, bounds hold what is below, and choices have the probabilities that are told. */
import { describe, expect, it } from 'vitest'
import { buildPacked } from '../../../../../scripts/bench/pictures/kernel/build.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'
import type { Light } from '../../../../../shared/scene/light.ts'
import { packScene } from '../../../../../shared/scene/packed-scene.ts'
import { LightList, lightBounds, triangleBounds } from '../../../../../worker/engine/wasm/light/light-bounds.ts'
import { lightTree, mostNodes } from '../../../../../worker/engine/wasm/light/light-tree.ts'
import { loadWasmEngine } from '../../../../../worker/node/load-kernel.ts'
import { seenBy, stacked } from '../../../support/stacked.ts'
import { Dice } from '../aimed-rays.ts'

const dice = new Dice(28)
const point = (size: number): Vec3 => [dice.next() * size, dice.next() * size, dice.next() * size]
function direction(): Vec3 {
  for (;;) {
    const [x, y, z] = [dice.next() - 0.5, dice.next() - 0.5, dice.next() - 0.5]
    const length = Math.hypot(x, y, z)
    if (length > 0.1 && length < 0.5) return [x / length, y / length, z / length]
  }
}
const grey = (value: number): Vec3 => [value, value, value]

function anyLight(kind: number, size: number): Exclude<Light, { kind: 'distant' }> {
  const [position, power] = [point(size), 0.01 + dice.next() * 10]
  if (kind === 0)
    return { kind: 'point', position, intensity: grey(power), radius: dice.next() < 0.5 ? 0 : dice.next() }
  if (kind === 1) {
    const [innerCosine, outerCosine] = [0.9, 0.2 + 0.6 * dice.next()]
    return {
      kind: 'spot',
      position,
      intensity: grey(power),
      radius: 0,
      direction: direction(),
      innerCosine,
      outerCosine,
    }
  }
  const [x, y] = [0.1 + dice.next(), 0.1 + dice.next()]
  const across: Vec3 = kind === 2 ? [x, 0, 0] : [0, 0, x]
  return { kind: 'rectangle', position, across, up: [0, y, 0], radiance: grey(power) }
}

const mixed = (count: number, size: number) => Array.from({ length: count }, (_, i) => anyLight(i % 4, size))

describe('the tree', () => {
  const listOf = (count: number, size: number): LightList => {
    const list = new LightList(count)
    for (let i = 0; i < count; i++)
      list.add(
        i % 5 === 4 ? triangleBounds(point(size), point(size), point(size), 1) : lightBounds(anyLight(i % 5, size)),
      )
    return list
  }
  it.each([
    [1, 10],
    [2, 10],
    [3, 0],
    [777, 10],
    [100, 0],
    [40_000, 10],
  ])('over %d lights in a cube of side %d has each once, in bounds that hold it', (count, size) => {
    const list = listOf(count, size)
    const { nodes, order } = lightTree(list)
    expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()])
    expect(nodes.length).toBeLessThanOrEqual(mostNodes(count))
    let next = 0
    let strays = 0
    for (const [i, { bounds, second, first, count, parent }] of nodes.entries()) {
      if (i > 0) expect(parent).toBeLessThan(i)
      if (count > 0) {
        // Leaves follow each other.
        expect(first).toBe(next)
        next += count
        continue
      }
      for (const child of [i + 1, second]) {
        expect(nodes[child]!.parent).toBe(i)
        const { centre, half, axis, cosine } = nodes[child]!.bounds
        for (const k of [0, 1, 2] as const)
          if (Math.abs(centre[k] - bounds.centre[k]) + half[k] > bounds.half[k] * (1 + 1e-9) + 1e-9) strays++
        const along = axis[0] * bounds.axis[0] + axis[1] * bounds.axis[1] + axis[2] * bounds.axis[2]
        const between = Math.acos(Math.min(1, bounds.isTwoSided ? Math.abs(along) : along))
        if (bounds.cosine > -1 && between + Math.acos(cosine) > Math.acos(bounds.cosine) + 1e-6) strays++
      }
      expect(bounds.power).toBeCloseTo(nodes[i + 1]!.bounds.power + nodes[second]!.bounds.power, 6)
    }
    expect(next).toBe(count)
    expect(strays).toBe(0)
  })
})

describe('a choice among lights', () => {
  const lights = mixed(60, 20)
  const glowing = { z: 5, material: { emission: grey(2) }, half: 3 }
  const scene = packScene(stacked({ layers: [{ z: 0, material: {} }, glowing], lights }))
  const engine = loadWasmEngine('wasm')
  const probe = engine.probe(buildPacked(engine, scene.bytes))
  const all = lights.length + 2

  it('has the probabilities that are told, which add up to one', () => {
    for (let i = 0; i < 50; i++) {
      const place: Vec3 = [dice.next() * 30 - 5, dice.next() * 30 - 5, dice.next() * 30 - 5]
      const chances = Array.from({ length: all }, (_, number) => probe.chanceOfLight(number, place))
      const counts = new Array<number>(all + 1).fill(0)
      const draws = 4096
      for (let draw = 0; draw < draws; draw++) counts[probe.chooseLight(place, (draw + 0.5) / draws)]!++
      // Some may come to a node of which no light reaches the point.
      const none = counts[all]! / draws
      expect(chances.reduce((sum, chance) => sum + chance, none)).toBeCloseTo(1, 2)
      // Numbers that choose a light follow each other.
      for (const [number, chance] of chances.entries())
        expect(Math.abs(counts[number]! - chance * draws)).toBeLessThan(2)
    }
  })

  it('reaches every light that reaches the point', () => {
    for (let i = 0; i < 200; i++) {
      const place = point(20)
      lights.forEach((light, number) => {
        if (light.kind === 'point') expect(probe.chanceOfLight(number, place)).toBeGreaterThan(0)
        if (light.kind === 'rectangle' && facing(light, place) > 1e-6)
          expect(probe.chanceOfLight(number, place)).toBeGreaterThan(0)
      })
    }
  })

  it('is one for a point in the middle of a light, too', () => {
    for (const { position } of lights) {
      const sum = Array.from({ length: all }, (_, number) => probe.chanceOfLight(number, position)).reduce(
        (a, b) => a + b,
      )
      expect(sum).toBeGreaterThan(0.9)
      expect(sum).toBeLessThan(1 + 1e-9)
    }
  })
})

/** Cosine between a rectangle's normal and the way from its middle to a point. */
function facing({ position, across, up }: Extract<Light, { kind: 'rectangle' }>, place: Vec3): number {
  const normal = [
    across[1] * up[2] - across[2] * up[1],
    across[2] * up[0] - across[0] * up[2],
    across[0] * up[1] - across[1] * up[0],
  ]
  const way = place.map((each, k) => each - position[k]!)
  return way.reduce((sum, each, k) => sum + each * normal[k]!, 0) / (Math.hypot(...way) * Math.hypot(...normal))
}

describe.each(['wasm', 'reference'] as const)('a floor below many lamps, with the engine %s', name => {
  const ALBEDO = 0.5
  const lights = Array.from({ length: 400 }, (): Light => {
    const position: Vec3 = [dice.next() * 6 - 3, dice.next() * 6 - 3, 1 + dice.next()]
    return { kind: 'point', position, intensity: grey(dice.next() / 40), radius: 0 }
  })
  it('is as bright as all of them make it', () => {
    const side = 8
    const floor = { z: 0, material: { color: grey(ALBEDO) } }
    const quality = { samples: 512, ambientRays: 0, maxDepth: 0, bounces: 0 }
    const { light } = seenBy(name, { layers: [floor], lights }, quality, side)
    let [got, expected] = [0, 0]
    for (let pixel = 0; pixel < side * side; pixel++) {
      got += light[pixel * 3]!
      const [x, y] = [((pixel % side) + 0.5) / (side / 2) - 1, 1 - (Math.floor(pixel / side) + 0.5) / (side / 2)]
      for (const each of lights) {
        if (each.kind !== 'point') continue
        const [dx, dy, dz] = [each.position[0] - x, each.position[1] - y, each.position[2]]
        const square = dx * dx + dy * dy + dz * dz
        expected += ((ALBEDO / Math.PI) * each.intensity[0] * (dz / Math.sqrt(square))) / square
      }
    }
    // Pixels are not points: a share of 0.003.
    expect(Math.abs(got / expected - 1)).toBeLessThan(0.01)
  })
})
