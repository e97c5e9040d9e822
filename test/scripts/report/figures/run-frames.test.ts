import { describe, expect, test } from 'vitest'
import { FramesToShow, medianFrame } from '../../../../scripts/report/figures/run-frames.ts'
import { wholeFrame } from '../../../../shared/dashboard/compact-frame.ts'
import type { FrameReport } from '../../../../shared/frame/frame-report.ts'
import { manyWorkers, strategyRun } from '../synthetic-run.ts'

const { reports } = strategyRun('pbt', 'by-cost', manyWorkers(3), 40)

const runOf = (added: readonly FrameReport[], mostBytes = Number.POSITIVE_INFINITY) => {
  const frames = new FramesToShow('pbt', mostBytes)
  for (const report of added) frames.add(report)
  return frames.run
}
const bytesOf = (run: ReturnType<typeof runOf>) =>
  [...run!.frames, ...run!.rosters].reduce((sum, each) => sum + JSON.stringify(each).length, 0)

describe('the frames of a run that a report has inside', () => {
  test('are all of them, with their figures', () => {
    const run = runOf(reports)!
    expect(run).toMatchObject({ name: 'pbt', frameCount: 40, step: 1 })
    expect(run.frames.map(({ frame, figures }) => [frame, figures.frameMs])).toEqual(
      reports.map(({ frame, frameMs }) => [frame, frameMs]),
    )
    for (const [i, compact] of run.frames.entries()) {
      const { areas } = wholeFrame(compact)
      for (const [area, { ledger }] of areas.entries())
        expect(ledger.render).toBeCloseTo(reports[i]!.ledger[area]!.render, 3)
    }
    expect(run.rosters).toEqual([{ ids: ['id-0', 'id-1', 'id-2'], names: ['worker-0', 'worker-1', 'worker-2'] }])
  })

  test('of a long film are as many as there is room for, in equal steps', () => {
    for (const most of [0, 1000, 3000, 10_000, 20_000]) {
      const run = runOf(reports, most)!
      expect(run.frames.map(({ frame }) => frame)).toEqual(
        Array.from({ length: Math.ceil(40 / run.step) }, (_, i) => i * run.step),
      )
      expect(run.frameCount).toBe(40)
      if (run.frames.length > 1) expect(bytesOf(run)).toBeLessThanOrEqual(most)
      // There would be no room for twice as many.
      if (run.step > 1) expect(2 * bytesOf(run)).toBeGreaterThan(most * 0.7)
    }
    expect(runOf(reports, 0)!.frames).toHaveLength(1)
  })

  test('take no room for lists of areas that none of them has', () => {
    const named = (report: FrameReport, i: number) => ({
      ...report,
      workers: report.workers.map(worker => ({ ...worker, name: `${worker.name} ${i}` })),
    })
    const run = runOf(reports.map(named), 5000)!
    expect(run.rosters).toHaveLength(run.frames.length)
    for (const { frame, roster } of run.frames) expect(run.rosters[roster]!.names[0]).toBe(`worker-0 ${frame}`)
  })

  test('are those whose spans were kept, or none', () => {
    const bare = reports.map((report, i) => (i % 4 === 1 ? report : { ...report, spans: [] }))
    expect(runOf(bare)!.frames.map(({ frame }) => frame)).toEqual(bare.flatMap((_, i) => (i % 4 === 1 ? i : [])))
    expect(runOf(bare.slice(0, 1))).toBeUndefined()
    expect(runOf([])).toBeUndefined()
  })
})

test('the frame of median time is drawn, with the names of its own areas', () => {
  const times = reports.map(({ frameMs }) => frameMs).toSorted((a, b) => a - b)
  const { run, frame, roster } = medianFrame(runOf(reports)!)
  expect([run, frame.figures.frameMs, roster.names[2]]).toEqual(['pbt', times[19], 'worker-2'])
})
