/** Late tiles and silent workers. */
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import type { ClusterEvent } from '../../../master/scheduling/events.ts'
import type { Plan } from '../../../master/strategies/strategy.ts'
import { type AreaId, leaseId } from '../../../shared/ids.ts'
import { a, b, c, done, left, ready, right, scheduleOf, traces, types } from '../../support/schedules.ts'

describe('a worker that is silent', () => {
  const tiles = [
    { rect: left, worker: a },
    { rect: right, worker: b },
  ]

  it('is quarantined, and its tile is traced by others, whatever the plan', () => {
    const schedule = scheduleOf(tiles, [a, b])
    schedule.begin(0)
    schedule.happened(done(b, 1, right), 6000)
    expect(schedule.happened({ type: 'tick' }, 15_000)).toEqual([])
    const late = schedule.happened({ type: 'tick' }, 15_001)
    expect(late).toMatchObject([
      { type: 'quarantine', area: a, reason: 'it reported no progress on its tile for 15.001 s', cause: 'silence' },
      { type: 'trace', area: b, tile: { rect: left } },
    ])
    expect([...schedule.live]).toEqual([b])
    // It may be at it still when it is fine again, or when the frame is done.
    expect(types(schedule.happened(done(b, 2), 20_000))).toEqual(['accept', 'cancel', 'frame-complete'])
  })

  it('was slow if it answers, and is waited for twice as long from then on', () => {
    const schedule = scheduleOf([...tiles, { rect: { ...left, y: 40 }, worker: a }], [a, b])
    schedule.begin(0)
    schedule.happened(done(b, 1, right), 14_000)
    schedule.happened({ type: 'tick' }, 15_001)
    expect(schedule.happened({ type: 'tile-progress', area: a, lease: leaseId(0) }, 20_000)).toEqual([
      { type: 'lift-quarantine', area: a },
      { type: 'cancel', area: a, lease: 0 },
      { type: 'cancel', area: a, lease: 2 },
    ])
    expect(schedule.happened(done(a, 0), 20_001)).toEqual([{ type: 'drop', lease: 0 }])
    expect(traces(schedule.happened(ready(a), 20_002))).toMatchObject([{ area: a }])
    schedule.happened(done(b, 3), 55_000)
    expect(schedule.happened({ type: 'tick' }, 60_000)).toEqual([])
    expect(types(schedule.happened({ type: 'tick' }, 60_003))).toContain('quarantine')
  })

  it('by an answer that it sends after all is heard, too', () => {
    const schedule = scheduleOf(tiles, [a, b])
    schedule.begin(0)
    schedule.happened(done(b, 1, right), 14_000)
    schedule.happened({ type: 'tick' }, 15_001)
    expect(schedule.happened(done(a, 0), 16_000)).toEqual([
      { type: 'drop', lease: 0 },
      { type: 'lift-quarantine', area: a },
    ])
    // Once.
    expect(types(schedule.happened(done(a, 0), 16_001))).toEqual(['drop'])
  })

  it('is given up what it held when it is ready again', () => {
    const schedule = scheduleOf([...tiles, { rect: { ...left, y: 40 }, worker: b }], [a, b])
    schedule.begin(0)
    schedule.happened(done(b, 1, right), 14_000)
    schedule.happened({ type: 'tick' }, 15_001)
    const back = schedule.happened(ready(a), 45_000)
    expect(back).toMatchObject([
      { type: 'cancel', area: a, lease: 0 },
      { type: 'trace', area: a },
    ])
  })

  it('is waited for if nobody else gets anywhere: then it is the scene that is slow', () => {
    const schedule = scheduleOf(tiles, [a, b])
    schedule.begin(0)
    for (let now = 250; now <= 120_000; now += 250) expect(schedule.happened({ type: 'tick' }, now)).toEqual([])
    expect(types(schedule.happened(done(a, 0), 120_100))).toEqual(['accept'])
    expect([...schedule.live]).toEqual([a, b])
  })

  it('is not dismissed with more others than can take over', () => {
    const three = [...tiles, { rect: { ...left, y: 40 }, worker: c }]
    const schedule = scheduleOf(three, [a, b, c])
    schedule.begin(0)
    schedule.happened(done(c, 2, { ...left, y: 40 }), 14_000)
    const late = schedule.happened({ type: 'tick' }, 15_001)
    expect(late.flatMap(action => (action.type === 'quarantine' ? action.area : []))).toEqual([a])
    // What it held is with c, which has got nowhere since.
    expect(schedule.happened({ type: 'tick' }, 29_100)).toEqual([])
  })

  it('is never the last one', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    schedule.begin(0)
    for (let now = 0; now < 1e6; now += 10_000) expect(schedule.happened({ type: 'tick' }, now)).toEqual([])
    expect(types(schedule.happened(done(a, 0), 1e6))).toEqual(['accept', 'frame-complete'])
  })

  it('while it leaves is given up as soon as there is somebody else', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    schedule.begin(0)
    schedule.happened({ type: 'area-leaving', area: a, keeps: new Map([[leaseId(0), 40]]) }, 1)
    expect(schedule.happened({ type: 'tick' }, 20_000)).toEqual([])
    const [copy] = traces(schedule.happened(ready(b), 20_001))
    expect(schedule.happened({ type: 'tick' }, 20_002)).toEqual([])
    schedule.happened(done(b, copy!.lease, copy!.tile.rect), 20_003)
    expect(schedule.happened({ type: 'tick' }, 20_004)).toMatchObject([
      { type: 'quarantine', area: a },
      { type: 'trace', area: b, tile: { rect: { ...left, h: 20 } } },
    ])
  })

  it('may take as long as is expected of the rows that it is in', () => {
    // Two rows of cells, of which the lower costs a thousand times as much.
    const predicted = new CostMap([16, 16], 8)
    predicted.costs.set([1, 1, 1000, 1000])
    const halves = [a, b].map((worker, i) => ({ rect: { x: 8 * i, y: 0, w: 8, h: 16 }, worker }))
    const schedule = scheduleOf(halves, [a, b], { predicted })
    schedule.begin(0)
    const part = (area: AreaId, lease: number, from: number, to: number): ClusterEvent => ({
      type: 'tile-done',
      area,
      lease: leaseId(lease),
      from,
      to,
      more: to < 16,
    })
    schedule.happened(part(a, 0, 0, 8), 20)
    schedule.happened(part(b, 1, 0, 8), 20)
    // The eight rows that it is in take 20 s.
    schedule.happened(part(b, 1, 8, 16), 20_020)
    expect(schedule.happened({ type: 'tick' }, 50_000)).toEqual([])
    const late = schedule.happened({ type: 'tick' }, 60_100)
    expect(late).toMatchObject([
      { type: 'quarantine', area: a },
      { type: 'trace', area: b },
    ])
  })

  it('is waited for as long as it says that it advances', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a, b])
    schedule.begin(0)
    for (let now = 0; now < 3_600_000; now += 2000) {
      expect(schedule.happened({ type: 'tile-progress', area: a, lease: leaseId(0) }, now)).toEqual([])
      expect(schedule.happened({ type: 'tick' }, now + 250)).toEqual([])
    }
    expect(types(schedule.happened(done(a, 0), 3_600_000))).toEqual(['accept', 'frame-complete'])
    expect(schedule).toMatchObject({ rescued: 0, duplicated: 0 })
  })
})

describe('a late tile', () => {
  const tiles = [
    { rect: left, worker: a },
    { rect: right, worker: b },
  ]
  const progress = { type: 'tile-progress', area: a, lease: leaseId(0) } as const
  /** Of tiles that should take the same, one is there after 1 s, the other after 4 s not yet. */
  const lateAfter = (seconds: number, more: Omit<Plan, 'tiles'>) => {
    const schedule = scheduleOf(tiles, [a, b], more)
    schedule.begin(0)
    schedule.happened(done(b, 1, right), 1000)
    schedule.happened(progress, seconds * 1000)
    return { schedule, actions: schedule.happened({ type: 'tick' }, seconds * 1000) }
  }

  it('is left alone where the plan does not say otherwise', () => {
    expect(lateAfter(100, {}).actions).toEqual([])
  })

  it('is left alone up to twice the time that was expected', () => {
    expect(lateAfter(2, { duplicates: true }).actions).toEqual([])
  })

  it('is traced by an idle worker too, from the bottom, so that both will end together', () => {
    const { schedule, actions } = lateAfter(4, { duplicates: true })
    // The late one needs 3 s more, as it seems, the other 1 s for all of it: three quarters of the rows.
    expect(actions).toEqual([{ type: 'trace', area: b, lease: 2, tile: { rect: { ...left, y: 10, h: 30 } } }])
    expect(schedule).toMatchObject({ duplicated: 1, rescued: 0 })
    expect(schedule.happened({ type: 'tick' }, 4250)).toEqual([])
  })

  it('is wanted down to the copied rows once those have come', () => {
    const { schedule } = lateAfter(4, { duplicates: true })
    const copied = schedule.happened(done(b, 2, { ...left, y: 10, h: 30 }), 5000)
    expect(copied).toEqual([
      { type: 'accept', lease: 2, tile: { rect: { ...left, y: 10, h: 30 } } },
      { type: 'trim', area: a, lease: 0, rows: 10 },
    ])
    // It had begun with a few rows more.
    const rest = schedule.happened(done(a, 0, { ...left, h: 16 }), 5500)
    expect(rest).toEqual([{ type: 'accept', lease: 0, tile: { rect: { ...left, h: 10 } } }, { type: 'frame-complete' }])
  })

  it('is not waited for when the rows above the copied ones have no pixels', () => {
    // Only the lower half of the left tile is picked.
    const pattern = { kind: 'strided', cellW: 50, cellH: 20, columns: 2, stride: 4, phase: 2 } as const
    const schedule = scheduleOf([{ rect: left, pattern, worker: a }, tiles[1]!], [a, b], { duplicates: true })
    schedule.begin(0)
    schedule.happened(done(b, 1, right), 1000)
    schedule.happened(progress, 4000)
    const [copy] = traces(schedule.happened({ type: 'tick' }, 4000))
    const { y } = copy!.tile.rect
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThanOrEqual(20)
    expect(types(schedule.happened(done(b, 2, copy!.tile.rect), 5000))).toEqual(['accept', 'cancel', 'frame-complete'])
  })

  it('that comes after all makes its copy superfluous', () => {
    const { schedule } = lateAfter(4, { duplicates: true })
    expect(schedule.happened(done(a, 0), 4500)).toEqual([
      { type: 'accept', lease: 0, tile: { rect: left } },
      { type: 'cancel', area: b, lease: 2 },
      { type: 'frame-complete' },
    ])
  })

  it('stays with its copy when its worker is lost, and with its worker when the copy is', () => {
    const lost = lateAfter(4, { duplicates: true }).schedule
    const rescue = traces(lost.happened({ type: 'area-lost', area: a }, 4100))
    expect(rescue).toEqual([])
    expect(traces(lost.happened(done(b, 2, { ...left, y: 10, h: 30 }), 5000))).toMatchObject([
      { area: b, tile: { rect: { ...left, h: 10 } } },
    ])
    const kept = lateAfter(4, { duplicates: true }).schedule
    expect(kept.happened({ type: 'area-lost', area: b }, 4100)).toEqual([])
    expect(types(kept.happened(done(a, 0), 5000))).toEqual(['accept', 'frame-complete'])
  })
})

describe('a worker of which nothing is heard for a moment', () => {
  const tiles = [
    { rect: left, worker: a },
    { rect: right, worker: b },
  ]
  const quiet = (...areas: AreaId[]): ClusterEvent => ({ type: 'quiet', areas: new Set(areas) })

  it('has its tile copied by whoever is idle, whatever the plan', () => {
    const schedule = scheduleOf(tiles, [a, b, c])
    schedule.begin(0)
    expect(schedule.happened(quiet(a), 300)).toEqual([{ type: 'trace', area: c, lease: 2, tile: { rect: left } }])
    schedule.happened(done(b, 1, right), 400)
    expect(schedule.happened(quiet(a), 425)).toEqual([])
    expect(schedule.happened(done(c, 2), 500)).toEqual([
      { type: 'accept', lease: 2, tile: { rect: left } },
      { type: 'cancel', area: a, lease: 0 },
      { type: 'frame-complete' },
    ])
    expect(schedule).toMatchObject({ duplicated: 1, rescued: 0 })
  })

  it('goes on with it if it is there after all', () => {
    const schedule = scheduleOf(tiles, [a, b, c])
    schedule.begin(0)
    schedule.happened(quiet(a), 300)
    expect(schedule.happened(quiet(), 400)).toEqual([])
    expect(types(schedule.happened(done(a, 0), 450))).toEqual(['accept', 'cancel'])
  })

  it('gets nothing more, and what waits for it goes to others, until it is heard again', () => {
    const more = [3, 4, 5].map(i => ({ rect: { x: 0, y: 40 * i, w: 10, h: 40 }, worker: a }))
    const schedule = scheduleOf([...tiles, ...more], [a, b])
    expect(schedule.begin(0, new Set([a]))).toMatchObject([{ area: b, tile: { rect: right } }])
    expect(schedule.happened(done(b, 0, right), 100)).toMatchObject([
      { type: 'accept' },
      { type: 'trace', area: b, tile: { rect: more[2]!.rect } },
    ])
    expect(schedule.happened(quiet(), 200)).toMatchObject([
      { type: 'trace', area: a, tile: { rect: left } },
      { type: 'trace', area: a, tile: { rect: more[0]!.rect } },
    ])
  })

  it('is waited for if all are', () => {
    const schedule = scheduleOf(tiles, [a, b])
    schedule.begin(0)
    expect(schedule.happened(quiet(a, b), 300)).toEqual([])
    expect(schedule.happened(quiet(a), 425)).toEqual([])
    expect(types(schedule.happened(done(b, 1, right), 500))).toEqual(['accept'])
    expect(schedule.happened(quiet(a), 550)).toMatchObject([{ type: 'trace', area: b, tile: { rect: left } }])
  })
})
