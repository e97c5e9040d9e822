import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../../scripts/bench/view/made-report.ts'
import { compactFrame, type WholeFrame, wholeFrame } from '../../../../shared/dashboard/compact-frame.ts'
import type { Drawn } from '../../../../shared/dashboard/drawing/drawn.ts'
import { ganttChart, ticks, timeAt } from '../../../../shared/dashboard/drawing/gantt.ts'
import { PHASE_COLORS } from '../../../../shared/dashboard/phase-colors.ts'

const look = { nameOf: (area: number) => `w${area}`, colorOf: () => '#123456' }
const made = (areas: number, tiles: number, seed = 1): WholeFrame =>
  wholeFrame(compactFrame(madeReport({ areas, tiles, seed }), 0, 0))

const all = (drawn: Drawn): Drawn[] => [
  drawn,
  ...drawn.children.flatMap(child => (typeof child === 'string' ? [] : all(child))),
]
const classed = (drawn: Drawn, name: string) => all(drawn).filter(({ attributes }) => attributes.class === name)
const one = (drawn: Drawn, name: string) => classed(drawn, name)[0]!.attributes as Record<string, number>
/** Left and right edges of the bars of a path. */
const edges = ({ attributes: { d } }: Drawn): [number, number][] =>
  [...`${d}`.matchAll(/M([\d.]+) [\d.]+h([\d.]+)/g)].map(([, x, w]) => [Number(x), Number(x) + Number(w)])

describe('the chart of a frame', () => {
  it('has a row for each area, with a bar for each phase, where and as long as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 32 }), fc.integer({ min: 1, max: 60 }), fc.nat(), (areas, tiles, seed) => {
        const frame = made(areas, tiles, seed)
        const width = 900
        const chart = ganttChart(frame, { width }, look)
        const rows = classed(chart, 'row')
        expect(rows.map(row => row.attributes['data-area'])).toEqual(frame.areas.map(({ area }) => area))
        for (const [i, row] of rows.entries()) {
          for (const kind of ['render', 'transmit'] as const) {
            const bars = frame.areas[i]!.bars.filter(bar => bar.kind === kind)
            const paths = all(row).filter(
              ({ name, attributes }) => name === 'path' && attributes.fill === PHASE_COLORS[kind],
            )
            const drawn = paths.flatMap(edges)
            expect(drawn).toHaveLength(bars.length)
            for (const [j, [left, right]] of drawn.entries()) {
              // A tenth of a pixel, and a bar that would not be seen is wider.
              const pxMs = frame.figures.frameMs / 700
              expect(Math.abs(timeAt(frame, { width }, left) - bars[j]!.from)).toBeLessThan(pxMs)
              expect(Math.abs(timeAt(frame, { width }, right) - bars[j]!.to)).toBeLessThan(pxMs)
            }
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('has a line at the perfect share, and from there to the last bar the gap that is ε', () => {
    const frame = made(4, 9)
    const chart = ganttChart(frame, { width: 900 }, look)
    const line = one(chart, 'perfect').x1!
    const { x, width } = one(chart, 'gap')
    expect(timeAt(frame, { width: 900 }, line)).toBeCloseTo(frame.idealMs, 0)
    expect(x).toBe(line)
    const last = Math.max(...frame.areas.map(({ endMs }) => endMs))
    expect(timeAt(frame, { width: 900 }, x! + width!)).toBeCloseTo(last, 0)
    expect(classed(chart, 'epsilon')[0]!.children[0]).toMatch(/^ε [\d.]+ m?s \([\d.]+ %\)$/)
  })

  it('leaves room behind the names of tabs, which are whole, and cuts longer ones before the bars', () => {
    const named = (name: string, width: number) => {
      const chart = ganttChart(made(2, 4), { width }, { ...look, nameOf: () => name })
      const { children, attributes } = classed(chart, 'name')[0]!
      return { text: `${children[0]}`, free: one(chart, 'idle').x! - Number(attributes.x) }
    }
    for (const width of [380, 900]) {
      const { text, free } = named('tab-d8b8b2', width)
      expect(text).toBe('tab-d8b8b2')
      // Digits and small letters of 12 px have 7 px on average.
      expect(free).toBeGreaterThan(10 * 7)
      expect([...named('x'.repeat(40), width).text].length * 7).toBeLessThan(free)
    }
  })

  it('says what was predicted of CPU time only where it is that', () => {
    const report = madeReport({ areas: 2, tiles: 2, seed: 1 })
    const said = (clock: object) => {
      const workers = report.workers.map((each, i) => (i === 1 ? { ...each, ...clock } : each))
      const frame = wholeFrame(compactFrame({ ...report, workers }, 0, 0))
      return classed(ganttChart(frame, { width: 900 }, look), 'row')[0]!.attributes['aria-label']
    }
    expect(said({})).toMatch(/predicted .* of CPU time, taken/)
    expect(said({ clock: 'wall' })).toMatch(/predicted [\d.]+ ms, taken/)
  })

  it('ends where it is told to, so that frames beside each other have one scale', () => {
    const frame = made(2, 4)
    const size = { width: 900, endMs: 2 * frame.figures.frameMs }
    const { x, width } = one(ganttChart(frame, size, look), 'idle')
    expect(timeAt(frame, size, x! + width!)).toBeCloseTo(frame.figures.frameMs, 0)
    expect(timeAt(frame, size, 890)).toBeCloseTo(2 * frame.figures.frameMs, 0)
  })

  it('of more areas has a strip for each, the more opaque the busier, and can be pointed at', () => {
    const frame = made(40, 80)
    const chart = ganttChart(frame, { width: 400 }, look)
    expect(classed(chart, 'hit')).toHaveLength(40)
    const shades = all(chart).filter(({ attributes }) => attributes.fill === PHASE_COLORS.render)
    const shade = (at: number) => Number(shades[at]!.attributes['fill-opacity'])
    for (let i = 1; i < shades.length; i++) expect(shade(i)).toBeGreaterThan(shade(i - 1))
    const busy = shades.reduce(
      (sum, path, i) => sum + shade(i) * edges(path).reduce((px, [left, right]) => px + right - left, 0),
      0,
    )
    const truth = frame.areas.reduce((sum, { strip }) => sum + strip.reduce((a, b) => a + b, 0) / strip.length, 0)
    const { width } = one(chart, 'idle')
    expect(busy / width!).toBeCloseTo(truth, 0)
    expect(classed(chart, 'perfect')).toHaveLength(1)
  })

  it('of very many says how they are spread, and names those that ended last', () => {
    const chart = ganttChart(made(600, 1200), { width: 900 }, look)
    expect(classed(chart, 'name')).toHaveLength(8)
    const [outer, inner, median] = ['outer', 'inner', 'median'].map(kind => one(chart, `spread-${kind}`))
    expect(outer!.x).toBeLessThanOrEqual(inner!.x!)
    expect(inner!.x).toBeLessThanOrEqual(median!.x!)
  })

  it('is drawn of any frame: of nobody, of no time, on no room, with any name', () => {
    const empty = { ...madeReport({ areas: 1, tiles: 0, seed: 1 }), frameMs: 0, spans: [], ledger: [] }
    const nobody = { ...empty, workers: [], tiles: [] }
    for (const frame of [empty, nobody].map(report => wholeFrame(compactFrame(report, 0, 0))))
      for (const width of [0, 120, 2000]) {
        const chart = ganttChart(frame, { width }, { ...look, nameOf: () => '</text>🛶'.repeat(40) })
        expect(JSON.stringify(chart)).not.toMatch(/NaN|Infinity|null/)
        for (const { children } of classed(chart, 'name')) expect(`${children[0]}`).toMatch(/^(<\/text>🛶)*.*…$/u)
      }
  })

  it('has at most so many ticks, which are round', () => {
    for (const end of [0.03, 1, 9.9, 10, 77, 1234, 5e6]) {
      const found = ticks(end, 6)
      expect(found.length).toBeLessThanOrEqual(7)
      expect(found.length).toBeGreaterThan(2)
      expect(Number((found[1]! / 10 ** Math.floor(Math.log10(found[1]! * 1.0001))).toFixed(6))).toBeOneOf([1, 2, 5])
    }
    expect(ticks(0, 6)).toEqual([0])
  })
})
