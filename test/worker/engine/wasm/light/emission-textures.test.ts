/** Textures of emission as lights: their light arrives, by scattered rays and by next-event estimation alike, and with little noise. */
import { describe, expect, it } from 'vitest'
import { buildPacked } from '../../../../../scripts/bench/pictures/kernel/build.ts'
import { rectangleIrradiance } from '../../../../../scripts/bench/pictures/known/closed-forms.ts'
import { frameRect } from '../../../../../shared/frame/rect.ts'
import { toMeans } from '../../../../../shared/frame/sample-layout.ts'
import { allSamples, type Vec3 } from '../../../../../shared/frame/view.ts'
import { bakedScene } from '../../../../../shared/scene/ambient-look.ts'
import { IDENTITY, type SceneDescription } from '../../../../../shared/scene/description.ts'
import { packScene } from '../../../../../shared/scene/packed-scene.ts'
import type { Texture, Wrap } from '../../../../../shared/scene/texture.ts'
import { cellCorners } from '../../../../../worker/engine/wasm/light/emission-cells.ts'
import { engineByName } from '../../../../../worker/node/engines.ts'
import { loadWasmEngine } from '../../../../../worker/node/load-kernel.ts'
import { openHere } from '../../../support/engines.ts'
import { stacked, viewFor } from '../../../support/stacked.ts'
import { Dice } from '../aimed-rays.ts'

const grey = (value: number): Vec3 => [value, value, value]
const ALBEDO = 0.5
const HALF = 0.5
/** Where the panel is, beside what the camera sees of the floor. */
const PANEL = { x: 1.6, y: 0, z: 1 }

/** A square picture of grey texels, as linear values. */
function picture(side: number, valueAt: (x: number, y: number) => number, wrap: Wrap = 'clamp'): Texture {
  const texels = new Uint8Array(side * side * 4)
  for (let i = 0; i < side * side; i++)
    texels.fill(Math.round(255 * valueAt(i % side, Math.floor(i / side))), i * 4, i * 4 + 4)
  return { width: side, height: side, wrapU: wrap, wrapV: wrap, srgb: false, nearest: true, texels }
}

/** The texture covers the panel once: rows run towards −y. */
function lit(texture: Texture, emission: number): SceneDescription {
  const half = HALF
  const transform = [1 / half, 0, (1 - 1 / half) / 2, 0, 1 / half, (1 - 1 / half) / 2] as const
  const glowing = {
    color: grey(0),
    emission: grey(emission),
    maps: { emission: { texture: 0, set: 0, transform } },
  } as const
  const scene = stacked({
    layers: [
      { z: 0, material: { color: grey(ALBEDO) } },
      { z: PANEL.z, material: glowing, half },
    ],
    textures: [texture],
  })
  const [floor, panel] = scene.instances
  return {
    ...scene,
    instances: [floor!, { ...panel!, transform: IDENTITY.with(3, PANEL.x).with(7, PANEL.y).with(11, PANEL.z) }],
  }
}

/** Radiance of the floor at a point, by the light of each texel. */
function floorAt({ width, texels }: Texture, emission: number, x: number, y: number): number {
  const side = (2 * HALF) / width
  let sum = 0
  for (let i = 0; i < width * width; i++) {
    const value = texels[i * 4]! / 255
    if (value === 0) continue
    const left = PANEL.x - HALF + (i % width) * side - x
    const top = PANEL.y + HALF - Math.floor(i / width) * side - y
    sum += rectangleIrradiance(value * emission, PANEL.z, [left, left + side], [top - side, top])
  }
  return (ALBEDO * sum) / Math.PI
}

const SIDE = 8
const centre = (pixel: number): [x: number, y: number] => [
  ((pixel % SIDE) + 0.5) / (SIDE / 2) - 1,
  1 - (Math.floor(pixel / SIDE) + 0.5) / (SIDE / 2),
]

/** Means of the light of the floor's pixels. */
function floorOf(engine: 'wasm' | 'reference', scene: SceneDescription, samples: number): Float64Array {
  const tracer = openHere(engineByName(engine), bakedScene(packScene(scene)))
  const view = viewFor({ samples, ambientRays: 0, maxDepth: 0, bounces: 0 }, SIDE)
  const light = new Float64Array(SIDE * SIDE * 3)
  tracer.trace(view, { rect: frameRect(view.size) }, allSamples(view), { light })
  toMeans(view.quality, light)
  return light.filter((_, i) => i % 3 === 0)
}

const uneven = picture(8, (x, y) => ((x * 5 + y * 3) % 8 === 0 ? 1 : (x + y) % 3 === 0 ? 0.2 : 0))
const spot = picture(64, (x, y) => Number(x >= 20 && x < 22 && y >= 41 && y < 43))
/** Nothing of it is worth more than one choice. */
const even = picture(4, () => 0.6)

describe.each(['wasm', 'reference'] as const)('a panel with a texture over a floor, with the engine %s', engine => {
  it.each([
    ['uneven', uneven, 3, 1.3],
    ['a small spot', spot, 400, 1.6],
    ['even', even, 3, 0.4],
  ] as const)(
    '%s: the floor is as bright as its texels make it, and a sample is off by little',
    (_, texture, emission, noise) => {
      const samples = engine === 'wasm' ? 1024 : 64
      const light = floorOf(engine, lit(texture, emission), samples)
      let [got, expected, squares] = [0, 0, 0]
      for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
        const right = floorAt(texture, emission, ...centre(pixel))
        got += light[pixel]!
        expected += right
        squares += (light[pixel]! / right - 1) ** 2
      }
      // Pixels are not points: a share of 0.001.
      expect(Math.abs(got / expected - 1)).toBeLessThan(0.001 + (3 * noise) / (SIDE * Math.sqrt(samples)))
      expect(Math.sqrt(squares / SIDE ** 2)).toBeLessThan(noise / Math.sqrt(samples))
    },
  )
})

describe('cells of a triangle', () => {
  it.each([1, 2, 4, 16])('with a side of %d fill it', side => {
    let area = 0
    for (let cell = 0; cell < side * side; cell++) {
      const [a, b, c] = cellCorners(cell, side)
      for (const [x, y] of [a!, b!, c!]) {
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
        expect(x + y).toBeLessThanOrEqual(1)
      }
      area += Math.abs((b![0] - a![0]) * (c![1] - a![1]) - (c![0] - a![0]) * (b![1] - a![1]))
    }
    expect(area).toBeCloseTo(1, 12)
  })

  it.each([
    ['uneven', uneven],
    ['with a small spot', spot],
  ])('of a panel %s are chosen with the density that scattered rays are told', (_, texture) => {
    const probe = loadWasmEngine('wasm').probe(buildPacked(loadWasmEngine('wasm'), packScene(lit(texture, 1)).bytes))
    const dice = new Dice(7)
    let found = 0
    for (let i = 0; i < 500; i++) {
      const from: Vec3 = [dice.next() * 2 - 1, dice.next() * 2 - 1, dice.next() * 0.5]
      const { direction, value, density } = probe.sampleLight(from, [dice.next(), dice.next()])
      if (!(density > 0)) continue
      const distance = (PANEL.z - from[2]) / direction[2]
      const [x, y] = [from[0] + distance * direction[0] - PANEL.x, from[1] + distance * direction[1] - PANEL.y]
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(HALF * (1 + 1e-9))
      // Triangles (0, 1, 2) and (0, 2, 3) of corners in the order of `stacked`, behind those of the floor.
      const [u, v] = [(x + HALF) / (2 * HALF), (y + HALF) / (2 * HALF)]
      const [triangle, b, c] = u >= v ? [2, u - v, v] : [3, u, v - u]
      const told = probe.densityOfTriangle(triangle!, [b!, c!], from, distance, direction[2])
      expect(density / told).toBeCloseTo(1, 6)
      const [column, row] = [u, 1 - v].map(at => Math.min(texture.width - 1, Math.floor(at * texture.width)))
      expect(value[0]).toBeCloseTo(texture.texels[(row! * texture.width + column!) * 4]! / 255, 5)
      if (value[0] > 0) found++
    }
    expect(found).toBeGreaterThan(100)
  })
})
