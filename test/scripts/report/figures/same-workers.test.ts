import { describe, expect, it } from 'vitest'
import { keptFrames } from '../../../../scripts/report/figures/kept-frames.ts'
import { wallTimeNote } from '../../../../scripts/report/figures/run-facts.ts'
import { SameWorkers } from '../../../../scripts/report/figures/same-workers.ts'
import { summarize } from '../../../../scripts/report/figures/summarize.ts'
import type { FrameReport, WorkerInfo } from '../../../../shared/frame/frame-report.ts'
import { facts, strategyRun, workersNamed } from '../synthetic-run.ts'

const [anna, bert, carl] = workersNamed(['anna', 'bert', 'anna']) as [WorkerInfo, WorkerInfo, WorkerInfo]
/** A frame on these workers. */
const frameOn = (...workers: readonly WorkerInfo[]): FrameReport =>
  strategyRun('static-blocks', 'equal', workers, 1).reports[0]!
const idsOf = (reports: readonly FrameReport[]) => {
  const same = new SameWorkers()
  return reports.map(report => same.of(report).workers.map(({ id }) => id))
}

describe('a worker that comes back', () => {
  it('is the one that it was', () => {
    const again = { ...anna, id: 'id-9' }
    expect(idsOf([frameOn(anna, bert), frameOn(bert), frameOn(bert, again), frameOn(again)])).toEqual([
      ['id-0', 'id-1'],
      ['id-1'],
      ['id-1', 'id-0'],
      ['id-0'],
    ])
    const same = new SameWorkers()
    same.of(frameOn(anna, bert))
    const steal = { at: 3, from: 'id-9', to: 'id-1', rect: { x: 0, y: 0, w: 8, h: 8 } }
    const { ledger, tiles, spans, steals } = same.of({ ...frameOn(bert, again), steals: [steal] })
    expect(steals).toEqual([{ ...steal, from: 'id-0' }])
    const everywhere = [...ledger, ...tiles, ...spans].flatMap(({ worker }) => worker ?? [])
    expect(new Set(everywhere)).toEqual(new Set(['id-0', 'id-1']))
  })

  it('is not another one in the text', () => {
    const again = { ...anna, id: 'id-9' }
    const same = new SameWorkers()
    const kept = keptFrames(
      'pbt',
      [frameOn(anna, bert), frameOn(again, bert)].map(report => same.of(report)),
    )
    expect(kept.workers).toHaveLength(2)
    const summary = summarize({ ...facts(kept.workers), pacing: null }, [kept])
    expect(wallTimeNote(summary)).toContain('2 cores for 2 workers and 2 threads')
  })

  it('is one of its worker’s areas, too', () => {
    const device = { ...bert, workerId: 'id-0', device: 'simulated:2' }
    const [first, second] = [
      { ...anna, id: 'id-8' },
      { ...device, id: 'id-9', workerId: 'id-8' },
    ]
    const same = new SameWorkers()
    same.of(frameOn(anna, device))
    expect(same.of(frameOn(first, second)).workers).toEqual([anna, device])
  })
})

describe('workers of one name', () => {
  it('are several if a frame has them', () => {
    expect(idsOf([frameOn(anna, carl), frameOn(carl, anna)])).toEqual([
      ['id-0', 'id-2'],
      ['id-2', 'id-0'],
    ])
  })

  it('are several from when a frame has them', () => {
    expect(idsOf([frameOn(anna), frameOn(carl), frameOn(anna, carl), frameOn(carl)])).toEqual([
      ['id-0'],
      ['id-0'],
      ['id-0', 'id-2'],
      ['id-2'],
    ])
  })

  it('come back as any of those that are gone', () => {
    const [first, second] = [
      { ...anna, id: 'id-8' },
      { ...carl, id: 'id-9' },
    ]
    expect(idsOf([frameOn(anna, carl), frameOn(first, carl), frameOn(first, second)])).toEqual([
      ['id-0', 'id-2'],
      ['id-0', 'id-2'],
      ['id-0', 'id-2'],
    ])
  })
})
