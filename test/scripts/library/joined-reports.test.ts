import { expect, it } from 'vitest'
import { JoinedReports } from '../../../scripts/library/joined-reports.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import { manyWorkers, strategyRun } from '../report/synthetic-run.ts'

const [plain] = strategyRun('static-blocks', 'equal', manyWorkers(2), 1).reports as [FrameReport]
const [first, second] = plain.workers.map(({ id }) => id) as [string, string]

/** A frame of a master whose clock says so much when it begins, by workers of these names and ids. */
function reportAt(beganAt: number, names: Readonly<Record<string, string>>): FrameReport {
  const ids = Object.keys(names)
  const id = (old: string) => (old === first ? ids[0]! : ids[1]!)
  const spans = [{ kind: 'render', frame: 0, worker: ids[0]!, start: beganAt, end: beganAt + 10 }] as const
  return {
    ...plain,
    beganAt,
    endedAt: beganAt + 10,
    spans: [...spans],
    workers: plain.workers.map(worker => ({ ...worker, id: id(worker.id), name: names[id(worker.id)]! })),
    tiles: plain.tiles.map(tile => ({ ...tile, worker: id(tile.worker) })),
    ledger: plain.ledger.map(row => ({ ...row, worker: id(row.worker) })),
  }
}

it('are unchanged over a single connection', () => {
  const report = reportAt(5000, { [first]: 'anna', [second]: 'bert' })
  expect(new JoinedReports().join(report, 20)).toBe(report)
})

it('have the clock and the ids of the first master after it was started again', () => {
  const reports = new JoinedReports()
  reports.join(reportAt(5000, { w1: 'anna', w2: 'bert' }), 30)
  reports.reconnected()
  const joined = reports.join(reportAt(100, { w1: 'bert', w2: 'cleo' }), 1030)
  expect(joined).toMatchObject({ beganAt: 6000, endedAt: 6010, spans: [{ worker: 'w2', start: 6000, end: 6010 }] })
  expect(joined.workers.map(({ id, name }) => [id, name])).toEqual([
    ['w2', 'bert'],
    ['w2-2', 'cleo'],
  ])
  expect(new Set(joined.tiles.map(({ worker }) => worker))).toEqual(new Set(['w2', 'w2-2']))
  expect(joined.ledger.map(({ worker }) => worker)).toEqual(['w2', 'w2-2'])
  expect(reports.join(reportAt(120, { w1: 'bert', w2: 'cleo' }), 9999)).toMatchObject({ beganAt: 6020 })
})

it('know an area that its worker has withdrawn by its name', () => {
  const reports = new JoinedReports()
  reports.join(reportAt(5000, { w1: 'anna', w2: 'bert' }), 30)
  reports.reconnected()
  const { workers, ...report } = reportAt(100, { w1: 'bert', w2: 'cleo' })
  const withdrawn = [{ id: 'w1', name: 'bert', reason: 'it was unplugged' }]
  expect(reports.join({ ...report, workers: workers.slice(1), withdrawn }, 1030).withdrawn).toEqual([
    { id: 'w2', name: 'bert', reason: 'it was unplugged' },
  ])
})

it('never go back in time', () => {
  const reports = new JoinedReports()
  reports.join(reportAt(5000, { w1: 'anna', w2: 'bert' }), 10)
  reports.join(reportAt(5300, { w1: 'anna', w2: 'bert' }), 300)
  reports.reconnected()
  expect(reports.join(reportAt(0, { w1: 'anna', w2: 'bert' }), 300).beganAt).toBe(5310)
})
