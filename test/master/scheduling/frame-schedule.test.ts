/** A frame's schedule: what becomes of every tile, and of those whose worker goes. */
import { describe, expect, it } from 'vitest'
import type { ClusterEvent } from '../../../master/scheduling/events.ts'
import { FrameSchedule } from '../../../master/scheduling/frame-schedule.ts'
import { leaseNumbers } from '../../../master/scheduling/lease-numbers.ts'
import type { PlannedTile } from '../../../master/strategies/strategy.ts'
import type { PixelSet } from '../../../shared/frame/pixel-set.ts'
import { type AreaId, type LeaseId, leaseId } from '../../../shared/ids.ts'
import { expectPartition } from '../../support/partition.ts'
import { a, b, c, done, left, ready, right, scheduleOf, sharesOf, traces, types } from '../../support/schedules.ts'

describe('a frame without trouble', () => {
  it('leases every planned tile to its worker and ends with the last one', () => {
    const tiles = [
      { rect: left, worker: a },
      { rect: right, worker: b },
    ]
    const schedule = new FrameSchedule({ tiles }, sharesOf([a, b]), leaseNumbers(7))
    expect(traces(schedule.begin(0))).toEqual([
      { type: 'trace', area: a, lease: 7, tile: { rect: left } },
      { type: 'trace', area: b, lease: 8, tile: { rect: right } },
    ])
    expect(types(schedule.happened(done(b, 8), 100))).toEqual(['accept'])
    expect(types(schedule.happened(done(a, 7), 120))).toEqual(['accept', 'frame-complete'])
    expect(schedule).toMatchObject({ status: 'complete', rescued: 0, stolen: 0 })
  })

  it('keeps a second tile on its way to a worker with several, and gives unowned ones to the idle', () => {
    const column = (x: number, worker?: AreaId): PlannedTile => ({
      rect: { x, y: 0, w: 10, h: 8 },
      ...(worker ? { worker } : {}),
    })
    const schedule = scheduleOf([column(0, a), column(10, a), column(20, a), column(30)], [a, b])
    expect(traces(schedule.begin(0)).map(({ area, tile }) => [area, tile.rect.x])).toEqual([
      [a, 0],
      [b, 30],
      [a, 10],
    ])
    const next = schedule.happened(done(a, 0, { x: 0, y: 0, w: 10, h: 8 }), 5)
    expect(traces(next).map(({ area, tile }) => [area, tile.rect.x])).toEqual([[a, 20]])
  })

  it('drops a tile of a lease that it never gave, or gave to somebody else', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a, b])
    schedule.begin(0)
    expect(types(schedule.happened(done(a, 99), 1))).toEqual(['drop'])
    expect(types(schedule.happened(done(b, 0), 1))).toEqual(['drop'])
  })

  it('takes a tile in parts', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    schedule.begin(0)
    const part = { type: 'tile-done', area: a, lease: leaseId(0), from: 0, to: 30, more: true } as const
    expect(schedule.happened(part, 5)).toEqual([{ type: 'accept', lease: 0, tile: { rect: { ...left, h: 30 } } }])
    const rest = schedule.happened({ ...part, from: 30, to: 40, more: false }, 9)
    expect(rest).toEqual([
      { type: 'accept', lease: 0, tile: { rect: { ...left, y: 30, h: 10 } } },
      { type: 'frame-complete' },
    ])
  })

  it('lets an idle worker take the later half of the longest queue where the plan says so', () => {
    const row = (y: number): PlannedTile => ({ rect: { x: 0, y, w: 50, h: 4 }, worker: a })
    const tiles = [0, 4, 8, 12, 16, 20, 24, 28].map(row)
    expect(traces(scheduleOf(tiles, [a, b]).begin(0)).every(({ area }) => area === a)).toBe(true)
    const schedule = scheduleOf(tiles, [a, b], { stealing: 'tiles' })
    const begun = traces(schedule.begin(0))
    expect(begun.map(({ area, tile }) => [area, tile.rect.y])).toEqual([
      [a, 0],
      [b, 16],
      [a, 4],
      [b, 20],
    ])
    expect(schedule.stolen).toBe(1)
  })
})

describe('a frame with trouble', () => {
  it('shares the tile of a lost worker between the others', () => {
    const third = { ...right, x: 100 }
    const schedule = scheduleOf(
      [
        { rect: left, worker: a },
        { rect: right, worker: b },
        { rect: third, worker: c },
      ],
      [a, b, c],
    )
    schedule.begin(0)
    schedule.happened(done(b, 1), 5)
    schedule.happened(done(c, 2), 6)
    const rescue = traces(schedule.happened({ type: 'area-lost', area: a }, 10))
    expect(rescue.map(({ area }) => area)).toEqual([b, c])
    expectPartition(
      rescue.map(({ tile }) => tile),
      [50, 40],
    )
    expect(schedule.rescued).toBe(1)
    expect(types(schedule.happened(done(a, 0), 11))).toEqual(['drop'])
  })

  it('rescues what is left of a tile that came in parts, and nothing else', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a, b])
    schedule.begin(0)
    schedule.happened({ type: 'tile-done', area: a, lease: leaseId(0), from: 0, to: 30, more: true }, 5)
    const [rescue] = traces(schedule.happened({ type: 'area-lost', area: a }, 6))
    expect(rescue).toMatchObject({ area: b, tile: { rect: { x: 0, y: 30, w: 50, h: 10 } } })
  })

  it('waits for a worker when all are gone, and takes the first that comes', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    schedule.begin(0)
    expect(schedule.happened({ type: 'area-lost', area: a }, 1)).toEqual([])
    const back = schedule.happened(ready(b), 2)
    expect(traces(back)).toMatchObject([{ area: b, tile: { rect: left } }])
  })

  it('lets everyone help who comes after all had gone', () => {
    const schedule = scheduleOf(
      [left, right].map(rect => ({ rect, worker: a })),
      [a],
    )
    schedule.begin(0)
    schedule.happened({ type: 'area-lost', area: a }, 1)
    const first = schedule.happened(ready(b), 2)
    const second = schedule.happened(ready(c), 3)
    expect([...traces(first), ...traces(second)].map(({ area }) => area)).toEqual([b, c])
  })
})

describe('tiles that travel ahead', () => {
  const column = (x: number): PlannedTile => ({ rect: { x, y: 0, w: 10, h: 8 } })
  const columns = (count: number) => Array.from({ length: count }, (_, i) => column(10 * i))
  const whole = (worker: AreaId, { lease, tile }: { lease: LeaseId; tile: PixelSet }): ClusterEvent => ({
    type: 'tile-done',
    area: worker,
    lease,
    from: tile.rect.y,
    to: tile.rect.y + tile.rect.h,
    more: false,
  })

  it('are as many as the plan says, of the common queue too', () => {
    for (const [ahead, expected] of [
      [undefined, [a, b]],
      [0, [a, b]],
      [1, [a, b, a, b]],
      [2, [a, b, a, b, a, b]],
    ] as const) {
      const schedule = scheduleOf(columns(6), [a, b], ahead === undefined ? {} : { ahead })
      expect(traces(schedule.begin(0)).map(({ area }) => area)).toEqual(expected)
    }
  })

  it('do not wait behind a busy worker while another is idle', () => {
    const schedule = scheduleOf(columns(4), [a, b], { ahead: 1 })
    const orders = traces(schedule.begin(0))
    const [, ofB, , nextOfB] = orders
    schedule.happened(whole(b, ofB!), 100)
    // a is at its first tile still, and will be for long: b takes the second one over.
    const taken = schedule.happened(whole(b, nextOfB!), 110)
    expect(taken).toEqual([
      { type: 'accept', lease: 3, tile: nextOfB!.tile },
      { type: 'cancel', area: a, lease: 2 },
      { type: 'trace', area: b, lease: 4, tile: { rect: column(20).rect } },
    ])
    expect(schedule.stolen).toBe(1)
  })

  it('stay where they are if they will be begun sooner than word of it could come', () => {
    const schedule = scheduleOf(columns(4), [a, b], { ahead: 1 })
    const orders = traces(schedule.begin(0))
    const [, ofB, , nextOfB] = orders
    schedule.happened(whole(b, ofB!), 100)
    expect(types(schedule.happened(whole(b, nextOfB!), 100.5))).toEqual(['accept'])
  })
})
