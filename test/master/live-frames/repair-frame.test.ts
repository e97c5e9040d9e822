/** What is reported of a frame of which a worker's pixels were replaced. */
import { expect, it } from 'vitest'
import type { FrameFacts } from '../../../master/frames/frame-facts.ts'
import type { LeaseRecord } from '../../../master/frames/lease-record.ts'
import { repairedFacts } from '../../../master/live-frames/repair-frame.ts'
import { areaId, leaseId } from '../../../shared/ids.ts'

const record = (lease: number, worker: string, y: number): LeaseRecord => ({
  lease: leaseId(lease),
  worker: areaId(worker),
  tile: { rect: { x: 0, y, w: 8, h: 1 } },
  sentAt: 0,
  arrivedAt: 1,
  stitchedAt: 1,
  times: { waitMs: 0, wallMs: 1, cpuMs: 1, encodeMs: 0 },
})

const facts = (records: readonly LeaseRecord[], counts: number, endedAt: number): FrameFacts => ({
  records,
  spans: [{ kind: 'decide', frame: 0, start: endedAt - 1, end: endedAt }],
  beganAt: endedAt - 10,
  dispatchAt: endedAt - 9,
  plannedAt: endedAt - 8,
  endedAt,
  probeMs: 3,
  rescued: counts,
  stolen: 10 * counts,
  steals: [],
  duplicated: 100 * counts,
  redundantPx: 1000 * counts,
  decisions: { moved: counts },
  passes: [{ samples: { from: 0, to: 1 }, pixels: 32, records: records.length, endedAt }],
})

it('counts what either took, once, and each tile of a liar as traced again', () => {
  // A tile of the liar came in two parts.
  const before = facts([record(0, 'a', 0), record(1, 'b', 1), record(1, 'b', 2), record(2, 'b', 3)], 1, 50)
  const repair = facts([record(3, 'a', 1), record(4, 'c', 2), record(5, 'a', 3)], 2, 90)
  const known = repairedFacts(before, repair, new Set([areaId('b')]))
  expect(known).toEqual({
    records: [record(0, 'a', 0), ...repair.records],
    spans: [...before.spans, ...repair.spans],
    beganAt: 40,
    dispatchAt: 41,
    plannedAt: 42,
    endedAt: 90,
    probeMs: 3,
    rescued: 1 + 2 + 2,
    stolen: 30,
    steals: [],
    duplicated: 300,
    redundantPx: 3000,
    decisions: { moved: 1 },
    passes: [{ samples: { from: 0, to: 1 }, pixels: 32, records: 4, endedAt: 90 }],
  })
  // A second liar, who had a part in the repair.
  const second = facts([record(6, 'c', 1), record(7, 'c', 3)], 0, 120)
  const again = repairedFacts(known, second, new Set([areaId('a')]))
  expect(again).toMatchObject({ rescued: 5 + 3, stolen: 30, duplicated: 300, redundantPx: 3000, endedAt: 120 })
  expect(again.records).toEqual([record(4, 'c', 2), ...second.records])
  expect(again.passes[0]).toMatchObject({ records: 3, endedAt: 120 })
})
