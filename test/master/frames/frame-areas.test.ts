/** Areas that come, go and return while a frame is made, in any of its phases: the next pass is planned for those that are there. */
import { describe, expect, it } from 'vitest'
import { Frame } from '../../../master/frames/frame.ts'
import { FrameAreas } from '../../../master/frames/frame-areas.ts'
import type { FrameOrder } from '../../../master/frames/frame-order.ts'
import { FramePlanner } from '../../../master/frames/frame-planner.ts'
import type { Action } from '../../../master/scheduling/events.ts'
import { leaseNumbers } from '../../../master/scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS } from '../../../master/scheduling/limits.ts'
import { strategyByName } from '../../../master/strategies/index.ts'
import { CellMask } from '../../../shared/frame/cell-mask.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { type AreaId, areaId } from '../../../shared/ids.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../shared/session/strategy-options.ts'
import { a, b, c, ready, sharesOf, traces } from '../../support/schedules.ts'
import { smallCamera } from '../../support/small-scene.ts'

const size: Size = [96, 64]
const TIMES = { waitMs: 0, wallMs: 4, cpuMs: 4, encodeMs: 0 }

const frameOf = (areas: readonly AreaId[], changes: Partial<FrameOrder> = {}, strategy = 'static-blocks') => {
  const options = DEFAULT_STRATEGY_OPTIONS
  const planner = new FramePlanner({ strategy: strategyByName(strategy), options, size, clock: 'cpu', record: false })
  const order = { frame: 0, camera: smallCamera(0), size, areas: sharesOf(areas), samples: 64, passes: 2 }
  const known = { limits: DEFAULT_LIMITS, numbers: leaseNumbers(), beganAt: 0 }
  return new Frame({ ...order, ...known, ...changes }, planner)
}

/** Gives a frame what it needs until its tiles are out. Returns these. */
function provide(frame: Frame, now: number) {
  for (;;) {
    if (frame.need === 'statistics') frame.learn()
    else if (frame.need === 'decision') frame.decide()
    else if (frame.need === 'cells') frame.narrow(new CellMask(size, 8, () => true), now)
    else if (frame.need === 'assembly') frame.assembled(now)
    else if (frame.need === 'dispatch') return sent(frame, frame.begin(now), now)
    else return []
  }
}

function sent(frame: Frame, actions: readonly Action[], now: number) {
  const orders = traces(actions)
  for (const order of orders) frame.sent(order, now)
  return orders
}

type Orders = ReturnType<typeof sent>

/** All answers come, also to what is ordered meanwhile. Returns what was. */
function answer(frame: Frame, orders: Orders, now: number): Orders {
  const later: Orders = []
  const open = [...orders]
  for (let next = open.shift(); next; next = open.shift()) {
    const { area, lease, tile } = next
    const { y, h } = tile.rect
    const actions = frame.happened({ type: 'tile-done', area, lease, from: y, to: y + h, more: false }, now)
    for (const action of actions) {
      if (action.type === 'accept') frame.placed(action, { tile, times: TIMES, arrivedAt: now }, now)
      if (action.type === 'frame-complete') frame.passComplete()
    }
    const more = sent(frame, actions, now)
    open.push(...more)
    later.push(...more)
  }
  return later
}

const areasOf = (orders: Orders) => [...new Set(orders.map(({ area }) => area))].sort()

describe('an area that comes', () => {
  it('while tiles are traced is planned for in the next pass', () => {
    const frame = frameOf([a, b])
    const first = provide(frame, 0)
    expect(frame.happened(ready(c, 2), 1)).toEqual([])
    answer(frame, first, 2)
    const second = provide(frame, 3)
    expect(areasOf(second)).toEqual([a, b, c])
  })

  it.each(['statistics', 'decision', 'dispatch'] as const)('when a frame needs %s is not forgotten', phase => {
    const frame = frameOf([a, b], {}, 'demand-driven')
    while (frame.need !== phase) {
      if (frame.need === 'statistics') frame.learn()
      else frame.decide()
    }
    expect(frame.happened(ready(c), 0)).toEqual([])
    const first = provide(frame, 1)
    const more = answer(frame, first, 2)
    expect(areasOf([...first, ...more])).toContain(c)
    expect(areasOf(provide(frame, 3))).toEqual([a, b, c])
  })

  it('while an adaptive frame is judged is planned for, with the grain of the pass', () => {
    const frame = frameOf([a, b], { passes: 1, adaptive: true })
    answer(frame, provide(frame, 0), 1)
    expect(frame.need).toBe('cells')
    frame.happened(ready(c), 2)
    expect(areasOf(provide(frame, 3))).toEqual([a, b, c])
  })
})

describe('an area that goes', () => {
  it('between two passes gets nothing', () => {
    const frame = frameOf([a, b])
    answer(frame, provide(frame, 0), 1)
    frame.happened({ type: 'area-lost', area: b }, 2)
    expect(areasOf(provide(frame, 3))).toEqual([a])
  })

  it('is planned for if nobody is left, and the next that comes takes over', () => {
    const frame = frameOf([a])
    answer(frame, provide(frame, 0), 1)
    frame.happened({ type: 'area-lost', area: a }, 2)
    provide(frame, 3)
    expect([...frame.live]).toEqual([])
    expect(areasOf(sent(frame, frame.happened(ready(b), 4), 4))).toEqual([b])
  })
})

describe('an area that was quarantined', () => {
  const aside = (frame: Frame) => frame.happened({ type: 'area-quarantined', area: b }, 1)

  it('and is ready again has one share of each later pass, and no tile of it is traced twice', () => {
    const frame = frameOf([a, b], { passes: 3 })
    const first = provide(frame, 0)
    expect(sent(frame, aside(frame), 1)).toEqual([])
    const back = sent(frame, frame.happened(ready(b), 2), 2)
    expect(areasOf(back)).toEqual([b])
    answer(frame, [first[0]!, ...back], 3)
    for (const now of [4, 6]) {
      const orders = provide(frame, now)
      expect(orders.map(({ area }) => area)).toEqual([a, b])
      expect([...frame.live]).toEqual([a, b])
      expect(answer(frame, orders, now + 1)).toEqual([])
    }
    provide(frame, 8)
    expect(frame.facts).toMatchObject({ rescued: 1, redundantPx: 0 })
  })

  it('is not in the next pass otherwise', () => {
    const frame = frameOf([a, b])
    const first = provide(frame, 0)
    answer(frame, [...first, ...sent(frame, aside(frame), 1)], 3)
    expect(areasOf(provide(frame, 4))).toEqual([a])
  })

  it('stays if it is the last one', () => {
    const frame = frameOf([b])
    const first = provide(frame, 0)
    expect(aside(frame)).toEqual([])
    answer(frame, first, 3)
    expect(areasOf(provide(frame, 4))).toEqual([b])
  })
})

it('whoever rests in a pass is there in the next', () => {
  const areas = new FrameAreas(sharesOf([a, b]))
  areas.happened({ type: 'area-lost', area: areaId('x') })
  areas.lose(b)
  expect(areas.present.map(({ id }) => id)).toEqual([a])
  areas.happened(ready(b, 3))
  expect(areas.present.at(-1)).toEqual({ id: b, speed: 3 })
})
