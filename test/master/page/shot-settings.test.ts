/** What frames of a view are made of: coarse ones, and stills in as many passes as pay. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasFirst, MOST_PASSES, settingsOf } from '../../../master/page/shot-settings.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { frameRequestSchema } from '../../../shared/protocol/session-order.ts'

const size: Size = [1280, 720]
const ambient = { samples: 2, ambientRays: 2, maxDepth: 6 } as const
const path = { samples: 64, ambientRays: 0, maxDepth: 0, bounces: 8 } as const
const still = { stage: 'full', size, isDeep: false } as const
const passesOf = (samples: number, rayMs?: number): number =>
  settingsOf({ quality: { ...ambient, samples } }, still, rayMs).passes

describe('a coarse frame', () => {
  it('has sun and shadow alone, or mirrors and glass where there is time', () => {
    for (const stage of ['moving', 'first'] as const) {
      const of = (isDeep: boolean) => settingsOf({ quality: ambient }, { stage, size, isDeep }).quality
      expect(of(false)).toEqual({ samples: 1, ambientRays: 0, maxDepth: 0 })
      expect(of(true)).toEqual({ samples: 1, ambientRays: 0, maxDepth: 2 })
    }
  })

  it('has short paths of one sample, and no noise that would have to be met', () => {
    const of = (isDeep: boolean) =>
      settingsOf({ quality: path, noise: 0.01, denoise: true }, { stage: 'moving', size, isDeep })
    expect(of(false)).toEqual({ size, quality: { ...path, samples: 1, bounces: 1 }, passes: 1, progressive: false })
    expect(of(true).quality.bounces).toBe(2)
    const direct = { ...path, bounces: 0 }
    expect(settingsOf({ quality: direct }, { stage: 'moving', size, isDeep: true }).quality.bounces).toBe(0)
  })
})

describe('a still', () => {
  it('has the quality of its session, in passes that take about a second', () => {
    const rays = 1280 * 720 * 8
    expect(passesOf(2, 700 / rays)).toBe(1)
    expect(passesOf(2, 2000 / rays)).toBe(2)
    expect(passesOf(16, 100 / rays)).toBe(1)
    expect(passesOf(16, 500 / rays)).toBe(4)
    expect(passesOf(64, 1e6 / rays)).toBe(MOST_PASSES)
  })

  it('has as many passes as it can if nothing is known of its time', () => {
    expect(passesOf(1)).toBe(1)
    expect(passesOf(8)).toBe(8)
    expect(passesOf(500)).toBe(MOST_PASSES)
  })

  it('has one pass if noise decides, which is shown as it goes', () => {
    expect(settingsOf({ quality: path, noise: 0.02, denoise: true }, still, 1)).toEqual({
      size,
      quality: path,
      passes: 1,
      noise: 0.02,
      denoise: true,
      progressive: true,
    })
  })

  it('is an order that a master takes, whatever it takes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4096 }),
        fc.option(fc.double({ min: 0, noNaN: true }), { nil: undefined }),
        (samples, rayMs) => {
          const settings = settingsOf({ quality: { ...path, samples } }, still, rayMs)
          expect(frameRequestSchema.shape.settings.safeParse(settings).error).toBeUndefined()
          expect(settings.passes).toBeLessThanOrEqual(samples)
        },
      ),
    )
  })

  it('is coarse at first unless that has half its rays or more', () => {
    expect(hasFirst(ambient)).toBe(true)
    expect(hasFirst(path)).toBe(true)
    expect(hasFirst({ ...ambient, samples: 1 })).toBe(false)
    expect(hasFirst({ samples: 1, ambientRays: 0, maxDepth: 6 })).toBe(false)
  })
})
