/** What covers pixels, sample by sample: tables of all samples, compared with what each sample by itself says. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addTables, TABLE_ENTRIES } from '../../../shared/frame/coverage-table.ts'
import { frameRect } from '../../../shared/frame/rect.ts'
import { toMeans } from '../../../shared/frame/sample-layout.ts'
import { allSamples, type Quality, type SampleRange, type View } from '../../../shared/frame/view.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import type { Tracer } from '../../../worker/engine/engine.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { openHere, usableEngines } from '../support/engines.ts'
import { type Layer, pictureOf, stacked, viewFor } from '../support/stacked.ts'

const AMBIENT: Quality = { samples: 16, ambientRays: 0, maxDepth: 1 }
const PATH: Quality = { samples: 16, ambientRays: 0, maxDepth: 0, bounces: 1 }
const SIDE = 8
const PIXELS = SIDE * SIDE

/** Of each pixel, how many samples see which id first. */
const countsOf = (tables: Uint32Array): Map<number, number>[] =>
  Array.from({ length: tables.length / TABLE_ENTRIES }, (_, pixel) => {
    const entries = tables.subarray(pixel * TABLE_ENTRIES, (pixel + 1) * TABLE_ENTRIES)
    return new Map([...entries].filter(entry => entry !== 0).map(entry => [entry >>> 16, entry & 0xffff]))
  })

function traced(tracer: Tracer, view: View, samples: SampleRange = allSamples(view)) {
  const out = {
    light: new Float64Array(PIXELS * 3),
    albedo: new Float64Array(PIXELS * 3),
    alpha: new Uint16Array(PIXELS),
    cryptoObject: new Uint32Array(PIXELS * TABLE_ENTRIES),
    cryptoMaterial: new Uint32Array(PIXELS * TABLE_ENTRIES),
  }
  tracer.trace(view, { rect: frameRect(view.size) }, samples, out)
  toMeans(view.quality, out.light, out.albedo)
  return out
}

/** Squares side by side and behind each other, each of a red of its own. */
const redOf = (layer: number) => Math.fround((layer + 1) / 64)
const layersOf = (...layers: Layer[]): Layer[] =>
  layers.map((layer, i) => ({ ...layer, material: { color: [redOf(i), 0, 0], ...layer.material } }))
const use = { texture: 0, set: 0, transform: [1, 0, 0, 0, 1, 0] } as const

describe.each(usableEngines)('with the engine %s', name => {
  const open = (scene: SceneDescription) => openHere(engineByName(name), bakedScene(packScene(scene)))

  describe.each([
    ['ambient', AMBIENT],
    ['path', PATH],
  ] as const)('coverage by the integrator %s', (_, quality) => {
    const lens = { radius: 0.4, focus: 8, rotation: 0, blades: 0 }
    const pinhole = viewFor(quality, SIDE)
    const views = { 'a pinhole': pinhole, 'a lens': { ...pinhole, camera: { ...pinhole.camera, lens } } }

    it.each(Object.entries(views))('through %s is by the samples that see each thing first', (_, view) => {
      const layers = layersOf(
        { z: -3, material: {}, half: 0.9 },
        { z: -1, material: { alpha: 'mask', alphaCutoff: 0.5, maps: { color: use } }, half: 0.77 },
        { z: 0, material: {}, half: 0.33 },
        { z: 0.5, material: {}, half: 0.13 },
      )
      // Cut out where texels are clear: the mask's own red is that of its material times 1.
      const textures = [pictureOf(2, [255, 255, 255, 0], [255, 255, 255, 255])]
      const tracer = open(stacked({ layers, textures }))
      const all = traced(tracer, view)
      const naive = Array.from({ length: PIXELS }, () => new Map<number, number>())
      for (let sample = 0; sample < quality.samples; sample++) {
        const { albedo, alpha, cryptoObject, cryptoMaterial } = traced(tracer, view, { from: sample, to: sample + 1 })
        const [objects, materials] = [countsOf(cryptoObject), countsOf(cryptoMaterial)]
        for (let pixel = 0; pixel < PIXELS; pixel++) {
          // What it sees, by its colour.
          const layer = Math.round(albedo[pixel * 3]! * quality.samples * 64) - 1
          expect([alpha[pixel], layer >= 0]).toEqual(layer >= 0 ? [1, true] : [0, false])
          expect([...objects[pixel]!]).toEqual(layer >= 0 ? [[layer + 1, 1]] : [])
          expect([...materials[pixel]!]).toEqual(layer >= 0 ? [[layer + 11, 1]] : [])
          if (layer >= 0) naive[pixel]!.set(layer + 1, (naive[pixel]!.get(layer + 1) ?? 0) + 1)
        }
      }
      const counted = countsOf(all.cryptoObject)
      for (const [pixel, counts] of naive.entries()) {
        expect([...counted[pixel]!]).toEqual([...counts].sort(([a], [b]) => a - b))
        expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(all.alpha[pixel])
      }
      // Edges that are not on those of pixels: some have several things in them.
      expect(naive.some(counts => counts.size >= 2)).toBe(true)
    })

    it('is the same of any ranges of samples, added in any order, with more ids than a pixel has room for', () => {
      // Twenty-four needles side by side in the two columns in the middle.
      const needles = Array.from({ length: 24 }, (_, i): Layer => ({ z: 0, material: {}, half: (25 - i) / 100 }))
      const scene = stacked({ layers: layersOf(...needles.map((layer, i) => ({ ...layer, z: i / 1000 }))) })
      const view = viewFor({ ...quality, samples: 64 }, SIDE)
      const tracer = open(scene)
      const { cryptoObject: whole } = traced(tracer, view)
      expect(Math.max(...countsOf(whole).map(({ size }) => size))).toBeGreaterThan(4)
      fc.assert(
        fc.property(
          fc.uniqueArray(fc.integer({ min: 1, max: 63 }), { maxLength: 4 }),
          fc.infiniteStream(fc.nat()),
          (cuts, keys) => {
            const edges = [0, ...cuts.sort((a, b) => a - b), 64]
            const ranges = edges.slice(1).map((to, i) => ({ from: edges[i]!, to, key: keys.next().value }))
            const sum = new Uint32Array(whole.length)
            for (const range of ranges.sort((a, b) => a.key - b.key))
              addTables(sum, traced(tracer, view, range).cryptoObject)
            expect(sum).toEqual(whole)
          },
        ),
        { numRuns: 5 },
      )
    })
  })

  it('of a blend is the share of samples that do not pass it', () => {
    const layers = layersOf({ z: -1, material: {} }, { z: 0, material: { alpha: 'blend', opacity: 0.25 } })
    const view = viewFor({ ...PATH, samples: 64 }, SIDE)
    const { cryptoObject, alpha } = traced(open(stacked({ layers })), view)
    let blended = 0
    for (const [pixel, counts] of countsOf(cryptoObject).entries()) {
      expect((counts.get(1) ?? 0) + (counts.get(2) ?? 0)).toBe(alpha[pixel])
      blended += counts.get(2) ?? 0
    }
    // Standard error: 0.007.
    expect(Math.abs(blended / (64 * PIXELS) - 0.25)).toBeLessThan(0.035)
  })
})

it('has room for sixteen ids: of more, the smallest are exact', () => {
  // A pixel that looks at twenty-five strips: squares that end one after the other.
  const layers = layersOf(
    ...Array.from({ length: 25 }, (_, i): Layer => ({ z: i / 1000, material: {}, half: (25 - i) / 25 })),
  )
  const scene = stacked({ layers })
  // Objects by descending numbers from the camera on, so that the largest are met first.
  const view = { ...viewFor({ ...PATH, samples: 256 }, 1) }
  const tracer = openHere(engineByName('wasm'), bakedScene(packScene(scene)))
  const out = () => ({ light: new Float64Array(3), cryptoObject: new Uint32Array(TABLE_ENTRIES) })
  const whole = out()
  tracer.trace(view, { rect: frameRect([1, 1]) }, allSamples(view), whole)
  const naive = new Map<number, number>()
  for (let from = 0; from < 256; from++) {
    const one = out()
    tracer.trace(view, { rect: frameRect([1, 1]) }, { from, to: from + 1 }, one)
    for (const id of countsOf(one.cryptoObject)[0]!.keys()) naive.set(id, (naive.get(id) ?? 0) + 1)
  }
  expect(naive.size).toBeGreaterThan(TABLE_ENTRIES)
  const smallest = [...naive].sort(([a], [b]) => a - b).slice(0, TABLE_ENTRIES)
  expect([...countsOf(whole.cryptoObject)[0]!]).toEqual(smallest)
})
