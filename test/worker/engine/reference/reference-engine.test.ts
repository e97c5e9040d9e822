import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnknownNameError } from '../../../../shared/errors.ts'
import { frameRect, type Rect, type Size } from '../../../../shared/rect.ts'
import type { View } from '../../../../shared/view.ts'
import { engineByName, engineNames } from '../../../../worker/engine/index.ts'
import { partitionOf } from '../../../support/partition.ts'
import { mixedScene, viewOf } from '../../support/meshes.ts'

const scene = mixedScene()

describe('the registry of engines', () => {
  it('finds each by its name, and says what there is otherwise', () => {
    for (const name of engineNames) expect(engineByName(name).name).toBe(name)
    expect(() => engineByName('refrence')).toThrow(UnknownNameError)
    expect(() => engineByName('refrence')).toThrow("did you mean 'reference'")
  })
})

describe.each(engineNames)('the engine %s', name => {
  const engine = engineByName(name)
  const structure = engine.build(scene)
  const tracer = engine.open(scene, structure)
  const trace = (view: View, rect: Rect) => {
    const out = new Uint8Array(rect.w * rect.h * 3)
    tracer.traceRows(view, rect, 0, rect.h, out)
    return out
  }

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
    tracer.traceRows(view, rect, 3, 5, out)
    expect(out.subarray(3 * 48, 5 * 48)).toEqual(whole.subarray(3 * 48, 5 * 48))
    expect([...out.subarray(0, 3 * 48), ...out.subarray(5 * 48)].every(byte => byte === 7)).toBe(true)
  })

  it('opens as often as there are threads, over the same bytes', () => {
    const view = viewOf([16, 8])
    const out = new Uint8Array(16 * 8 * 3)
    engine.open(scene, structure).traceRows(view, frameRect([16, 8]), 0, 8, out)
    expect(out).toEqual(trace(view, frameRect([16, 8])))
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
    expect(() => tracer.traceRows(viewOf([4, 4]), frameRect([4, 4]), 0, 4, new Uint8Array(47))).toThrow(
      'expected 48 bytes',
    )
  })
})
