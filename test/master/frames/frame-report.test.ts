import { describe, expect, it } from 'vitest'
import { type FrameTimes, frameReport } from '../../../master/frames/frame-report.ts'
import type { LeaseRecord } from '../../../master/frames/lease-record.ts'
import { roundTripMs } from '../../../master/frames/round-trip.ts'
import type { Rect } from '../../../shared/frame/rect.ts'
import { areaId, leaseId } from '../../../shared/ids.ts'
import { ledgerError } from '../../support/session.ts'

const record = (lease: number, worker: string, rect: Rect, sentAt: number, ms: number): LeaseRecord => ({
  lease: leaseId(lease),
  worker: areaId(worker),
  tile: { rect },
  sentAt,
  arrivedAt: sentAt + ms + 3,
  stitchedAt: sentAt + ms + 3.5,
  times: { waitMs: 0.5, wallMs: ms, cpuMs: ms / 2, encodeMs: 0.5, work: ms * 100 },
})

const upper = { x: 0, y: 0, w: 64, h: 30 }
const lower = { x: 0, y: 30, w: 64, h: 18 }
const right = { x: 64, y: 0, w: 32, h: 48 }

const times: FrameTimes = {
  frame: 3,
  strategy: 'predictive',
  size: [96, 48],
  workers: ['a', 'b'].map(id => ({ id, name: id, engine: 'wasm', threads: 1, speed: 1 })),
  records: [record(0, 'a', upper, 14, 40), record(1, 'b', right, 14, 70), record(0, 'a', lower, 57, 20)],
  spans: [
    { kind: 'stats', frame: 3, start: 10, end: 12 },
    { kind: 'decide', frame: 3, start: 12, end: 13 },
  ],
  beganAt: 10,
  dispatchAt: 13,
  plannedAt: 13,
  endedAt: 90,
  traffic: { messages: 5, bytes: 1000 },
  rescued: 0,
  stolen: 1,
  steals: [{ at: 20, from: 'b', to: 'a', rect: lower }],
  duplicated: 3,
  redundantPx: 2,
  probeMs: 0,
  decisions: { moved: 1 },
  passes: [{ samples: { from: 0, to: 1 }, pixels: 96 * 48, records: 3, endedAt: 90 }],
  migrationShare: 0.25,
}

describe('a frame report', () => {
  it('tells of a lease that came in parts as one tile', () => {
    expect(frameReport(times).tiles).toEqual([
      { rect: { x: 0, y: 0, w: 64, h: 48 }, worker: 'a', cpuMs: 30, wallMs: 60, work: 6000 },
      { rect: right, worker: 'b', cpuMs: 35, wallMs: 70, work: 7000 },
    ])
  })

  it('tells of the only pass of a frame that could have had more', () => {
    expect(frameReport(times)).not.toHaveProperty('passes')
    expect(frameReport({ ...times, endedBy: 'time' }).passes).toMatchObject([{ from: 0, to: 1, pixels: 96 * 48 }])
  })

  it('tells of each pass as of a frame', () => {
    const [first, second] = [times.records.slice(0, 2), times.records.slice(2)]
    const passes = [
      { samples: { from: 0, to: 16 }, pixels: 96 * 48, records: first.length, endedAt: 88.5 },
      { samples: { from: 16, to: 32 }, pixels: 64, records: first.length + second.length, endedAt: 90 },
    ]
    expect(frameReport({ ...times, passes }).passes).toEqual([
      {
        from: 0,
        to: 16,
        pixels: 96 * 48,
        ms: 78.5,
        criticalMs: 35,
        meanMs: 27.5,
        epsilonCpu: 35 / 27.5 - 1,
        epsilonWall: 70 / 55 - 1,
      },
      // One of two workers had everything.
      {
        from: 16,
        to: 32,
        pixels: 64,
        ms: 1.5,
        criticalMs: 10,
        meanMs: 5,
        epsilonCpu: 1,
        epsilonWall: 1,
      },
    ])
    expect(frameReport(times)).not.toHaveProperty('passes')
  })

  it('adds up', () => {
    const report = frameReport(times)
    expect(report).toMatchObject({
      frameMs: 80,
      preparationMs: 3,
      statsMs: 2,
      decideMs: 1,
      criticalMs: 35,
      meanMs: 32.5,
      duplicated: 3,
    })
    expect(ledgerError({ ...report, sha256: '' })).toBeLessThan(1e-9)
  })

  it('counts a decision that was made while a probe had begun the frame', () => {
    const decided = { kind: 'decide' as const, frame: 3, start: 30, end: 31 }
    const probed = { ...times, spans: [times.spans[0]!, decided], dispatchAt: 12, plannedAt: 31, probeMs: 18 }
    expect(frameReport(probed)).toMatchObject({ frameMs: 80, preparationMs: 21, statsMs: 2, decideMs: 1, probeMs: 18 })
  })
})

describe('the round trip', () => {
  it('is the median of what the wire took, and never less than nothing', () => {
    expect(roundTripMs(times.records)).toBe(2)
    expect(roundTripMs([])).toBeUndefined()
    expect(roundTripMs([{ ...times.records[0]!, arrivedAt: 0 }])).toBe(0)
  })
})

describe('what was predicted', () => {
  it('is scaled to what all tiles took, and told for each; so is who took rows from whom', () => {
    const predicted = [3, 2, 1]
    const records = times.records.map((each, i) => ({ ...each, predicted: predicted[i]! }))
    const { tiles, steals } = frameReport({ ...times, records })
    // 20 + 35 + 10 ms of CPU time, for a predicted sum of 6; the first lease came in two parts.
    expect(tiles.map(({ expectedMs }) => expectedMs)).toEqual([(4 * 65) / 6, (2 * 65) / 6])
    expect(steals).toEqual(times.steals)
  })

  it('is not told if a tile has no prediction', () => {
    const [first, ...others] = times.records
    const { tiles } = frameReport({ ...times, records: [{ ...first!, predicted: 1 }, ...others], steals: [] })
    expect(tiles.every(({ expectedMs }) => expectedMs === undefined)).toBe(true)
    expect(frameReport({ ...times, steals: [] })).not.toHaveProperty('steals')
  })
})
