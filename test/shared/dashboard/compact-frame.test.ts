import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../scripts/bench/view/made-report.ts'
import { frameSummary } from '../../../scripts/report/figures/frame-summary.ts'
import {
  AREA_BYTES,
  compactFrame,
  HEAD_BYTES,
  MOST_ROWS,
  WORST,
  wholeFrame,
} from '../../../shared/dashboard/compact-frame.ts'
import { NumberReader, NumberWriter } from '../../../shared/dashboard/varints.ts'
import { SPAN_KINDS } from '../../../shared/frame/span-kinds.ts'

const length = (value: unknown): number => JSON.stringify(value).length

describe('a compact frame', () => {
  it('has the figures of its report, and a ledger that adds up to the frame', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MOST_ROWS }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer(),
        (areas, tiles, seed) => {
          const report = madeReport({ areas, tiles, seed })
          const whole = wholeFrame(compactFrame(report, 3, 12))
          const { figures } = whole
          for (const name of ['frameMs', 'criticalMs', 'meanMs', 'epsilonCpu', 'bytes', 'stolen'] as const)
            expect(figures[name]).toBe(report[name])
          expect(whole.areas).toHaveLength(areas)
          for (const [number, { ledger, tileCount, cpuMs }] of whole.areas.entries()) {
            const row = report.ledger[number]!
            for (const kind of SPAN_KINDS) expect(ledger[kind]).toBeCloseTo(row[kind], 3)
            const own = report.tiles.filter(({ worker }) => worker === row.worker)
            expect(tileCount).toBe(own.length)
            expect(cpuMs).toBeCloseTo(
              own.reduce((sum, tile) => sum + tile.cpuMs, 0),
              0,
            )
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('has the figures that a summary and its table have', () => {
    const report = { ...madeReport({ areas: 5, tiles: 11, seed: 7 }), epsilonCpu: -1e-17, predictionError: 0.25 }
    const { figures, areas } = wholeFrame(compactFrame(report, 0, 0))
    const summary = frameSummary(report)
    expect(summary).toMatchObject({ ...figures })
    for (const kind of SPAN_KINDS) {
      const mean = (rows: readonly Readonly<Record<typeof kind, number>>[]) =>
        rows.reduce((sum, row) => sum + row[kind], 0) / 5
      // Both have rows that are rounded to tenths of a microsecond.
      expect(mean(areas.map(({ ledger }) => ledger))).toBeCloseTo(mean(summary.ledger), 9)
    }
  })

  it('takes few bytes, however many tiles there are', () => {
    for (const areas of [1, 2, 8, 32, 33, 200, 512, 513, 2000])
      for (const tiles of [0, 1, 16 * areas]) {
        const made = compactFrame(madeReport({ areas, tiles, seed: areas }), 0, 0)
        expect(length(made), `${areas} areas, ${tiles} tiles`).toBeLessThanOrEqual(HEAD_BYTES + areas * AREA_BYTES)
        if (areas >= 8) expect(length(made) / areas).toBeLessThanOrEqual(200)
      }
  })

  it('shows what each area did in order, without gaps, to the end of the frame', () => {
    const report = madeReport({ areas: 4, tiles: 9, seed: 5 })
    for (const { bars } of wholeFrame(compactFrame(report, 0, 0)).areas) {
      expect(bars[0]!.from).toBe(0)
      for (const [i, bar] of bars.entries()) if (i > 0) expect(bar.from).toBeCloseTo(bars[i - 1]!.to, 6)
      expect(bars.at(-1)!.to).toBeCloseTo(report.frameMs, 6)
    }
  })

  it('of very many areas has those that ended last', () => {
    const report = madeReport({ areas: 600, tiles: 1200, seed: 2 })
    const { areas, shape, quantiles } = wholeFrame(compactFrame(report, 0, 0))
    expect(shape).toBe('bands')
    expect(areas).toHaveLength(WORST)
    const ends = areas.map(({ endMs }) => endMs)
    expect(ends).toEqual(ends.toSorted((a, b) => b - a))
    expect(quantiles).toEqual(quantiles.toSorted((a, b) => a - b))
  })

  it('of a frame in which nothing happened is no exception', () => {
    const report = { ...madeReport({ areas: 1, tiles: 0, seed: 1 }), frameMs: 0, spans: [], ledger: [] }
    const { areas } = wholeFrame(compactFrame(report, 0, 0))
    expect(areas).toHaveLength(1)
    expect(areas[0]!.endMs).toBe(0)
  })

  it('is read without an exception whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
        const compact = compactFrame(madeReport({ areas: 2, tiles: 2, seed: 1 }), 0, 0)
        const areas = btoa(String.fromCharCode(...bytes.map(byte => byte % 64)))
        wholeFrame({ ...compact, areas })
      }),
    )
  })
})

describe('whole numbers', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })), numbers => {
        const writer = new NumberWriter()
        writer.put(...numbers)
        const reader = new NumberReader(writer.text)
        expect(numbers.map(() => reader.take())).toEqual(numbers)
        expect(reader.take()).toBe(0)
      }),
    )
  })
})
