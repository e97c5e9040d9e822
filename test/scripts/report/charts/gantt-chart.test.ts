import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { StrategyRun } from '../../../../scripts/report/charts/frame-timeline.ts'
import { type FrameTimeline, timelineOf } from '../../../../scripts/report/charts/frame-timeline.ts'
import { ganttChart, MAX_GANTT_WORKERS } from '../../../../scripts/report/charts/gantt-chart.ts'
import { crowd, field, fieldRuns, still, usual } from '../summaries.ts'
import { manyWorkers, strategyRun } from '../synthetic-run.ts'

const timelinesOf = (runs: readonly StrategyRun[]): FrameTimeline[] => runs.flatMap(run => timelineOf(run) ?? [])

const barsOf = (svg: string): number => [...svg.matchAll(/<rect [^>]*fill="#2b73a8"/g)].length

describe('the frame that is shown', () => {
  const run = strategyRun('pbt', 'by-cost', manyWorkers(3), 6)

  test('is the one of median time', () => {
    const times = run.reports.map(({ frameMs }) => frameMs).toSorted((a, b) => a - b)
    expect(timelineOf(run)?.frameMs).toBe(times[2])
  })

  test('begins at zero and stays within its time', () => {
    const { bars, frameMs, tiles } = timelineOf(run)!
    expect(tiles).toBe(3)
    expect(bars.filter(({ kind }) => kind === 'render')).toHaveLength(3)
    for (const { start, end } of bars) {
      expect(start).toBeGreaterThanOrEqual(0)
      expect(end).toBeGreaterThanOrEqual(start)
      expect(end).toBeLessThanOrEqual(frameMs + 1e-9)
    }
  })

  test('is one whose spans were kept, or none', () => {
    const bare = run.reports.map((report, i) => (i === 4 ? report : { ...report, spans: [] }))
    expect(timelineOf({ name: 'pbt', reports: bare })?.frame).toBe(4)
    expect(timelineOf({ name: 'pbt', reports: bare.slice(0, 4) })).toBeUndefined()
  })
})

describe.each([
  [
    'two strategies',
    usual,
    () => [strategyRun('static-blocks', 'equal', manyWorkers(8), 2), strategyRun('pbt', 'by-cost', manyWorkers(8), 2)],
  ],
  ['one worker', still, () => [strategyRun('pbt', 'alone', manyWorkers(1), 1)]],
  ['sixteen strategies', field, () => fieldRuns(2)],
  ['a thousand workers', crowd, () => [strategyRun('predictive', 'probed', manyWorkers(1000), 2)]],
] as const)('%s', (_, summary, runs) => {
  test('is drawn well-formed, on a page at most', async () => {
    const svg = ganttChart(summary(), timelinesOf(runs()))
    const { width, height } = await sharp(Buffer.from(svg)).metadata()
    expect(width).toBe(920)
    expect(height).toBeLessThan(1400)
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    for (const { name } of runs()) expect(svg).toContain(name)
  })
})

test('every tile is a bar while there is room for it', () => {
  const timelines = timelinesOf([strategyRun('random-tiles', 'pieces', manyWorkers(8), 3)])
  expect(barsOf(ganttChart(usual(), timelines))).toBeGreaterThanOrEqual(32)
})

test('bars too narrow to tell are drawn as one', () => {
  const [timeline] = timelinesOf([strategyRun('a', 'equal', manyWorkers(1), 1)])
  const slices = Array.from({ length: 20_000 }, (_, i) => ({
    worker: 'id-0',
    kind: 'render' as const,
    start: i * 0.01,
    end: (i + 1) * 0.01,
  }))
  expect(barsOf(ganttChart(usual(), [{ ...timeline!, frameMs: 200, bars: slices }]))).toBeLessThan(200)
})

test('of a thousand workers some are shown, the slowest among them', () => {
  const [timeline] = timelinesOf([strategyRun('static-blocks', 'equal', manyWorkers(1000), 1)])
  expect(barsOf(ganttChart(crowd(), [timeline!]))).toBeLessThanOrEqual(MAX_GANTT_WORKERS + 1)
  const last = Math.max(...timeline!.bars.filter(({ kind }) => kind === 'render').map(({ end }) => end))
  const short = { ...timeline!, bars: timeline!.bars.filter(bar => bar.end < last || bar.kind !== 'render') }
  expect(ganttChart(crowd(), [short])).not.toBe(ganttChart(crowd(), [timeline!]))
})
