import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnknownNameError } from '../../shared/errors.ts'
import { frameRect, type Rect, type Size } from '../../shared/rect.ts'
import type { View } from '../../shared/view.ts'
import { engineByName, engineFingerprints, engineList, engineNames } from '../../worker/engine/index.ts'
import { partitionOf } from '../support/partition.ts'
import { buildHere, traceTile, usableEngines } from '../worker/support/engines.ts'
import { mixedScene, viewOf } from '../worker/support/meshes.ts'

const scene = mixedScene()

describe('the registry of engines', () => {
  it('finds each by its name, or says why it cannot be used here', () => {
    expect(engineList().map(({ name }) => name)).toEqual(engineNames)
    for (const { name, unavailable } of engineList()) {
      if (unavailable === undefined) expect(engineByName(name).name).toBe(name)
      else expect(() => engineByName(name)).toThrow(`engine '${name}' cannot be used here: ${unavailable}`)
    }
  })

  it('says what there is instead of an unknown one', () => {
    expect(() => engineByName('refrence')).toThrow(UnknownNameError)
    expect(() => engineByName('refrence')).toThrow("did you mean 'reference'")
  })
})

describe.each(usableEngines)('the engine %s', name => {
  const engine = engineByName(name)
  const built = buildHere(engine, scene, 2)
  const tracer = engine.open(built, 0)
  const trace = (view: View, rect: Rect) => traceTile(tracer, view, rect)

  it('makes the same frame of any partition, byte for byte', () => {
    const size: Size = [41, 29]
    const view = viewOf(size, { frame: 3 })
    const whole = trace(view, frameRect(size))
    expect(new Set(whole).size).toBeGreaterThan(50)
    fc.assert(
      fc.property(partitionOf(size, 12), rects => {
        const joined = new Uint8Array(whole.length)
        for (const rect of rects) {
          const pixels = trace(view, rect)
          for (let row = 0; row < rect.h; row++) {
            const at = ((rect.y + row) * size[0] + rect.x) * 3
            joined.set(pixels.subarray(row * rect.w * 3, (row + 1) * rect.w * 3), at)
          }
        }
        expect(Buffer.compare(joined, whole)).toBe(0)
      }),
      { numRuns: 15 },
    )
  })

  it('writes the rows that it was asked for and no other', () => {
    const view = viewOf([16, 8])
    const rect = frameRect([16, 8])
    const whole = trace(view, rect)
    const out = new Uint8Array(whole.length).fill(7)
    tracer.traceRows(view, rect, 3, 5, { rgb: out })
    expect(out.subarray(3 * 48, 5 * 48)).toEqual(whole.subarray(3 * 48, 5 * 48))
    expect([...out.subarray(0, 3 * 48), ...out.subarray(5 * 48)].every(byte => byte === 7)).toBe(true)
  })

  it('opens as often as there are threads, over the same scene', () => {
    const view = viewOf([16, 8])
    const other = engine.open(built, 1)
    expect(traceTile(other, view, frameRect([16, 8]))).toEqual(trace(view, frameRect([16, 8])))
  })

  it('tells steps and depth of the rows that it was asked for, and makes the same pixels', () => {
    const view = viewOf([40, 24])
    const rect: Rect = { x: 3, y: 0, w: 37, h: 24 }
    const pixels = rect.w * rect.h
    const rgb = new Uint8Array(pixels * 3)
    const steps = new Uint32Array(pixels).fill(7)
    const depth = new Float32Array(pixels).fill(-1)
    tracer.traceRows(view, rect, 0, 23, { rgb, steps, depth })
    const traced = pixels - rect.w
    expect(rgb.subarray(0, traced * 3)).toEqual(trace(view, rect).subarray(0, traced * 3))
    expect([...steps.subarray(traced), ...depth.subarray(traced)].every(value => value === 7 || value === -1)).toBe(
      true,
    )
    expect(Math.min(...steps.subarray(0, traced))).toBeGreaterThan(0)
    // Sky and things, these between the nearest ball and the horizon.
    const met = [...depth.subarray(0, traced)].filter(Number.isFinite)
    expect(met.length).toBeLessThan(traced)
    expect(met.length).toBeGreaterThan(traced / 3)
    expect(Math.min(...met)).toBeGreaterThan(2)
    expect(Math.max(...met)).toBeLessThan(20)
  })

  it('names its arithmetic', () => {
    expect(engine.fingerprint).toMatch(/^[\w-]{3,64}$/)
    expect(engineFingerprints(engineNames)[name]).toBe(engine.fingerprint)
  })

  it('gives frames noise of their own, and changes nothing else', () => {
    const [first, second] = [0, 1].map(frame => trace(viewOf([24, 16], { frame }), frameRect([24, 16])))
    expect(first).not.toEqual(second)
    const mean = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length
    expect(Math.abs(mean(first!) - mean(second!))).toBeLessThan(2)
  })

  it('comes nearer to the truth with more samples', () => {
    const size: Size = [24, 16]
    const at = (samples: number, ambientRays: number) =>
      trace(viewOf(size, { quality: { samples, ambientRays, maxDepth: 4 } }), frameRect(size))
    const truth = at(256, 4)
    const error = (pixels: Uint8Array) => pixels.reduce((sum, byte, i) => sum + (byte - truth[i]!) ** 2, 0)
    const [few, more, many] = [at(1, 1), at(8, 2), at(64, 4)].map(error)
    expect(more!).toBeLessThan(few! / 3)
    expect(many!).toBeLessThan(more! / 2)
  })

  it('refuses a buffer of the wrong size', () => {
    const rgb = new Uint8Array(48)
    for (const [wrong, words] of [
      [{ rgb: new Uint8Array(47) }, 'expected 48 bytes'],
      [{ rgb, steps: new Uint32Array(15) }, 'steps of 16 pixels'],
      [{ rgb, depth: new Float32Array(17) }, 'depths of 16 pixels'],
    ] as const)
      expect(() => tracer.traceRows(viewOf([4, 4]), frameRect([4, 4]), 0, 4, wrong)).toThrow(words)
  })
})
