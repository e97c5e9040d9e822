/** Areas that come, or come back, while a frame is traced: each is at work at once, whatever the plan. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { FrameSchedule } from '../../../master/scheduling/frame-schedule.ts'
import { leaseNumbers } from '../../../master/scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS } from '../../../master/scheduling/limits.ts'
import type { Plan, PlannedTile } from '../../../master/strategies/strategy.ts'
import type { Rect } from '../../../shared/frame/rect.ts'
import { type AreaId, areaId, leaseId } from '../../../shared/ids.ts'
import { expectPartition } from '../../support/partition.ts'
import { a, b, c, done, left, ready, right, scheduleOf, sharesOf, traces, types } from '../../support/schedules.ts'

const rowsOf = (worker: AreaId | undefined, count: number): PlannedTile[] =>
  Array.from({ length: count }, (_, i) => ({
    rect: { x: 0, y: 4 * i, w: 50, h: 4 },
    ...(worker ? { worker } : {}),
  }))

describe('an area that comes to a frame in progress', () => {
  it('takes from the common queue, and as many ahead as the others', () => {
    const schedule = scheduleOf(rowsOf(undefined, 9), [a], { ahead: 1 })
    schedule.begin(0)
    expect(traces(schedule.happened(ready(b), 5)).map(({ area, tile }) => [area, tile.rect.y])).toEqual([
      [b, 8],
      [b, 12],
    ])
    expect([...schedule.live]).toEqual([a, b])
  })

  it('takes half of what waits for the busiest where tiles may be stolen', () => {
    const schedule = scheduleOf(rowsOf(a, 10), [a], { stealing: 'tiles' })
    schedule.begin(0)
    expect(traces(schedule.happened(ready(b), 5)).map(({ tile }) => tile.rect.y)).toEqual([24, 28])
    expect(schedule.stolen).toBe(1)
  })

  it('takes what others have not been sent, one after the other, where the plan knows of no stealing', () => {
    const schedule = scheduleOf(rowsOf(a, 5), [a])
    schedule.begin(0)
    const [last] = traces(schedule.happened(ready(b), 5))
    expect(last).toMatchObject({ area: b, tile: { rect: { y: 16 } } })
    const next = traces(schedule.happened(done(b, last!.lease, last!.tile.rect), 9))
    expect(next).toMatchObject([{ area: b, tile: { rect: { y: 12 } } }])
    // Only for newcomers is a published plan changed.
    const two = scheduleOf(rowsOf(a, 5), [a, b])
    expect(traces(two.begin(0)).every(({ area }) => area === a)).toBe(true)
  })

  it('leaves tiles alone that are traced according to plan', () => {
    const schedule = scheduleOf([{ rect: left, worker: a }], [a])
    schedule.begin(0)
    expect(schedule.happened(ready(b), 5)).toEqual([])
    expect([...schedule.live]).toEqual([a, b])
    expect(schedule.isSpare(5)).toBe(true)
  })

  it('is served once, and not if it can do nothing', () => {
    const schedule = scheduleOf(rowsOf(undefined, 9), [a])
    schedule.begin(0)
    expect(traces(schedule.happened(ready(b), 5))).toHaveLength(1)
    expect(schedule.happened(ready(b), 6)).toEqual([])
    expect(schedule.happened(ready(c, 0), 7)).toEqual([])
    expect([...schedule.live]).toEqual([a, b])
  })

  it('that the plan lets rest is used when nobody else is left', () => {
    const schedule = scheduleOf(rowsOf(a, 2), [a, b], { resting: [b] })
    schedule.begin(0)
    expect(schedule.happened(ready(b), 1)).toEqual([])
    schedule.happened({ type: 'area-lost', area: a }, 2)
    expect(traces(schedule.happened(ready(b), 3))).toMatchObject([{ area: b }])
  })
})

describe('after areas were lost, one that comes', () => {
  const tiles = [
    { rect: left, worker: a },
    { rect: right, worker: b },
  ]

  it('takes their tiles first', () => {
    const schedule = scheduleOf([...tiles, ...[100, 150].map(x => ({ rect: { ...left, x }, worker: a }))], [a, b])
    schedule.begin(0)
    expect(schedule.happened({ type: 'area-lost', area: b }, 1)).toEqual([])
    // It shares what waits with the one that is busy.
    expect(traces(schedule.happened(ready(c), 2))).toMatchObject([{ area: c, tile: { rect: { ...right, w: 25 } } }])
  })

  it('brings a frame back to full speed when all but one return', () => {
    const everyone = Array.from({ length: 8 }, (_, i) => areaId(`w${i}`))
    const strips = everyone.map((worker, i) => ({ rect: { x: 0, y: 40 * i, w: 50, h: 40 }, worker }))
    const schedule = scheduleOf(strips, everyone)
    schedule.begin(0)
    for (const area of everyone.slice(1)) schedule.happened({ type: 'area-lost', area }, 1000)
    const back = everyone.slice(1).map(area => areaId(`${area}#2`))
    const orders = back.flatMap(area => traces(schedule.happened(ready(area), 3000)))
    expect(orders.map(({ area }) => area)).toEqual(back)
    // The last tile that waits is cut for all of them.
    const all = [...orders]
    for (let next = all.shift(); next; next = all.shift()) {
      const more = traces(schedule.happened(done(next.area, next.lease, next.tile.rect), 4000))
      all.push(...more)
      orders.push(...more)
    }
    expectPartition([{ rect: strips[0]!.rect }, ...orders.map(({ tile }) => tile)], [50, 320])
  })

  it('copies half of the largest tile in flight if nothing waits, once for each of them', () => {
    const schedule = scheduleOf(tiles, [a, b])
    schedule.begin(0)
    schedule.happened(done(b, 1, right), 1)
    schedule.happened({ type: 'area-lost', area: b }, 2)
    const [copy] = traces(schedule.happened(ready(c), 3))
    expect(copy).toMatchObject({ area: c, tile: { rect: { ...left, y: 20, h: 20 } } })
    expect(schedule.happened(ready(areaId('d')), 4)).toEqual([])
    // Whoever is first: nothing is later than it would have been.
    expect(schedule.happened(done(a, 0), 5)).toEqual([
      { type: 'accept', lease: 0, tile: { rect: left } },
      { type: 'cancel', area: c, lease: copy!.lease },
      { type: 'frame-complete' },
    ])
  })
})

describe('where rows may be stolen, an area that comes', () => {
  const size = [64, 640] as const
  const count = 4
  const areas = Array.from({ length: count }, (_, i) => areaId(`w${i}`))
  const strips = areas.map((worker, i) => ({ rect: { x: 16 * i, y: 0, w: 16, h: 640 }, worker }))
  const newcomer = areaId('n')
  const scheduleWith = (more: Partial<Plan> = {}, speed = 1) => {
    const predicted = new CostMap(size, 8)
    predicted.costs.fill(1)
    const shares = sharesOf(areas).map(share => ({ ...share, speed }))
    const plan = { tiles: strips, stealing: 'rows' as const, predicted, ...more }
    return new FrameSchedule(plan, shares, leaseNumbers(), DEFAULT_LIMITS, area => {
      const [name = area] = area.split('#')
      return { area: name, worker: name }
    })
  }
  const part = (schedule: FrameSchedule, number: number, rows: number, now: number) =>
    schedule.happened(
      { type: 'tile-done', area: areas[number]!, lease: leaseId(number), from: 0, to: rows, more: true },
      now,
    )

  it('takes some before anything has been answered: the first answer of an hour may come after most of it', () => {
    const schedule = scheduleWith()
    schedule.begin(0)
    const [order] = traces(schedule.happened(ready(newcomer), 60_000))
    expect(order).toMatchObject({ area: newcomer })
    const { y, h } = order!.tile.rect
    // Nobody has answered its first part: rows behind that have not been begun.
    expect(y).toBeGreaterThan(440)
    expect(y + h).toBe(640)
    // And the next when it is through, from another one.
    const next = traces(schedule.happened(done(newcomer, order!.lease, order!.tile.rect), 70_000))
    expect(next.length).toBeGreaterThan(0)
  })

  it('takes its share of what is left', () => {
    const schedule = scheduleWith()
    schedule.begin(0)
    for (const [number] of areas.entries()) part(schedule, number, 320, 10_000)
    const orders = traces(schedule.happened(ready(newcomer), 10_000))
    const rows = orders.reduce((sum, { tile }) => sum + tile.rect.h, 0)
    // Of half of each tile a fifth: two of the four victims are served at once, the others when it is through.
    expect(orders.map(({ area }) => area)).toEqual([newcomer, newcomer])
    expect(rows / 640).toBeCloseTo((2 / 4) * 0.5 * (4 / 5), 1)
  })

  it('takes the more the faster it says that it is, beside the others', () => {
    const taken = (speed: number) => {
      const schedule = scheduleWith({}, 8)
      schedule.begin(0)
      for (const [number] of areas.entries()) part(schedule, number, 320, 10_000)
      const [order] = traces(schedule.happened(ready(newcomer, speed), 10_000))
      return order?.tile.rect.h ?? 0
    }
    expect(taken(8)).toBeGreaterThan(1.5 * taken(2))
    expect(taken(2)).toBeGreaterThan(taken(0.5))
  })

  it('is as slow as it was if it has been there before', () => {
    const taken = (area: AreaId) => {
      const schedule = scheduleWith({ learned: { w3: 0.1 } })
      schedule.begin(0)
      for (const [number] of areas.entries()) part(schedule, number, 320, 10_000)
      schedule.happened({ type: 'area-lost', area: areas[3]! }, 10_001)
      // Its tile waits, in strips; the others are still at theirs.
      const [order] = traces(schedule.happened(ready(area), 10_002))
      const all = traces(schedule.happened(done(area, order!.lease, order!.tile.rect), 10_500))
      return { order, all }
    }
    const [same, other] = [taken(areaId('w3#2')), taken(newcomer)]
    expect(same.order!.tile).toEqual(other.order!.tile)
    const rows = ({ all }: ReturnType<typeof taken>) => all.reduce((sum, { tile }) => sum + tile.rect.h, 0)
    expect(rows(same)).toBeLessThanOrEqual(rows(other))
  })

  it('is not left idle among a thousand, though it makes next to no difference', () => {
    const many = Array.from({ length: 1000 }, (_, i) => areaId(`w${i}`))
    const tiles = many.map((worker, i) => ({ rect: { x: 0, y: 40 * i, w: 50, h: 40 }, worker }))
    const schedule = scheduleOf(tiles, many, { stealing: 'rows' })
    schedule.begin(0)
    expect(traces(schedule.happened(ready(newcomer), 20_000))).toMatchObject([{ area: newcomer }])
  })

  it('of a worker of several areas takes from that worker only if the plan says so', () => {
    const ofOne = areaId('v')
    const shares = [a, b].map((id, i) => ({ id, speed: 1, workerId: i === 0 ? ofOne : areaId('other') }))
    const halves: PlannedTile[] = [left, right].map((rect: Rect, i) => ({ rect, worker: shares[i]!.id }))
    const schedule = new FrameSchedule({ tiles: halves, stealing: 'own-rows' }, shares, leaseNumbers())
    schedule.begin(0)
    const share = { id: c, speed: 1, workerId: ofOne }
    const orders = traces(schedule.happened({ type: 'area-ready', area: c, share }, 10_000))
    expect(orders.map(({ tile }) => tile.rect.x)).toEqual([left.x])
    const stranger = traces(schedule.happened(ready(areaId('d')), 10_000))
    expect(stranger).toEqual([])
  })
})

describe('whoever comes and goes', () => {
  it('ends every frame, with every pixel once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Plan['stealing'][]>(undefined, 'tiles', 'rows'),
        fc.array(fc.record({ come: fc.boolean(), wait: fc.constantFrom(1, 300, 20_000) }), { maxLength: 20 }),
        (stealing, changes) => {
          const schedule = scheduleOf(rowsOf(a, 12), [a, b], stealing ? { stealing } : {})
          const held = new Map(traces(schedule.begin(0)).map(order => [order.lease, order]))
          const take = (actions: ReturnType<FrameSchedule['happened']>) => {
            for (const action of actions) {
              if (action.type === 'trace') held.set(action.lease, action)
              if (action.type === 'cancel') held.delete(action.lease)
            }
            return types(actions).includes('frame-complete')
          }
          let now = 0
          for (const [i, { come, wait }] of changes.entries()) {
            now += wait
            const gone = [...schedule.live].at(-1)!
            if (!come) for (const [lease, { area }] of held) if (area === gone) held.delete(lease)
            if (come) take(schedule.happened(ready(areaId(`n${i}`)), now))
            else if (schedule.live.size > 0) take(schedule.happened({ type: 'area-lost', area: gone }, now))
          }
          if (schedule.live.size === 0) take(schedule.happened(ready(c), now))
          for (let left = 1000; schedule.status === 'tracing'; left--) {
            expect(left).toBeGreaterThan(0)
            const [order] = held.values()
            held.delete(order!.lease)
            take(schedule.happened(done(order!.area, order!.lease, order!.tile.rect), ++now))
          }
          expect(schedule.status).toBe('complete')
        },
      ),
      { numRuns: 200 },
    )
  })
})
