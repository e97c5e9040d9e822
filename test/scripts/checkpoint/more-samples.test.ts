/** Which frames go on with another number of samples, and where. */
import { describe, expect, it } from 'vitest'
import { problemOfMore, type Taking, withMore } from '../../../scripts/checkpoint/more-samples.ts'
import { type FrameState, missingOf, sampleCount } from '../../../shared/frame/frame-state.ts'

const taking = (samples: number, more: Partial<Taking> = {}): Taking => ({
  quality: { samples, ambientRays: 0, maxDepth: 0, bounces: 4 },
  passes: 1,
  isAdaptive: false,
  isDenoised: false,
  isBlurred: false,
  ...more,
})
const complete = (samples: number, from = 0) => ({ samples, range: { from, to: samples }, phase: 'complete' as const })
const begun = (samples: number, from: number, to: number) => ({
  samples,
  range: { from, to },
  phase: 'tracing' as const,
})
const ADAPTIVE = { isAdaptive: true }

describe('a frame', () => {
  it.each([
    [complete(64), taking(256)],
    [complete(64), taking(100)],
    [complete(32), taking(33)],
    [complete(100), taking(256)],
    [begun(256, 20, 64), taking(64)],
    [begun(64, 20, 40), taking(1000)],
    [complete(64, 32), taking(1024, ADAPTIVE)],
    [begun(100, 32, 64), taking(256, ADAPTIVE)],
    // Of a frame that was clean before it had all.
    [{ ...complete(64, 32), samples: 100 }, taking(256, ADAPTIVE)],
    [complete(128), taking(200, { isDenoised: true })],
    // As many samples go on in any case.
    [complete(1), taking(1)],
    [begun(100, 64, 100), taking(100, { isBlurred: true })],
  ])('%j goes on as %j', (had, taking) => expect(problemOfMore(had, taking)).toBeUndefined())

  it.each<[Parameters<typeof problemOfMore>[0], Taking, RegExp]>([
    [complete(256), taking(64), /^256 or more, which it has$/],
    [begun(256, 20, 100), taking(64), /^at least the 100 that were begun$/],
    [complete(16), taking(64), /^16: fewer than 32 are laid out for their number$/],
    [begun(64, 0, 10), taking(31), /^at least 32: fewer are laid out for their number$/],
    [complete(64), taking(128, { isBlurred: true }), /^64: with \{shutter\}/],
    [complete(100, 64), taking(256, ADAPTIVE), /^100: with \{noise\} or denoising/],
    [begun(100, 64, 100), taking(128, ADAPTIVE), /^100: with \{noise\} or denoising/],
    [complete(100), taking(101, { isDenoised: true }), /^100: with \{noise\} or denoising/],
    [
      complete(2),
      taking(4, { quality: { samples: 4, ambientRays: 2, maxDepth: 6 } }),
      /^2: the ambient integrator lays them out for their number$/,
    ],
  ])('%j does not go on as %j', (had, taking, words) => expect(problemOfMore(had, taking)).toMatch(words))
})

describe('a complete frame', () => {
  const state: FrameState = {
    ...{ size: [12, 10], most: 1024, channels: ['light'], planes: [] },
    ...{ range: { from: 32, to: 64 }, phase: 'complete' },
    taken: new Uint32Array([64, 64, 64, 64]),
    open: new Uint8Array([1, 1, 1, 1]),
    next: new Uint8Array([0, 1, 0, 1]),
    arrived: new Uint32Array(4).fill(0xffffffff),
  }
  const { open: _, next: __, ...plain } = state

  it('begins the next of its passes, none of which has arrived', () => {
    const more = withMore(plain, 64, taking(256, { passes: 4 }))
    expect(more).toMatchObject({ range: { from: 64, to: 128 }, phase: 'tracing' })
    expect(sampleCount(more)).toBe(120 * 64)
    expect(missingOf(more).pixels).toBe(120)
    // In the middle of a pass.
    expect(withMore(plain, 64, taking(300, { passes: 3 })).range).toEqual({ from: 64, to: 100 })
    expect(withMore(plain, 64, taking(65)).range).toEqual({ from: 64, to: 65 })
  })

  it('that is adaptive begins the next range of those cells that are too noisy', () => {
    const more = withMore(state, 64, taking(1024, ADAPTIVE))
    expect(more).toMatchObject({ range: { from: 64, to: 128 }, phase: 'tracing' })
    expect([...more.open!]).toEqual([0, 1, 0, 1])
    expect(missingOf(more).pixels).toBe(4 * 10)
    expect(more).not.toHaveProperty('next')
    expect(sampleCount(more)).toBe(120 * 64)
  })

  it('stays complete if no cell is, or if it has all samples', () => {
    const clean = { ...state, next: new Uint8Array(4) }
    expect(withMore(clean, 64, taking(1024, ADAPTIVE))).toBe(clean)
    expect(withMore(plain, 64, taking(64))).toBe(plain)
  })
})
