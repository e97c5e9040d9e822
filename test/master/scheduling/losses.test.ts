/** Tiles of areas that are lost: all others share them, and many at once are not cut for each of them. */
import { describe, expect, it } from 'vitest'
import type { FrameSchedule } from '../../../master/scheduling/frame-schedule.ts'
import { type AreaId, areaId } from '../../../shared/ids.ts'
import { expectPartition } from '../../support/partition.ts'
import { done, scheduleOf, traces } from '../../support/schedules.ts'

type Order = ReturnType<typeof traces>[number]

const areasOf = (count: number) => Array.from({ length: count }, (_, i) => areaId(`w${i}`))

/** Tiles of 64 × 64 px below each other. */
const tilesOf = (areas: readonly AreaId[]) =>
  areas.map((worker, i) => ({ rect: { x: 0, y: 64 * i, w: 64, h: 64 }, worker }))

/** The first areas are lost, one event for each, and what is held then is all traced at the same time. Returns the orders since. */
function lose(schedule: FrameSchedule, lost: readonly AreaId[], begun: readonly Order[], tookMs: number): Order[] {
  const held = new Map(begun.map(order => [order.lease, order]))
  const orders: Order[] = []
  const take = (given: readonly Order[]) => {
    orders.push(...given)
    for (const order of given) held.set(order.lease, order)
  }
  for (const { lease, area } of begun) if (lost.includes(area)) held.delete(lease)
  for (const area of lost) take(traces(schedule.happened({ type: 'area-lost', area }, 0)))
  for (const { lease, area, tile } of held.values()) {
    held.delete(lease)
    take(traces(schedule.happened(done(area, lease, tile.rect), tookMs)))
  }
  expect(schedule.status).toBe('complete')
  return orders
}

describe('when one of a few areas is lost', () => {
  it('each of the others has a part of what it held, also of several tiles', () => {
    const areas = areasOf(4)
    const schedule = scheduleOf(tilesOf([areas[0]!, ...areas]), areas)
    const begun = traces(schedule.begin(0))
    expect(begun.filter(({ area }) => area === areas[0])).toHaveLength(2)
    for (const { area, lease, tile } of begun)
      if (area !== areas[0]) schedule.happened(done(area, lease, tile.rect), 1000)
    const rescue = traces(schedule.happened({ type: 'area-lost', area: areas[0]! }, 1001))
    expect(rescue.map(({ area }) => area)).toEqual(areas.slice(1))
    const orders = [...rescue]
    for (const order of orders)
      orders.push(...traces(schedule.happened(done(order.area, order.lease, order.tile.rect), 1500)))
    expect(schedule.status).toBe('complete')
    // Three parts of each.
    expect(orders.map(({ area }) => area)).toEqual([...areas.slice(1), ...areas.slice(1)])
    expectPartition(
      orders.map(({ tile }) => tile),
      [64, 128],
    )
  })
})

describe('when many areas are lost at once', () => {
  it.each([
    [100, 50],
    [400, 200],
    [400, 300],
  ])('of %i areas %i, what they held is traced in some pieces for each area that is left', (count, gone) => {
    const areas = areasOf(count)
    const schedule = scheduleOf(tilesOf(areas), areas)
    const begun = traces(schedule.begin(0))
    const orders = lose(schedule, areas.slice(0, gone), begun, 1000)
    const left = count - gone
    expect(orders.length).toBeGreaterThan(1.5 * left)
    expect(orders.length).toBeLessThan(gone + 2 * left * Math.log(2 * left))
    expectPartition(
      orders.map(({ tile }) => tile),
      [64, 64 * gone],
    )
    // What is left towards the end is cut finely, so that all end at about the same time.
    const last = orders.slice(-left).map(({ tile: { rect } }) => rect.w * rect.h)
    expect(Math.max(...last)).toBeLessThan((64 * 64) / 8)
  })

  it('none is cut into pieces that take less time than their order and their answer', () => {
    const areas = areasOf(100)
    const schedule = scheduleOf(tilesOf(areas), areas)
    const begun = traces(schedule.begin(0))
    // A tile takes as long as a round trip.
    expect(lose(schedule, areas.slice(0, 50), begun, 2)).toHaveLength(50)
  })
})
