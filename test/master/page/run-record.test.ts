/** What is kept of a run for dashboards. */
import { expect, it } from 'vitest'
import { RunRecord } from '../../../master/page/dashboard/run-record.ts'
import { madeReport } from '../../../scripts/bench/view/made-report.ts'
import { smallSession } from '../../support/session.ts'

const HOUR_MS = 3_600_000

it('says when a film will be done, without the time for which it was paused', () => {
  const { frames: _, ...order } = smallSession({})
  const record = new RunRecord(1, { ...order, kind: 'film', frameCount: 40, sceneName: 'boat' }, undefined, 0)
  let now = 0
  const make = (frame: number) => {
    now += 1000
    record.frame({ ...madeReport({ areas: 2, tiles: 4, seed: 1, frame }), beganAt: now - 1000, endedAt: now })
  }
  for (let frame = 0; frame < 20; frame++) make(frame)
  expect(record.said.eta!.ms).toBe(20_000)
  record.state = 'paused'
  expect(record.said).not.toHaveProperty('eta')
  now += HOUR_MS
  record.resume(now)
  // It goes on already.
  record.resume(now + 500)
  make(20)
  expect(record.said.eta!.ms).toBe(19_000)
  expect(record.said.eta!.mostMs).toBeLessThan(60_000)
})
