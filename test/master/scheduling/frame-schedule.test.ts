/** A frame's schedule: what becomes of every tile, whatever happens to the workers. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Action, ClusterEvent } from '../../../master/scheduling/events.ts'
import { FrameSchedule } from '../../../master/scheduling/frame-schedule.ts'
import { leaseNumbers } from '../../../master/scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS } from '../../../master/scheduling/limits.ts'
import type { Plan, PlannedTile } from '../../../master/strategies/strategy.ts'
import { type AreaId, areaId, type LeaseId, leaseId } from '../../../shared/ids.ts'
import type { PixelSet } from '../../../shared/pixel-set.ts'
import type { Rect } from '../../../shared/rect.ts'
import { expectPartition, partitionOf } from '../../support/partition.ts'

const [a, b, c] = ['a', 'b', 'c'].map(areaId) as [AreaId, AreaId, AreaId]
const left: Rect = { x: 0, y: 0, w: 50, h: 40 }
const right: Rect = { x: 50, y: 0, w: 50, h: 40 }

const sharesOf = (ids: readonly AreaId[]) => ids.map(id => ({ id, speed: 1 }))
const scheduleOf = (tiles: Plan['tiles'], workers: readonly AreaId[], more: Omit<Plan, 'tiles'> = {}) =>
  new FrameSchedule({ tiles, ...more }, sharesOf(workers), leaseNumbers())

const traces = (actions: readonly Action[]) => actions.filter(action => action.type === 'trace')
const types = (actions: readonly Action[]) => actions.map(action => action.type)

/** All that was still wanted of a lease came. */
const done = (worker: AreaId, lease: number, { y, h }: Rect = left): ClusterEvent => ({
  type: 'tile-done',
  worker,
  lease: leaseId(lease),
  from: y,
  to: y + h,
  more: false,
})

describe('a frame without trouble', () => {
  it('leases every planned tile to its worker and ends with the last one', () => {
    const tiles = [
      { rect: left, worker: a },
      { rect: right, worker: b },
    ]
    const schedule = new FrameSchedule({ tiles }, sharesOf([a, b]), leaseNumbers(7))
    expect(traces(schedule.begin(0))).toEqual([
      { type: 'trace', worker: a, lease: 7, tile: { rect: left } },
      { type: 'trace', worker: b, lease: 8, tile: { rect: right } },
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
    expect(traces(schedule.begin(0)).map(({ worker, tile }) => [worker, tile.rect.x])).toEqual([
      [a, 0],
      [b, 30],
      [a, 10],
    ])
    const next = schedule.happened(done(a, 0, { x: 0, y: 0, w: 10, h: 8 }), 5)
    expect(traces(next).map(({ worker, tile }) => [worker, tile.rect.x])).toEqual([[a, 20]])
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
    const part = { type: 'tile-done', worker: a, lease: leaseId(0), from: 0, to: 30, more: true } as const
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
    expect(traces(scheduleOf(tiles, [a, b]).begin(0)).every(({ worker }) => worker === a)).toBe(true)
    const schedule = scheduleOf(tiles, [a, b], { stealing: 'tiles' })
    const begun = traces(schedule.begin(0))
    expect(begun.map(({ worker, tile }) => [worker, tile.rect.y])).toEqual([
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
    const rescue = traces(schedule.happened({ type: 'worker-lost', worker: a }, 10))
    expect(rescue.map(({ worker }) => worker)).toEqual([b, c])
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
    schedule.happened({ type: 'tile-done', worker: a, lease: leaseId(0), from: 0, to: 30, more: true }, 5)
    const [rescue] = traces(schedule.happened({ type: 'worker-lost', worker: a }, 6))
    expect(rescue).toMatchObject({ worker: b, tile: { rect: { x: 0, y: 30, w: 50, h: 10 } } })
  })

  it('waits for a worker when all are gone, and takes the first that comes', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    schedule.begin(0)
    expect(schedule.happened({ type: 'worker-lost', worker: a }, 1)).toEqual([])
    const back = schedule.happened({ type: 'worker-ready', worker: b }, 2)
    expect(traces(back)).toMatchObject([{ worker: b, tile: { rect: left } }])
  })

  it('lets everyone help who comes after all had gone', () => {
    const schedule = scheduleOf(
      [left, right].map(rect => ({ rect, worker: a })),
      [a],
    )
    schedule.begin(0)
    schedule.happened({ type: 'worker-lost', worker: a }, 1)
    const first = schedule.happened({ type: 'worker-ready', worker: b }, 2)
    const second = schedule.happened({ type: 'worker-ready', worker: c }, 3)
    expect([...traces(first), ...traces(second)].map(({ worker }) => worker)).toEqual([b, c])
  })

  it('does not use a worker that joins while others are at work', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    schedule.begin(0)
    expect(schedule.happened({ type: 'worker-ready', worker: b }, 1)).toEqual([])
    expect([...schedule.live]).toEqual([a])
  })

  it('takes a tile back from a worker that is far too late, once another is idle', () => {
    const schedule = scheduleOf(
      [
        { rect: left, worker: a },
        { rect: right, worker: b },
      ],
      [a, b],
    )
    schedule.begin(0)
    schedule.happened(done(b, 1), 6000)
    expect(schedule.happened({ type: 'tick' }, 23_000)).toEqual([])
    const late = schedule.happened({ type: 'tick' }, 24_001)
    expect(types(late)).toEqual(['cancel', 'trace'])
    expect(traces(late)[0]).toMatchObject({ worker: b, tile: { rect: left } })
    // Nobody is idle any more, so the second tile stays where it is however long it takes.
    expect(schedule.happened({ type: 'tick' }, 1e9)).toEqual([])
  })

  it('tries a failing tile again, and gives the frame up at the third failure', () => {
    const { maxFailures } = DEFAULT_LIMITS
    const schedule = scheduleOf([{ rect: left, worker: a }], [a, b])
    let actions = schedule.begin(0)
    for (let failure = 1; failure <= maxFailures; failure++) {
      const [order] = traces(actions)
      expect(order).toMatchObject({ tile: { rect: left } })
      const { worker, lease } = order!
      actions = schedule.happened({ type: 'tile-failed', worker, lease, reason: 'bad luck' }, failure)
    }
    expect(actions).toMatchObject([
      { type: 'frame-failed', reason: expect.stringContaining('tile 0,0 50x40 failed 3 times, last on') },
    ])
    expect(schedule.status).toBe('failed')
  })

  it.each([
    { from: 0, to: 39 },
    { from: 1, to: 40 },
  ])('holds rows $from to $to of 40 as the last answer to be a failure', rows => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    schedule.begin(0)
    const short = schedule.happened({ ...done(a, 0), ...rows } as ClusterEvent, 1)
    expect(types(short)).toEqual(['trace'])
    expect(schedule.rescued).toBe(1)
  })
})

describe('under any sequence of events', () => {
  type Command = { kind: 'done' | 'part' | 'failed' | 'lost' | 'ready' | 'tick' | 'stray'; which: number; wait: number }
  const anyCommand: fc.Arbitrary<Command> = fc.record({
    kind: fc.constantFrom('done', 'done', 'done', 'part', 'part', 'lost', 'ready', 'tick', 'failed', 'stray'),
    which: fc.nat(20),
    wait: fc.constantFrom(1, 10, 500, 20_000, 100_000),
  })
  const size = [64, 48] as const

  /** What a worker holds of a lease: the rows it has not sent, and up to where it will go. */
  interface Held {
    readonly worker: AreaId
    readonly tile: PixelSet
    next: number
    end: number
  }

  it.each([undefined, 'tiles', 'rows'] as const)(
    'loses no pixel, accepts none twice, and ends: stealing %s',
    stealing => {
      fc.assert(
        fc.property(
          partitionOf(size, 9),
          fc.array(anyCommand, { maxLength: 60 }),
          fc.boolean(),
          (rects, commands, owned) => {
            const everyone = [a, b, c]
            const tiles = rects.map(
              (rect, i): PlannedTile => ({ rect, ...(owned ? { worker: everyone[i % 3]! } : {}) }),
            )
            const limits = { ...DEFAULT_LIMITS, maxFailures: 1000 }
            const plan = { tiles, ...(stealing ? { stealing } : {}) }
            const schedule = new FrameSchedule(plan, sharesOf(everyone), leaseNumbers(), limits)
            const open = new Map<LeaseId, Held>()
            const accepted: PixelSet[] = []
            let now = 0
            let ended = 0
            const take = (actions: readonly Action[]) => {
              for (const action of actions) {
                if (action.type === 'trace') {
                  const { worker, lease, tile } = action
                  open.set(lease, { worker, tile, next: tile.rect.y, end: tile.rect.y + tile.rect.h })
                }
                if (action.type === 'trim') {
                  const held = open.get(action.lease)
                  // A worker may have begun with a few rows more.
                  const begun = (now + action.lease) % 3
                  if (held) held.end = Math.min(held.end, held.tile.rect.y + action.rows + begun)
                }
                if (action.type === 'cancel') open.delete(action.lease)
                if (action.type === 'accept') accepted.push(action.tile)
                if (action.type === 'frame-complete') ended++
              }
            }
            const happen = (event: ClusterEvent) => {
              if (event.type === 'tile-failed') open.delete(event.lease)
              if (event.type === 'worker-lost')
                for (const [lease, { worker }] of open) if (worker === event.worker) open.delete(lease)
              take(schedule.happened(event, now))
            }
            /** The next answer of a worker to a lease. */
            const answer = (lease: LeaseId, held: Held, rows: number) => {
              const from = held.next
              const to = Math.min(held.end, from + rows)
              const more = to < held.end
              held.next = to
              if (!more) open.delete(lease)
              happen({ type: 'tile-done', worker: held.worker, lease, from, to, more })
            }
            take(schedule.begin(now))
            for (const { kind, which, wait } of commands) {
              now += wait
              const worker = everyone[which % 3]!
              const [lease, held] = [...open][which % Math.max(1, open.size)] ?? []
              if (kind === 'tick') happen({ type: 'tick' })
              else if (kind === 'lost') happen({ type: 'worker-lost', worker })
              else if (kind === 'ready') happen({ type: 'worker-ready', worker })
              else if (kind === 'stray') happen(done(worker, 1000 + which))
              else if (lease === undefined || !held) continue
              else if (kind === 'failed') happen({ type: 'tile-failed', worker: held.worker, lease, reason: 'x' })
              else answer(lease, held, kind === 'part' ? 1 + (which % 7) : 1000)
            }
            happen({ type: 'worker-ready', worker: a })
            for (let rounds = 0; ended === 0 && rounds < 1000; rounds++) {
              const [lease, held] = [...open][0]!
              answer(lease, held, 1000)
            }
            if (ended !== 1) throw new Error(`ended ${ended} times`)
            expectPartition(accepted, size)
          },
        ),
        { numRuns: 200 },
      )
    },
  )
})
