/** Row stealing on a toy cluster: what is expected of rows and what they really cost differ, and the frame ends even. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import type { Action, ClusterEvent } from '../../../master/scheduling/events.ts'
import { FrameSchedule } from '../../../master/scheduling/frame-schedule.ts'
import { leaseNumbers } from '../../../master/scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from '../../../master/scheduling/limits.ts'
import type { Rect, Size } from '../../../shared/frame/rect.ts'
import type { AreaId, LeaseId } from '../../../shared/ids.ts'
import { areaId } from '../../../shared/ids.ts'

const size: Size = [320, 640]
const SHORT_TRIP_MS = 1

interface Order {
  readonly lease: LeaseId
  readonly top: number
  row: number
  end: number
  part: number | undefined
  /** With the part at hand, ms. */
  begunAt?: number | undefined
}

interface Outcome {
  /** When each worker was done with its last row, ms. */
  readonly finished: ReadonlyMap<AreaId, number>
  readonly stolen: number
  readonly trims: number
  /** When, ms. */
  readonly stoleAt: readonly number[]
  /** When the next frame might first begin, ms. */
  readonly spareAt: number | undefined
}

interface Special extends SchedulerLimits {
  readonly grain: { readonly rows: number }
  /** How long each worker is at another frame first, ms. */
  readonly busyMs: readonly number[]
}

/** Traces strips of equal expected cost; row `y` of worker `w`'s strip really takes `rowMs(w, y)`. */
function run(
  count: number,
  speeds: readonly number[],
  rowMs: (worker: number, y: number) => number,
  { grain, busyMs = [], ...special }: Partial<Special> = {},
): Outcome {
  const limits = { ...DEFAULT_LIMITS, roundTripMs: SHORT_TRIP_MS, ...special }
  const { roundTripMs } = limits
  const workers = Array.from({ length: count }, (_, i) => ({
    id: areaId(`w${i}`),
    speed: speeds[i] ?? 1,
    ...(grain ? { grain } : {}),
  }))
  const total = workers.reduce((sum, { speed }) => sum + speed, 0)
  const predicted = new CostMap(size, 8)
  predicted.costs.fill(1)
  let x = 0
  const tiles = workers.map(({ id, speed }, i) => {
    const w = i === count - 1 ? size[0] - x : Math.round((size[0] * speed) / total)
    const rect: Rect = { x, y: 0, w, h: size[1] }
    x += w
    return { rect, worker: id }
  })
  const schedule = new FrameSchedule({ tiles, stealing: 'rows', predicted }, workers, leaseNumbers(), limits)
  const strips = new Map(tiles.map(({ worker, rect }, i) => [worker, { i, w: rect.w }]))
  const queues = new Map<AreaId, Order[]>(workers.map(({ id }) => [id, []]))
  const finished = new Map<AreaId, number>(workers.map(({ id }) => [id, 0]))
  const events: { at: number; happen: () => void }[] = []
  const stoleAt: number[] = []
  let spareAt: number | undefined
  let now = 0

  const later = (at: number, happen: () => void) => {
    events.push({ at, happen })
  }
  const tell = (event: ClusterEvent) => take(schedule.happened(event, now))
  const take = (actions: readonly Action[]) => {
    for (const action of actions) {
      if (action.type === 'trace') {
        const { lease, tile, area: worker, part } = action
        const { y, h, w, x: left } = tile.rect
        // A stolen row costs the thief what it would have cost its owner.
        const owner = [...strips.values()].find(({ i }) => left === tiles[i]!.rect.x)!
        const order: Order & { cost: (row: number) => number } = {
          lease,
          top: y,
          row: y,
          end: y + h,
          part,
          cost: row => (rowMs(owner.i, row) * w) / owner.w / workers.find(({ id }) => id === worker)!.speed,
        }
        later(now + roundTripMs / 2, () => {
          const queue = queues.get(worker)!
          queue.push(order)
          const freeAt = busyMs[workers.findIndex(({ id }) => id === worker)] ?? 0
          if (queue.length === 1) later(Math.max(now, freeAt), () => work(worker))
        })
      }
      if (action.type === 'trim') {
        stoleAt.push(now)
        const { area: worker, lease, rows } = action
        later(now + roundTripMs / 2, () => {
          const order = queues.get(worker)!.find(each => each.lease === lease)
          if (order) order.end = Math.min(order.end, Math.max(order.row + 1, order.top + rows))
        })
      }
    }
    if (schedule.isSpare(now)) spareAt ??= now
    const wake = schedule.wakeAt
    if (wake !== undefined) later(Math.max(now, wake), () => schedule.wakeAt === wake && tell({ type: 'tick' }))
  }
  /** Traces the next row of a worker's first order. */
  const work = (worker: AreaId) => {
    const [order] = queues.get(worker)! as (Order & { cost: (row: number) => number })[]
    if (!order) return
    order.begunAt ??= now
    later(now + order.cost(order.row) / 4, () => {
      order.row++
      finished.set(worker, now)
      const isPart = order.part !== undefined && order.row === order.top + order.part && order.row < order.end
      const isEnd = order.row >= order.end
      if (isPart || isEnd) {
        const from = isEnd && order.part && order.row > order.top + order.part ? order.top + order.part : order.top
        const tracedMs = now - order.begunAt!
        order.begunAt = undefined
        const message = { area: worker, lease: order.lease, from, to: order.row, more: !isEnd, tracedMs }
        later(now + roundTripMs / 2, () => tell({ type: 'tile-done', ...message }))
      }
      if (isEnd) queues.get(worker)!.shift()
      work(worker)
    })
  }
  take(schedule.begin(now))
  while (events.length > 0 && schedule.status === 'tracing') {
    const next = events.reduce((first, event) => (event.at < first.at ? event : first))
    events.splice(events.indexOf(next), 1)
    now = next.at
    next.happen()
  }
  expect(schedule.status).toBe('complete')
  return { finished, stolen: schedule.stolen, trims: stoleAt.length, stoleAt, spareAt }
}

const spread = ({ finished }: Outcome) => {
  const times = [...finished.values()]
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  return (Math.max(...times) - mean) / mean
}

describe('row stealing', () => {
  it('leaves a frame alone that goes as expected', () => {
    const outcome = run(8, [], () => 1)
    expect(outcome.stolen).toBe(0)
  })

  it('evens out workers that are slower than expected, with few steals', () => {
    const outcome = run(8, [], worker => (worker === 3 ? 1.4 : worker === 5 ? 1.2 : 1))
    expect(spread(outcome)).toBeLessThan(0.02)
    expect(outcome.stolen).toBeLessThan(16)
    expect(outcome.trims).toBe(outcome.stolen)
  })

  it('evens out costs that are not where they were expected', () => {
    const outcome = run(8, [], (worker, y) => 0.3 + 1.5 * Math.exp(-(((y - 80 * worker) / 120) ** 2)))
    expect(spread(outcome)).toBeLessThan(0.1)
  })

  it('moves rows as soon as all parts have come, not when somebody is idle already', () => {
    const early = run(8, [], worker => (worker === 3 ? 1.4 : 1)).stoleAt
    // Rows are a quarter of a ms: a frame of 160 ms, of which 69 % are the first part, or 1.4 times as much.
    expect(Math.min(...early)).toBeGreaterThan(0.69 * 1.4 * 160)
    expect(Math.min(...early)).toBeLessThan(158)
  })

  it('lets rows be where word of it would come too late', () => {
    expect(run(8, [], worker => (worker === 3 ? 1.4 : 1), { roundTripMs: 60 }).stolen).toBe(0)
  })

  it('takes no rows that an area has begun with, as many as those are', () => {
    const steals = (rows: number) => run(8, [], worker => (worker === 3 ? 1.4 : 1), { grain: { rows } }).stolen
    expect(steals(1)).toBeGreaterThan(0)
    expect(steals(size[1])).toBe(0)
  })

  it('does not take who began late for slow', () => {
    const outcome = run(8, [], () => 1, { busyMs: [0, 0, 0, 40] })
    expect(spread(outcome)).toBeLessThan(0.02)
    // Each of the others takes once what is right, and nobody anything back.
    expect(outcome.stolen).toBeLessThan(8)
  })

  it('says in time that the next frame may begin, and then leaves small differences to it', () => {
    const slower = (worker: number) => (worker === 3 ? 1.04 : 1)
    const alone = run(8, [], slower)
    const overlapping = run(8, [], slower, { nextFrameMs: 20 })
    expect(alone.stolen).toBeGreaterThan(0)
    expect(overlapping.stolen).toBe(0)
    // Others are through after 160 ms.
    expect(overlapping.spareAt).toBeLessThan(160 - 20)
    expect(run(8, [], worker => (worker === 3 ? 1.4 : 1), { nextFrameMs: 20 }).stolen).toBeGreaterThan(0)
  })

  it('knows that workers are not equally fast', () => {
    const speeds = [1, 1, 1, 1, 0.5, 0.5, 0.25, 0.25]
    const outcome = run(8, speeds, worker => speeds[worker]! * (worker === 7 ? 2 : 1))
    expect(spread(outcome)).toBeLessThan(0.03)
  })

  it('ends every frame, whatever rows cost', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.double({ min: 0.01, max: 3, noNaN: true }), { minLength: 12, maxLength: 12 }),
        (count, costs) => run(count, [], (worker, y) => costs[(worker + (y >> 7)) % 12]!).stolen < 4 * count + 1,
      ),
      { numRuns: 30 },
    )
  })
})
