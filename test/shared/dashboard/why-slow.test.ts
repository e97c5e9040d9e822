import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../scripts/bench/view/made-report.ts'
import { compactFrame, type WholeFrame, wholeFrame } from '../../../shared/dashboard/compact-frame.ts'
import { whySlow } from '../../../shared/dashboard/why-slow.ts'
import { SPAN_KINDS } from '../../../shared/frame/span-kinds.ts'

const name = (area: number) => `w${area}`

/** Two areas that trace; the second ends last. */
function frameOf(change: Partial<WholeFrame> = {}, last: Partial<WholeFrame['areas'][number]> = {}): WholeFrame {
  const frame = wholeFrame(compactFrame(madeReport({ areas: 2, tiles: 2, seed: 1, frame: 214 }), 0, 0))
  const zero = Object.fromEntries(SPAN_KINDS.map(kind => [kind, 0])) as WholeFrame['meanLedger']
  const area = { tileCount: 1, cpuMs: 479, expectedMs: 410, bars: [], tiles: [], strip: [] }
  return {
    ...frame,
    figures: { ...frame.figures, frameMs: 482 },
    shareMs: 410,
    steals: [],
    areas: [
      {
        ...area,
        area: 0,
        cpuMs: 341,
        expectedMs: 410,
        endMs: 344,
        ledger: { ...zero, decide: 3, render: 341, idle: 138 },
      },
      { ...area, area: 1, endMs: 482, ledger: { ...zero, decide: 3, render: 479 }, ...last },
    ],
    ...change,
  }
}

describe('why a frame was slow', () => {
  it('names the area that ended last, what was predicted of it, and what was taken from it too late', () => {
    const rect = { x: 0, y: 0, w: 8, h: 31 }
    const frame = frameOf({ steals: [{ at: 362, from: 1, to: 0, rect }] })
    const [thief] = frame.areas
    const bars = [{ kind: 'render', from: 3, to: 344 }] as const
    const { text, area, overMs } = whySlow({ ...frame, areas: [{ ...thief!, bars }, frame.areas[1]!] }, name)
    expect(text).toBe(
      'frame 214: 72 ms over the perfect share. w1 ended last: 410 ms were predicted, 479 ms taken; 31 rows were taken from it, 18 ms too late.',
    )
    expect(area).toBe(1)
    expect(overMs).toBeCloseTo(72, 6)
  })

  it('says what it was if it was not the tracing', () => {
    const zero = Object.fromEntries(SPAN_KINDS.map(kind => [kind, 0])) as WholeFrame['meanLedger']
    const said = (ledger: Partial<WholeFrame['meanLedger']>) =>
      whySlow(frameOf({}, { ledger: { ...zero, ...ledger }, cpuMs: 410 }), name).text
    expect(said({ render: 410, idle: 72 })).toMatch(/w1 ended last: it waited for 72 ms/)
    expect(said({ render: 410, transmit: 70, dispatch: 2 })).toMatch(/on their way for 72 ms/)
    expect(said({ render: 410, stats: 65, decide: 7 })).toMatch(
      /last: the master took 65 ms to estimate costs, from the frames before\.$/,
    )
    expect(said({ render: 410, stats: 20, decide: 52 })).toMatch(
      /last: the master took 52 ms to decide who traces what\. The master took 20 ms to estimate costs/,
    )
    expect(said({ render: 410, stitch: 72 })).toMatch(/in place took 72 ms/)
  })

  it('says nothing that the ledger does not explain', () => {
    const zero = Object.fromEntries(SPAN_KINDS.map(kind => [kind, 0])) as WholeFrame['meanLedger']
    const { text } = whySlow(frameOf({}, { ledger: { ...zero, render: 400 } }), name)
    expect(text).toBe('frame 214: 482 ms. The times of w1 leave 82 ms of it unexplained.')
  })

  it('finds nothing to explain in a perfect frame, and in one without tiles', () => {
    const zero = Object.fromEntries(SPAN_KINDS.map(kind => [kind, 0])) as WholeFrame['meanLedger']
    expect(whySlow(frameOf({ shareMs: 482 }, { ledger: { ...zero, render: 482 } }), name).text).toBe(
      'frame 214: 482 ms, as good as the perfect share.',
    )
    const nothing = wholeFrame(compactFrame(madeReport({ areas: 2, tiles: 0, seed: 1 }), 0, 0))
    expect(whySlow(nothing, name).text).toMatch(/^frame 0: /)
    expect(whySlow({ ...nothing, areas: [] }, name)).toMatchObject({ area: undefined })
  })

  it('has parts that add up to what the frame is over its share, within one per cent', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer(),
        (areas, tiles, seed) => {
          const frame = wholeFrame(compactFrame(madeReport({ areas, tiles, seed }), 0, 0))
          const { parts, overMs, text } = whySlow(frame, name)
          const sum = SPAN_KINDS.reduce((total, kind) => total + parts[kind], 0)
          const { frameMs } = frame.figures
          expect(sum).toBeCloseTo(overMs, 6)
          expect(Math.abs(sum + frame.shareMs - frameMs)).toBeLessThanOrEqual(0.01 * frameMs)
          expect(text).toMatch(/^frame \d+: .+\.$/)
          expect(text).not.toMatch(/NaN|Infinity|undefined|-\d/)
        },
      ),
      { numRuns: 80 },
    )
  })
})
