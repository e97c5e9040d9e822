/** A frame in the making, by hand: what it needs, in which order, and what it makes of what it is told. */
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { CoverageMask } from '../../../master/coverage/coverage-mask.ts'
import { Frame } from '../../../master/frames/frame.ts'
import type { Planning } from '../../../master/frames/frame-order.ts'
import type { Action } from '../../../master/scheduling/events.ts'
import { leaseNumbers } from '../../../master/scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS } from '../../../master/scheduling/limits.ts'
import { CellMask } from '../../../shared/frame/cell-mask.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { areaId } from '../../../shared/ids.ts'
import { frameInput } from '../../support/frame-input.ts'
import { expectPartition } from '../../support/partition.ts'
import { smallCamera } from '../../support/small-scene.ts'

const size: Size = [32, 16]
const areas = ['a', 'b'].map(id => ({ id: areaId(id), speed: 1 }))
const halves = [
  { rect: { x: 0, y: 0, w: 16, h: 16 }, worker: areas[0]!.id },
  { rect: { x: 16, y: 0, w: 16, h: 16 }, worker: areas[1]!.id },
]

/** Plans halves, and notes what it is asked. */
function planning(changes: Partial<Planning> = {}) {
  const asked: string[] = []
  const own: Planning = {
    cell: 8,
    cellFor: () => 8,
    planContext: () => {
      asked.push('planContext')
      return frameInput({ size, workers: areas })
    },
    nextContext: before => {
      asked.push('nextContext')
      return before
    },
    wantsCoverage: () => false,
    wantsProbe: () => false,
    probed: tiles => {
      asked.push(`probed ${tiles.length}`)
      return new CostMap(size, 8)
    },
    plan: (_, found) => {
      asked.push(['plan', ...Object.keys(found)].join(' '))
      return { tiles: halves, decisions: { plans: asked.length } }
    },
    intake: () => {
      let taken = 0
      return {
        take: () => {
          taken++
        },
        done: () => {
          asked.push(`done ${taken}`)
          return () => ({ predictionError: asked.length })
        },
      }
    },
    ...changes,
  }
  return { asked, own }
}

const frameOf = (own: Planning, samples = 1, passes = 1, most: { mostTilePx?: number; adaptive?: boolean } = {}) =>
  new Frame(
    {
      frame: 3,
      camera: smallCamera(3),
      size,
      areas,
      samples,
      passes,
      ...most,
      limits: DEFAULT_LIMITS,
      numbers: leaseNumbers(),
      beganAt: 5,
    },
    own,
  )

/** Drives a frame until it waits for events; the tiles that are out then. */
function provide(frame: Frame, now: number) {
  const needs: string[] = []
  let actions: Action[] = []
  while (frame.need !== 'events' && frame.need !== 'nothing') {
    needs.push(frame.need)
    if (frame.need === 'statistics') frame.learn()
    else if (frame.need === 'coverage') frame.cover(new CoverageMask(size))
    else if (frame.need === 'decision') frame.decide()
    else actions = frame.begin(now)
  }
  const orders = actions.filter(action => action.type === 'trace')
  for (const order of orders) frame.sent(order, now)
  return { needs, orders }
}

/** Everything that is out comes back, and is put in place. */
function answer(frame: Frame, orders: ReturnType<typeof provide>['orders'], now: number): void {
  for (const { lease, area: worker, tile } of orders) {
    const { y, h } = tile.rect
    const done = { type: 'tile-done', area: worker, lease, from: y, to: y + h, more: false } as const
    for (const action of frame.happened(done, now)) {
      const times = { waitMs: 0, wallMs: 4, cpuMs: 4, encodeMs: 0 }
      if (action.type === 'accept') frame.placed(action, { tile, times, arrivedAt: now }, now)
      if (action.type === 'frame-complete') frame.passComplete()
    }
  }
  if (frame.need === 'assembly') frame.assembled(now)
}

describe('a frame', () => {
  it('is known, planned, dispatched, and whole when all tiles are in place', () => {
    const { asked, own } = planning()
    const frame = frameOf(own)
    const { needs, orders } = provide(frame, 10)
    expect(needs).toEqual(['statistics', 'decision', 'dispatch'])
    expect(orders.map(({ tile }) => tile.rect)).toEqual(halves.map(({ rect }) => rect))
    answer(frame, orders, 20)
    expect(frame.need).toBe('nothing')
    expect(asked).toEqual(['planContext', 'plan', 'done 2'])
    expect(frame.facts).toMatchObject({ beganAt: 5, dispatchAt: 10, plannedAt: 10, endedAt: 20, probeMs: 0 })
    expect(frame.outcome()).toEqual({ predictionError: 3 })
  })

  it('cuts tiles that are too large for the wire, into whole rows', () => {
    const { own } = planning()
    const { rect } = halves[0]!
    const { orders } = provide(frameOf(own, 1, 1, { mostTilePx: rect.w * 7 + 3 }), 10)
    expect(orders.map(({ tile }) => tile.rect.h).every(h => h <= 7)).toBe(true)
    const all = provide(frameOf(own, 1, 1, { mostTilePx: 1 }), 10)
    expect(all.orders.every(({ tile }) => tile.rect.h === 1)).toBe(true)
  })

  it('that is adaptive goes on with the cells that it is given, and ends without any', () => {
    const { asked, own } = planning()
    const frame = frameOf(own, 128, 1, { adaptive: true })
    const samples: (readonly number[])[] = []
    for (const [now, columns] of [
      [10, 4],
      [20, 3],
      [30, 0],
    ] as const) {
      const { needs, orders } = provide(frame, now)
      expect(needs).toEqual(['statistics', 'decision', 'dispatch'])
      samples.push([frame.pass.samples.from, frame.pass.samples.to, orders.length])
      answer(frame, orders, now + 5)
      expect(frame.need).toBe('cells')
      frame.narrow(new CellMask(size, 8, column => column < columns), now + 7)
      if (columns > 0) expect(() => frame.facts).toThrow('not done')
    }
    expect(frame.need).toBe('assembly')
    frame.assembled(38)
    expect(frame.need).toBe('nothing')
    expect(samples).toEqual([
      [0, 16, 2],
      [16, 32, 2],
      [32, 64, 2],
    ])
    expect(asked.filter(word => word.includes('Context'))).toEqual(['planContext', 'nextContext', 'nextContext'])
    const pixels = frame.facts.passes.map(pass => pass.pixels)
    expect(pixels).toEqual([32 * 16, 32 * 16, 24 * 16])
    // The second half of the third pass is cut to what is open of it.
    expect(frame.facts.records.at(-1)!.tile.rect).toEqual({ x: 16, y: 0, w: 8, h: 16 })
    expect(frame.facts.endedAt).toBe(38)
    // From the last pixel of a pass until it is known which cells need more.
    const judged = frame.facts.spans.map(({ kind, start, end }) => [kind, start, end])
    expect(judged).toEqual([
      ['stats', 15, 17],
      ['stats', 25, 27],
      ['stats', 35, 37],
    ])
  })

  it('says how far it has come: of its passes, and of what their tiles have', () => {
    const { own } = planning()
    const frame = frameOf(own, 4, 2)
    expect(frame.progress(10)).toBeUndefined()
    const { orders } = provide(frame, 10)
    const whole = { frame: 3, passes: 2, mostSamples: 4 }
    expect(frame.progress(12)).toEqual({ ...whole, elapsedMs: 2, pass: 1, samples: 2, least: 0, most: 0 })
    const { lease, area } = orders[0]!
    frame.happened({ type: 'tile-progress', area, lease, rows: 8 }, 15)
    expect(frame.progress(15)).toMatchObject({ least: 1 / 8, most: 1 / 8 })
    answer(frame, orders, 20)
    const later = provide(frame, 21).orders
    expect(frame.progress(25)).toEqual({ ...whole, elapsedMs: 15, pass: 2, samples: 4, least: 0.5, most: 0.5 })
    answer(frame, later, 30)
    expect(frame.progress(30)).toBeUndefined()
  })

  it('does not take what it hears of a complete pass for the next one', () => {
    const { own } = planning()
    const frame = frameOf(own, 4, 2)
    const { orders } = provide(frame, 10)
    answer(frame, orders, 20)
    // Until the next tiles are out, nothing says how much of the next pass is done.
    expect(frame.progress(20)).toBeUndefined()
    provide(frame, 21)
    // A worker that was not needed any more has not heard of that yet.
    const { lease, area } = orders[0]!
    frame.happened({ type: 'tile-progress', area, lease, rows: 16 }, 22)
    expect(frame.progress(25)).toMatchObject({ pass: 2, least: 0.5, most: 0.5 })
  })

  it('that is adaptive says how far it has come if all cells need all samples, and if none does', () => {
    const { own } = planning()
    const frame = frameOf(own, 64, 1, { adaptive: true })
    const first = provide(frame, 10).orders
    answer(frame, first.slice(0, 1), 15)
    expect(frame.progress(15)).toMatchObject({ pass: 1, passes: 3, samples: 16, least: 1 / 8, most: 1 / 2 })
    expect(frame.progress(15)).not.toHaveProperty('settled')
    answer(frame, first.slice(1), 16)
    frame.narrow(new CellMask(size, 8, column => column < 2), 18)
    provide(frame, 20)
    // All of 16 samples, half of 16 more, and half of 32.
    expect(frame.progress(20)).toMatchObject({ pass: 2, samples: 32, least: 0.4, most: 2 / 3, settled: 0.5 })
  })

  it('that is adaptive ends with its last samples without being asked for cells', () => {
    const { own } = planning()
    const frame = frameOf(own, 32, 1, { adaptive: true })
    answer(frame, provide(frame, 10).orders, 15)
    frame.narrow(new CellMask(size, 8, () => true), 18)
    answer(frame, provide(frame, 20).orders, 25)
    expect(frame.need).toBe('nothing')
  })

  it('ends when all that has arrived is in place, and hears of nothing until then', () => {
    const { own } = planning()
    const frame = frameOf(own)
    const { orders } = provide(frame, 10)
    for (const { lease, area, tile } of orders) {
      const { y, h } = tile.rect
      const times = { waitMs: 0, wallMs: 4, cpuMs: 4, encodeMs: 0 }
      for (const action of frame.happened({ type: 'tile-done', area, lease, from: y, to: y + h, more: false }, 20)) {
        if (action.type === 'accept') frame.placed(action, { tile, times, arrivedAt: 20 }, 20)
        if (action.type === 'frame-complete') frame.passComplete()
      }
    }
    expect(frame.need).toBe('assembly')
    expect(() => frame.facts).toThrow('not done')
    expect(frame.wakeAt).toBe(undefined)
    expect(frame.happened({ type: 'area-lost', area: orders[0]!.area }, 25)).toEqual([])
    frame.assembled(30)
    expect(frame.facts.endedAt).toBe(30)
    expect(frame.facts.passes.map(({ endedAt }) => endedAt)).toEqual([30])
    expect(() => frame.assembled(31)).toThrow('a frame that needs nothing was given assembly')
  })

  it('notes how often rows of a late tile were given to somebody else', () => {
    const { own } = planning({ plan: () => ({ tiles: halves, duplicates: true }) })
    const frame = frameOf(own)
    const { orders } = provide(frame, 10)
    answer(frame, orders.slice(1), 1010)
    frame.happened({ type: 'tile-progress', area: areas[0]!.id, lease: orders[0]!.lease }, 4010)
    const copies = frame.happened({ type: 'tick' }, 4010).filter(action => action.type === 'trace')
    expect(copies.map(({ area }) => area)).toEqual([areas[1]!.id])
    for (const copy of copies) frame.sent(copy, 4010)
    answer(frame, orders.slice(0, 1), 4020)
    expect(frame.facts).toMatchObject({ duplicated: 1, rescued: 0, stolen: 0 })
  })

  it('asks for coverage once, where the strategy wants it', () => {
    const { asked, own } = planning({ wantsCoverage: () => true })
    const { needs } = provide(frameOf(own), 10)
    expect(needs).toEqual(['statistics', 'coverage', 'decision', 'dispatch'])
    expect(asked).toEqual(['planContext', 'plan coverage'])
  })

  it('begins with a probe where the strategy wants one, and plans the rest with what it cost', () => {
    const { asked, own } = planning({ wantsProbe: () => true })
    const frame = frameOf(own)
    const probe = provide(frame, 10)
    expect(frame.pass.pixels).toBe('probe')
    expect(asked).toEqual(['planContext'])
    answer(frame, probe.orders, 20)
    const rest = provide(frame, 25)
    expect(rest.needs).toEqual(['statistics', 'decision', 'dispatch'])
    expect(asked).toEqual(['planContext', 'probed 2', 'plan probe'])
    expectPartition(
      [...probe.orders, ...rest.orders].map(({ tile }) => tile),
      size,
    )
    answer(frame, rest.orders, 40)
    expect(asked.at(-1)).toBe('done 4')
    expect(frame.facts).toMatchObject({ dispatchAt: 10, plannedAt: 25, endedAt: 40, probeMs: 10 })
  })

  it('takes its samples in as many ranges as it is told to, each planned with what the one before cost', () => {
    const { asked, own } = planning({ wantsProbe: () => true })
    const frame = frameOf(own, 7, 3)
    const passes = []
    for (let now = 10; frame.need !== 'nothing'; now += 10) {
      const { orders } = provide(frame, now)
      passes.push([frame.pass.pixels, frame.pass.samples])
      answer(frame, orders, now + 5)
    }
    expect(passes).toEqual([
      ['probe', { from: 0, to: 2 }],
      ['rest', { from: 0, to: 2 }],
      ['all', { from: 2, to: 4 }],
      ['all', { from: 4, to: 7 }],
    ])
    const planned = ['planContext', 'plan', 'done 2']
    expect(asked).toEqual(['planContext', 'probed 2', 'plan probe', 'done 4', ...planned, ...planned])
    expect(frame.facts.records).toHaveLength(8)
  })

  it('makes no more passes than there are samples', () => {
    const { own } = planning()
    const frame = frameOf(own, 2, 5)
    for (let now = 10; frame.need !== 'nothing'; now += 10) answer(frame, provide(frame, now).orders, now)
    expect(frame.facts.records).toHaveLength(4)
  })

  it('refuses what it does not need', () => {
    const frame = frameOf(planning().own)
    expect(() => frame.decide()).toThrow('a frame that needs statistics was given decision')
    provide(frame, 1)
    expect(() => frame.begin(2)).toThrow('a frame that needs events was given dispatch')
    expect(() => frame.facts).toThrow('the frame is not done')
  })

  it('drops what comes when it is whole, and knows its leases from others', () => {
    const frame = frameOf(planning().own)
    const { orders } = provide(frame, 10)
    answer(frame, orders, 20)
    const { lease, area: worker } = orders[0]!
    const late = { type: 'tile-done', area: worker, lease, from: 0, to: 16, more: false } as const
    expect(frame.happened(late, 30)).toEqual([{ type: 'drop', lease }])
    expect(frame.tileOf(lease)?.rect).toEqual(halves[0]!.rect)
    expect(frame.tileOf(leaseNumbers(99)())).toBeUndefined()
  })
})
