/** Where failed tiles go, and what becomes of workers that fail them. */
import { describe, expect, it, vi } from 'vitest'
import { Suspicion } from '../../../master/scheduling/blame.ts'
import type { Action, ClusterEvent } from '../../../master/scheduling/events.ts'
import { FrameSchedule } from '../../../master/scheduling/frame-schedule.ts'
import { leaseNumbers } from '../../../master/scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS } from '../../../master/scheduling/limits.ts'
import { TileChoice } from '../../../master/scheduling/tile-choice.ts'
import type { Rect } from '../../../shared/frame/rect.ts'
import { type AreaId, areaId, type LeaseId, leaseId } from '../../../shared/ids.ts'
import { expectPartition } from '../../support/partition.ts'
import { a, b, c, done, left, ready, right, scheduleOf, sharesOf, traces, types } from '../../support/schedules.ts'

describe('a tile that fails', () => {
  const fail = (schedule: FrameSchedule, { area, lease }: { area: AreaId; lease: LeaseId }, now = 1) =>
    schedule.happened({ type: 'tile-failed', area, lease, reason: 'no light' }, now)

  it('goes to another worker, not back', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a, b])
    const [order] = traces(schedule.begin(0))
    expect(traces(fail(schedule, order!))).toMatchObject([{ area: b, tile: { rect: left } }])
    expect(schedule.rescued).toBe(1)
  })

  it('is shared among all on whom it has not failed', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a, b, c])
    const [order] = traces(schedule.begin(0))
    const again = traces(fail(schedule, order!))
    expect(again.map(({ area }) => area)).toEqual([b, c])
    expectPartition(
      again.map(({ tile }) => tile),
      [50, 40],
    )
  })

  it('waits for who is busy rather than for who has failed it', () => {
    const schedule = scheduleOf(
      [
        { rect: left, worker: a },
        { rect: right, worker: b },
      ],
      [a, b],
    )
    const [order] = traces(schedule.begin(0))
    expect(fail(schedule, order!)).toEqual([])
    expect(traces(schedule.happened(done(b, 1, right), 5))).toMatchObject([{ area: b, tile: { rect: left } }])
  })

  it('loses the frame on the third worker, and says so', () => {
    const strip: Rect = { x: 0, y: 0, w: 10, h: 6 }
    const schedule = scheduleOf([{ rect: strip, worker: a }], [a, b, c, areaId('d')])
    let actions = schedule.begin(0)
    for (let failures = 0; failures < 3; failures++) actions = fail(schedule, traces(actions)[0]!)
    expect(actions).toEqual([
      { type: 'frame-failed', reason: 'tile 0,0 10x6 failed on 3 workers, last on c: no light', tile: { rect: strip } },
    ])
    expect(schedule.status).toBe('failed')
  })

  it('is tried three times where there is one worker only', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    let actions = schedule.begin(0)
    for (let failures = 0; failures < 3; failures++) actions = fail(schedule, traces(actions)[0]!)
    const reason = 'tile 0,0 50x40 failed on the only worker 3 times, last on a: no light'
    expect(actions).toMatchObject([{ type: 'frame-failed', reason }])
  })

  it('says of two workers that they are all there are', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a, b])
    let actions = schedule.begin(0)
    for (let failures = 0; failures < 3; failures++) actions = fail(schedule, traces(actions)[0]!)
    expect(actions).toMatchObject([{ reason: expect.stringContaining('3 times on 2 workers, all that are left') }])
  })

  it.each([
    { from: 0, to: 39 },
    { from: 1, to: 40 },
  ])('is one that comes with rows $from to $to of 40 as its last answer', rows => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    schedule.begin(0)
    const short = schedule.happened({ ...done(a, 0), ...rows } as ClusterEvent, 1)
    expect(types(short)).toEqual(['trace'])
    expect(schedule.rescued).toBe(1)
  })
})

describe('a worker that comes back under another id', () => {
  const [a2, a3] = ['a#2', 'a#3'].map(areaId) as [AreaId, AreaId]
  const who = (area: AreaId) => ({ area: area.split('#')[0]!, worker: area.split('#')[0]! })
  const schedule = (workers: readonly AreaId[]) =>
    new FrameSchedule({ tiles: [{ rect: left, worker: a }] }, sharesOf(workers), leaseNumbers(), DEFAULT_LIMITS, who)
  /** It fails its tile, is lost, and is back as somebody else. */
  const flap = (frame: FrameSchedule, order: Action, back: AreaId) => {
    if (order.type !== 'trace') throw new TypeError('no order')
    const { area: worker, lease } = order
    return [
      ...frame.happened({ type: 'tile-failed', area: worker, lease, reason: 'no light' }, 1),
      ...frame.happened({ type: 'area-lost', area: worker }, 1),
      ...frame.happened(ready(back), 1),
    ]
  }

  it('has failed a tile on one worker, however often', () => {
    const frame = schedule([a])
    let actions = flap(frame, traces(frame.begin(0))[0]!, a2)
    actions = flap(frame, traces(actions).find(({ area }) => area === a2)!, a3)
    const last = traces(actions).find(({ area }) => area === a3)!
    expect(frame.happened({ type: 'tile-failed', area: a3, lease: last.lease, reason: 'no light' }, 2)).toMatchObject([
      { type: 'frame-failed', reason: expect.stringContaining('failed on the only worker 3 times') },
    ])
  })

  it('is not given again what it failed before, while another is there', () => {
    const frame = schedule([a])
    const actions = flap(frame, traces(frame.begin(0))[0]!, a2)
    const [again] = traces(actions).filter(({ area }) => area === a2)
    frame.happened(ready(b), 1)
    const after = frame.happened({ type: 'tile-failed', area: a2, lease: again!.lease, reason: 'no light' }, 2)
    expect(traces(after)).toMatchObject([{ area: b }])
    // Two failures on one worker, and one on another: none of them is the third worker.
    const last = traces(after)[0]!
    expect(frame.happened({ type: 'tile-failed', area: b, lease: last.lease, reason: 'x' }, 3)).toMatchObject([
      { type: 'frame-failed', reason: expect.stringContaining('failed 3 times on 2 workers, all that are left') },
    ])
  })

  it('does not lose the frame with others there', () => {
    const frame = schedule([a, b])
    const [order] = traces(frame.begin(0))
    const fail = (worker: AreaId, lease: LeaseId) =>
      frame.happened({ type: 'tile-failed', area: worker, lease, reason: 'no light' }, 1)
    const [second] = traces(fail(a, order!.lease))
    expect(second!.area).toBe(b)
    frame.happened({ type: 'area-lost', area: a }, 1)
    frame.happened({ type: 'area-lost', area: b }, 1)
    const [third] = traces(frame.happened(ready(a2), 1))
    const [half] = traces(frame.happened(ready(c), 1))
    // It was the one piece that neither has traced: a has failed it before, and c has not.
    expect(fail(a2, third!.lease)).toEqual([])
    expect(frame.status).toBe('tracing')
    const after = frame.happened(done(c, half!.lease, half!.tile.rect), 2)
    expect(traces(after)).toMatchObject([{ area: c, tile: { rect: { ...left, h: 20 } } }])
  })
})

describe('an area that is quarantined for what it did elsewhere', () => {
  const aside = (worker: AreaId): ClusterEvent => ({ type: 'area-quarantined', area: worker })
  const rows = [left, right]

  it('gives its tiles to others, and gets nothing more before it is ready again', () => {
    const schedule = scheduleOf(
      rows.map(rect => ({ rect, worker: a })),
      [a, b],
    )
    schedule.begin(0)
    const actions = schedule.happened(aside(a), 1)
    expect(actions.filter(({ type }) => type === 'cancel')).toHaveLength(2)
    expect(new Set(traces(actions).map(({ area }) => area))).toEqual(new Set([b]))
    expect(types(actions)).not.toContain('quarantine')
    expect([...schedule.live]).toEqual([b])
    // It shares what waits with the one that is busy.
    expect(traces(schedule.happened(ready(a), 3))).toMatchObject([{ area: a, tile: { rect: { ...right, w: 25 } } }])
  })

  it('goes on if it is the last one', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    schedule.begin(0)
    expect(schedule.happened(aside(a), 1)).toEqual([])
    expect(types(schedule.happened(done(a, 0), 2))).toEqual(['accept', 'frame-complete'])
  })

  it('is back when nobody else is left', () => {
    const schedule = scheduleOf([{ rect: left, worker: b }], [a, b])
    schedule.begin(0)
    schedule.happened(aside(a), 1)
    schedule.happened({ type: 'area-lost', area: b }, 2)
    expect(traces(schedule.happened(ready(a), 3))).toMatchObject([{ area: a }])
  })
})

describe('a worker that fails what others trace', () => {
  const rows = Array.from({ length: 8 }, (_, i): Rect => ({ x: 0, y: 8 * i, w: 8, h: 7 }))

  it('gets nothing more until it is known whose fault it was', () => {
    const schedule = scheduleOf(
      rows.map(rect => ({ rect })),
      [a, b],
    )
    schedule.begin(0)
    const failed = schedule.happened({ type: 'tile-failed', area: a, lease: leaseId(0), reason: 'no thread' }, 1)
    expect(failed).toEqual([])
    // It goes to the end of the queue; a is idle all the while.
    const orders: Action[] = []
    for (let lease = 1; lease <= 6; lease++) orders.push(...schedule.happened(done(b, lease, rows[lease]!), 2))
    expect(new Set(traces(orders).map(({ area }) => area))).toEqual(new Set([b]))
  })

  it('is quarantined after the second, and what it has left goes to others', () => {
    const tiles = rows.map((rect, i) => ({ rect, worker: i < 6 ? a : b }))
    const schedule = scheduleOf(tiles, [a, b])
    const orders = traces(schedule.begin(0))
    const all: Action[] = []
    for (const { area, lease } of orders.filter(each => each.area === a))
      all.push(...schedule.happened({ type: 'tile-failed', area, lease, reason: 'no thread' }, 1))
    expect(all).toEqual([])
    const queue = orders.filter(({ area }) => area === b)
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { y, h } = next.tile.rect
      const actions = schedule.happened(
        { type: 'tile-done', area: next.area, lease: next.lease, from: y, to: y + h, more: false },
        2,
      )
      all.push(...actions)
      queue.push(...traces(actions))
    }
    expect(all.filter(({ type }) => type === 'quarantine')).toEqual([
      {
        type: 'quarantine',
        area: a,
        reason: 'it failed tiles that others traced, most recently: no thread',
        cause: 'failures',
      },
    ])
    expect(traces(all).every(({ area }) => area === b)).toBe(true)
    expect([...schedule.live]).toEqual([b])
    expect(schedule.status).toBe('complete')
  })

  it('is not blamed for a tile that fails everywhere', () => {
    const schedule = scheduleOf(
      [
        { rect: rows[0]!, worker: a },
        { rect: rows[1]!, worker: a },
      ],
      [a, b],
    )
    schedule.begin(0)
    const first = traces(schedule.happened({ type: 'tile-failed', area: a, lease: leaseId(0), reason: 'x' }, 1))
    expect(first).toMatchObject([{ area: b }])
    schedule.happened({ type: 'tile-failed', area: b, lease: first[0]!.lease, reason: 'x' }, 2)
    expect([...schedule.live]).toEqual([a, b])
  })
})

describe('many failures in one frame', () => {
  /** Areas of one tile each; the first ones fail theirs, and then all others are traced. Returns what that took by event. */
  const play = (count: number, bad: number) => {
    const areas = Array.from({ length: count }, (_, i) => areaId(`w${i}`))
    const tiles = areas.map((worker, i) => ({ rect: { x: 0, y: 64 * i, w: 256, h: 64 }, worker }))
    const schedule = scheduleOf(tiles, areas, { stealing: 'rows' })
    const held = new Map(traces(schedule.begin(0)).map(order => [order.lease, order]))
    const orders = [held.size]
    const asked = [vi.spyOn(Suspicion.prototype, 'mayTake'), vi.spyOn(TileChoice.prototype, 'next')]
    let events = 0
    const tell = (event: ClusterEvent) => {
      const given = traces(schedule.happened(event, ++events))
      orders.push(given.length)
      for (const order of given) held.set(order.lease, order)
    }
    for (const { lease, area } of [...held.values()].slice(0, bad)) {
      held.delete(lease)
      tell({ type: 'tile-failed', area, lease, reason: 'no light' })
    }
    for (const { lease, area, tile } of held.values()) {
      held.delete(lease)
      tell(done(area, lease, tile.rect))
    }
    const steps = asked.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    for (const spy of asked) spy.mockRestore()
    expect(schedule.status).toBe('complete')
    return { steps: steps / events, orders: orders.reduce((sum, given) => sum + given, 0) }
  }

  it.each([
    [300, 1],
    [300, 150],
    [300, 299],
    [300, 300],
  ])('take few steps each, among %i areas of which %i fail theirs', (count, bad) => {
    const { steps, orders } = play(count, bad)
    expect(steps).toBeLessThan(40)
    expect(orders).toBeLessThan(15 * count)
  })
})
