import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesPerPixel,
  CHANNELS,
  type ChannelName,
  channelNames,
  hasTables,
  newPlane,
} from '../../shared/frame/channels.ts'
import { addTables } from '../../shared/frame/coverage-table.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import { frameRect, type Size } from '../../shared/frame/rect.ts'
import { allSamples, type SampleRange, type View } from '../../shared/frame/view.ts'
import { joinSums } from '../../shared/light/accumulate.ts'
import { TONE_MAPPINGS } from '../../shared/light/tone-mapping.ts'
import type { PixelBuffers, Tracer } from '../../worker/engine/engine.ts'
import { engineByName } from '../../worker/node/engines.ts'
import { times } from '../support/nightly.ts'
import { partitionOf } from '../support/partition.ts'
import { pixelSetOf } from '../support/pixel-sets.ts'
import { openHere, usableEngines } from '../worker/support/engines.ts'
import { GREY, mixedScene, quad, sceneOf, viewOf } from '../worker/support/meshes.ts'

/** Those that only the path tracer has. */
const FEATURES: readonly ChannelName[] = ['features', 'halfFeatures']
const BESIDE = channelNames.filter(name => name !== 'rgb' && name !== 'light')
type Planes = Record<Exclude<ChannelName, 'rgb'>, Float64Array>

/** All channels but finished colour, of some samples of a set. */
function channelsOf(tracer: Tracer, view: View, set: PixelSet, samples: SampleRange = allSamples(view)): Planes {
  const planes = Object.fromEntries(
    channelNames
      .filter(name => name !== 'rgb' && (view.quality.bounces !== undefined || !FEATURES.includes(name)))
      .map(name => [name, newPlane(name, pixelCount(set)).fill(77)]),
  ) as unknown as Planes
  const { light, halfLight, albedo, features, halfFeatures, cryptoObject, cryptoMaterial, alpha, ...centre } = planes
  const seen = { cryptoObject, cryptoMaterial, ...(features ? { features, halfFeatures } : {}) }
  tracer.trace(view, set, samples, { light, halfLight, albedo, alpha, ...seen, centre } as unknown as PixelBuffers)
  return planes
}

/** Puts the values of a set into planes of the frame; those of sums are added. */
function put(whole: Planes, [w]: Size, set: PixelSet, part: Planes, first: boolean): void {
  for (const name of Object.keys(whole) as (keyof Planes)[]) {
    const { components, of } = CHANNELS[name]
    let from = 0
    forEachRun(set, (x, y, length) => {
      const at = (y * w + x) * components
      const values = part[name].subarray(from, from + length * components)
      const plane = whole[name].subarray(at, at + length * components)
      if (of === 'centre' || first) plane.set(values)
      else if (CHANNELS[name].type === 'f64') joinSums(plane, values)
      else if (hasTables(name)) addTables(plane as unknown as Uint32Array, values as unknown as Uint32Array)
      else for (const i of plane.keys()) plane[i]! += values[i]!
      from += values.length
    })
  }
}

describe.each(usableEngines)('the channels of engine %s', name => {
  const size: Size = [29, 19]
  const mixed = openHere(engineByName(name), mixedScene())
  const quality = { samples: 5, ambientRays: 1, maxDepth: 3 }

  it('are what the geometry says for a plane', () => {
    // A square of side 4 at z = -3, seen along -z from z = 5, colour 0.5.
    const plane = sceneOf([{ mesh: quad([-2, -2, -3], [4, 0, 0], [0, 4, 0]), material: GREY }])
    const tracer = openHere(engineByName(name), plane)
    const axes = { right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] } as const
    const camera = { origin: [0, 0, 5], ...axes, tanHalfX: 0.5, tanHalfY: 0.5, near: 0.1, far: 100 } as const
    const view = { ...viewOf([40, 40], { quality }), camera }
    const { depth, position, normal, id, albedo, alpha } = channelsOf(tracer, view, { rect: frameRect([40, 40]) })
    for (let y = 0; y < 40; y++)
      for (let x = 0; x < 40; x++) {
        // Half the frame is 4 units at that distance.
        const [px, py] = [((2 * (x + 0.5)) / 40 - 1) * 4, (1 - (2 * (y + 0.5)) / 40) * 4]
        const hit = Math.abs(px) < 2 && Math.abs(py) < 2
        const at = y * 40 + x
        expect(depth[at]).toBe(hit ? 8 : Number.POSITIVE_INFINITY)
        expect([...normal.subarray(at * 3, at * 3 + 3)]).toEqual(hit ? [0, 0, 1] : [0, 0, 0])
        for (const [k, expected] of (hit ? [px, py, -3] : [0, 0, 0]).entries())
          expect(position[at * 3 + k]).toBeCloseTo(expected, 5)
        // Triangle 0 lies below the diagonal from the lower left, 1 above it; either may win on it.
        if (!hit || Math.abs(py - px) > 1e-6) expect(id[at]).toBe(hit ? (py < px ? 1 : 2) : 0)
        expect(alpha[at]).toBe(hit ? 5 : 0)
        for (let k = 0; k < 3; k++) expect(albedo[at * 3 + k]).toBeCloseTo(hit ? 0.5 : 0, 8)
      }
  })

  it('turn normals to the side that is seen', () => {
    const plane = sceneOf([{ mesh: quad([-2, -2, -3], [0, 4, 0], [4, 0, 0]), material: GREY }])
    const camera = { ...viewOf(size).camera, origin: [0, 0, 5], up: [0, 1, 0], back: [0, 0, 1] } as const
    const { normal } = channelsOf(
      openHere(engineByName(name), plane),
      { ...viewOf(size), camera },
      {
        rect: { x: 14, y: 9, w: 1, h: 1 },
      },
    )
    expect([...normal].map(Math.abs)).toEqual([0, 0, 1])
    expect(normal[2]).toBe(1)
  })

  it.each([
    ['opaque', {}],
    ['transparent', { transparent: true }],
    ['path traced', { quality: { ...quality, bounces: 4 } }],
    ['path traced for an adaptive frame', { quality: { ...quality, samples: 5, bounces: 2 }, adaptive: true }],
    ['path traced for a frame with motion blur', { quality: { ...quality, bounces: 2 }, moments: 2 }],
  ] as const)('are the same of any set of pixels and in any passes, %s', (_, change) => {
    const view = viewOf(size, { quality, ...change })
    const whole = channelsOf(mixed, view, { rect: frameRect(size) })
    expect(new Set(whole.id).size).toBeGreaterThan(20)
    expect(new Set(whole.alpha).size).toBeGreaterThan(2)
    const cuts = fc.subarray([1, 2, 3, 4]).map(inner => [0, ...inner, 5])
    fc.assert(
      fc.property(partitionOf(size, 6), cuts, (rects, cut) => {
        const joined = channelsOf(mixed, view, { rect: frameRect(size) })
        for (const plane of Object.values(joined)) plane.fill(0)
        for (const [i, to] of cut.slice(1).entries())
          for (const rect of rects)
            put(joined, size, { rect }, channelsOf(mixed, view, { rect }, { from: cut[i]!, to }), i === 0)
        expect(joined).toEqual(whole)
      }),
      { numRuns: times(6) },
    )
    fc.assert(
      fc.property(pixelSetOf(size), set => {
        const joined = structuredClone(whole)
        put(joined, size, set, channelsOf(mixed, view, set), true)
        expect(joined).toEqual(whole)
      }),
      { numRuns: times(6) },
    )
  })

  it('leave out the light of samples that hit nothing, if the view is transparent', () => {
    const opaque = viewOf(size, { quality })
    const [seen, cut] = [opaque, { ...opaque, transparent: true } as const].map(view =>
      channelsOf(mixed, view, { rect: frameRect(size) }),
    ) as [Planes, Planes]
    expect(cut.alpha).toEqual(seen.alpha)
    for (const [i, hits] of seen.alpha.entries())
      for (let k = i * 3; k < i * 3 + 3; k++) {
        if (hits === 5) expect(cut.light[k]).toBe(seen.light[k])
        else if (hits === 0) expect(cut.light[k]).toBe(0)
        else expect(cut.light[k]).toBeLessThan(seen.light[k]!)
      }
  })

  it('are missing where they were not requested, and finish colour with any tone mapping', () => {
    const set = { rect: { x: 3, y: 2, w: 11, h: 9 } }
    const pictures = TONE_MAPPINGS.map(toneMapping => {
      const rgb = new Uint8Array(99 * 3)
      mixed.trace(viewOf(size, { quality, toneMapping }), set, { from: 0, to: 5 }, { rgb })
      return Buffer.from(rgb).toString('hex')
    })
    expect(new Set(pictures).size).toBe(TONE_MAPPINGS.length)
  })

  it('refuse a buffer of the wrong size', () => {
    const view = viewOf([4, 4])
    const ask = (out: PixelBuffers) => () =>
      mixed.trace(view, { rect: frameRect([4, 4]) }, allSamples(view), { rgb: new Uint8Array(48), ...out })
    expect(ask({ albedo: new Float64Array(47) })).toThrow('expected 48 values of albedo, got 47')
    expect(ask({ centre: { id: new Uint32Array(17) } })).toThrow('expected 16 values of id, got 17')
    expect(ask({ features: new Uint32Array(16 * 7) })).toThrow('expected a view of the path tracer for features')
  })
})

describe('the engines', () => {
  it.each([
    {},
    { transparent: true },
    { toneMapping: 'agx', transparent: true },
    { toneMapping: 'agx' },
    { whiteBalance: { temperature: 3200, tint: 0 } },
  ] as const)('make the same bytes of every channel, %j', change => {
    const size: Size = [61, 37]
    const scene = mixedScene()
    const [reference, wasm] = (['reference', 'wasm'] as const).map(name => openHere(engineByName(name), scene))
    for (const [samples, bounces] of [[1], [4], [7], [5, 6]] as const) {
      const paths = bounces === undefined ? {} : { bounces }
      const view = viewOf(size, { quality: { samples, ambientRays: 1, maxDepth: 4, ...paths }, ...change })
      const set = { rect: frameRect(size) }
      const [expected, got] = [reference!, wasm!].map(tracer => {
        const rgb = new Uint8Array(pixelCount(set) * 3)
        tracer.trace(view, set, allSamples(view), { rgb })
        return { ...channelsOf(tracer, view, set), rgb }
      })
      for (const name of channelNames) expect([name, got![name]]).toEqual([name, expected![name]])
    }
  })
})

it('lists channels from the widest value to the narrowest, so that all are aligned', () => {
  const widths = channelNames.map(name => bytesPerPixel(name) / CHANNELS[name].components)
  expect(widths).toEqual([...widths].sort((a, b) => b - a))
  expect(BESIDE.length).toBeGreaterThan(4)
})
