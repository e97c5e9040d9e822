/** Frames with only so much time, on a clock that is advanced by hand. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Frame } from '../../../master/frames/frame.ts'
import type { Planning } from '../../../master/frames/frame-order.ts'
import { samplesInTime } from '../../../master/frames/time-cap.ts'
import { leaseNumbers } from '../../../master/scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS } from '../../../master/scheduling/limits.ts'
import { CellMask, NOISE_CELL } from '../../../shared/frame/cell-mask.ts'
import { FIRST_SAMPLES, MAX_SAMPLES } from '../../../shared/frame/frame-limits.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import type { SampleRange } from '../../../shared/frame/view.ts'
import { areaId } from '../../../shared/ids.ts'
import { frameInput } from '../../support/frame-input.ts'
import { times } from '../../support/nightly.ts'
import { smallCamera } from '../../support/small-scene.ts'

const SIZE: Size = [32, 16]
const AREA = { id: areaId('a'), speed: 1 }
const PLANNING: Planning = {
  cell: 0,
  cellFor: () => 0,
  planContext: () => frameInput({ size: SIZE, workers: [AREA] }),
  nextContext: before => before,
  wantsCoverage: () => false,
  wantsProbe: () => false,
  probed: () => {
    throw new RangeError('there is no probe')
  },
  plan: () => ({ tiles: [{ rect: frameRect(SIZE), worker: AREA.id }] }),
  intake: () => ({ take: () => {}, done: () => () => ({}) }),
}

interface Way {
  readonly timeMs: number
  readonly samples?: number
  /** Of a pass, besides what its samples take. */
  readonly overheadMs: number
  /** Of a sample of all pixels. */
  readonly sampleMs: number
  /** Of an adaptive frame: whether a cell needs more samples after so many. */
  readonly needs?: (column: number, samples: number) => boolean
}

const BEGAN_AT = 1000

/** Makes a frame whose passes take as long as that. */
function make({ timeMs, samples = MAX_SAMPLES, overheadMs, sampleMs, needs }: Way) {
  const order = {
    frame: 3,
    camera: smallCamera(3),
    size: SIZE,
    areas: [AREA],
    samples,
    passes: 1,
    adaptive: needs !== undefined,
    timeMs,
    limits: DEFAULT_LIMITS,
    numbers: leaseNumbers(),
    beganAt: BEGAN_AT,
  }
  const frame = new Frame(order, PLANNING)
  const ranges: SampleRange[] = []
  const judgedAt: number[] = []
  let now = BEGAN_AT
  while (frame.need !== 'nothing') {
    switch (frame.need) {
      case 'statistics':
        frame.learn()
        break
      case 'decision':
        frame.decide()
        break
      case 'dispatch': {
        const { samples } = frame.pass
        ranges.push(samples)
        const out = frame.begin(now).filter(action => action.type === 'trace')
        for (const each of out) frame.sent(each, now)
        const pixels = (frame.open?.pixels ?? SIZE[0] * SIZE[1]) / (SIZE[0] * SIZE[1])
        const ms = overheadMs + (samples.to - samples.from) * sampleMs * pixels
        const { least, most } = frame.progress(now + ms / 2)!
        expect(least).toBeGreaterThanOrEqual(Math.min(1, (now + ms / 2 - BEGAN_AT) / timeMs))
        expect(most).toBeGreaterThanOrEqual(least)
        expect(most).toBeLessThanOrEqual(1)
        now += ms
        for (const { lease, tile, area } of out) {
          const { y, h } = tile.rect
          const done = { type: 'tile-done', area, lease, from: y, to: y + h, more: false } as const
          const times = { waitMs: 0, wallMs: ms, cpuMs: ms, encodeMs: 0 }
          for (const action of frame.happened(done, now)) {
            if (action.type === 'accept') frame.placed(action, { tile, times, arrivedAt: now }, now)
            if (action.type === 'frame-complete') frame.passComplete()
          }
        }
        break
      }
      case 'cells': {
        const { to } = ranges.at(-1)!
        judgedAt.push(to)
        frame.narrow(new CellMask(SIZE, NOISE_CELL, column => needs!(column, to)), now)
        break
      }
      case 'assembly':
        frame.assembled(now)
        break
      default:
        throw new RangeError(`a frame that needs ${frame.need}`)
    }
  }
  return { ranges, judgedAt, tookMs: now - BEGAN_AT, endedBy: frame.facts.endedBy }
}

/** Passes follow each other, and none but the last of a frame's time is shorter than what was before it. */
function expectPasses(ranges: readonly SampleRange[]): void {
  expect(ranges[0]).toEqual({ from: 0, to: 1 })
  for (const [i, { from, to }] of ranges.entries()) {
    expect(from).toBe(ranges[i - 1]?.to ?? 0)
    expect(to - from).toBeGreaterThan(0)
    expect(to - from).toBeLessThanOrEqual(Math.max(1, from))
  }
}

describe('a frame with only so much time', () => {
  const anyWay = fc.record({
    timeMs: fc.integer({ min: 200, max: 3_600_000 }),
    ofOverhead: fc.double({ min: 0, max: 0.01, noNaN: true }),
    ofSample: fc.double({ min: 0.001, max: 0.02, noNaN: true }),
  })

  it('ends within five percent of it, where passes take as long as the one before says', () => {
    fc.assert(
      fc.property(anyWay, ({ timeMs, ofOverhead, ofSample }) => {
        const way = { timeMs, overheadMs: timeMs * ofOverhead, sampleMs: timeMs * ofSample }
        const { ranges, tookMs, endedBy } = make(way)
        expectPasses(ranges)
        expect(endedBy).toBe('time')
        // In a short pass after a long one, what a pass takes besides its samples weighs more.
        expect(tookMs).toBeLessThanOrEqual(1.05 * timeMs)
        expect(tookMs).toBeGreaterThanOrEqual(0.95 * timeMs)
      }),
      { numRuns: times(40) },
    )
  })

  it('ends within five percent, too, of which fewer and fewer cells need samples', () => {
    fc.assert(
      fc.property(anyWay, ({ timeMs, ofOverhead, ofSample }) => {
        const way = { timeMs, overheadMs: timeMs * ofOverhead, sampleMs: timeMs * ofSample }
        const { ranges, tookMs, endedBy, judgedAt } = make({
          ...way,
          needs: (column, samples) => column === 0 || samples < 40 * column,
        })
        expectPasses(ranges)
        expect(endedBy).toBe('time')
        // What a pass takes besides its samples is not less where cells are.
        expect(tookMs).toBeLessThanOrEqual(1.05 * timeMs)
        expect(tookMs).toBeGreaterThanOrEqual(0.95 * timeMs)
        // Of two halves that are long enough.
        for (const samples of judgedAt) expect(samples).toBeGreaterThanOrEqual(2 * FIRST_SAMPLES)
      }),
      { numRuns: times(40) },
    )
  })

  it('has a sample of every pixel, however late that is', () => {
    const { ranges, endedBy } = make({ timeMs: 10, overheadMs: 5, sampleMs: 700 })
    expect([ranges, endedBy]).toEqual([[{ from: 0, to: 1 }], 'time'])
  })

  it('ends when all samples are traced', () => {
    const { ranges, endedBy } = make({ timeMs: 1e6, samples: 21, overheadMs: 1, sampleMs: 1 })
    expect(ranges.map(({ to }) => to)).toEqual([1, 2, 4, 8, 16, 21])
    expect(endedBy).toBe('samples')
  })

  it('ends when its noise is met', () => {
    const { ranges, endedBy } = make({ timeMs: 1e6, overheadMs: 1, sampleMs: 1, needs: (_, samples) => samples < 100 })
    expect(ranges.at(-1)).toEqual({ from: 64, to: 128 })
    expect(endedBy).toBe('noise')
  })

  it('says so much of itself as time is over', () => {
    expect(make({ timeMs: 100, overheadMs: 0, sampleMs: 1 }).ranges.map(({ to }) => to)).toEqual([
      1, 2, 4, 8, 16, 32, 64, 100,
    ])
  })
})

describe('the samples of the next pass', () => {
  it('are as many as fit, and none where there is hardly time', () => {
    const last = { samples: 8, pixels: 100, ms: 80 }
    const inAll = 10_000
    expect(samplesInTime(last, { pixels: 100, most: 16 }, { left: 160, inAll: 1000 })).toBe(16)
    expect(samplesInTime(last, { pixels: 100, most: 16 }, { left: 159, inAll: 1000 })).toBe(15)
    // Half of the pixels take half of the time.
    expect(samplesInTime(last, { pixels: 50, most: 16 }, { left: 80, inAll: 1000 })).toBe(16)
    expect(samplesInTime(last, { pixels: 100, most: 16 }, { left: 199, inAll })).toBe(0)
    expect(samplesInTime(last, { pixels: 100, most: 16 }, { left: -1, inAll })).toBe(0)
    expect(samplesInTime({ ...last, ms: 0 }, { pixels: 100, most: 16 }, { left: 500, inAll })).toBe(16)
  })
})
