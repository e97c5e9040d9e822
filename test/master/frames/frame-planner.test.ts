/** What is carried from frame to frame, and that it is neither lost nor mixed up on the way. */
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { FramePlanner, type TracedTile } from '../../../master/frames/frame-planner.ts'
import type { FrameInput, Strategy } from '../../../master/strategies/strategy.ts'
import { frameRect, type Rect, type Size } from '../../../shared/frame/rect.ts'
import { areaId } from '../../../shared/ids.ts'
import { cellRange } from '../../../shared/protocol/cell-costs.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../shared/session/strategy-options.ts'
import { smallCamera } from '../../support/small-scene.ts'
import { takeIn } from '../../support/take-in.ts'

const size: Size = [36, 20]
const workers = [
  { id: areaId('a'), speed: 1 },
  { id: areaId('b'), speed: 0.5 },
]

/** A strategy that remembers what it was told. */
function listener(changes: Partial<Strategy> = {}) {
  const heard: FrameInput[] = []
  const strategy: Strategy = {
    name: 'listener',
    summary: '',
    advice: '',
    source: '',
    plan: input => {
      heard.push(input)
      const predicted = input.history[0]?.costs
      return {
        tiles: [{ rect: frameRect(size), worker: areaId('a') }],
        memory: heard.length,
        ...(predicted ? { predicted } : {}),
      }
    },
    ...changes,
  }
  return { heard, strategy }
}

const plannerOf = (strategy: Strategy, more: { clock?: 'cpu' | 'wall'; record?: boolean } = {}) =>
  new FramePlanner({
    strategy,
    size,
    options: DEFAULT_STRATEGY_OPTIONS,
    clock: more.clock ?? 'cpu',
    record: more.record ?? false,
  })

/** A tile whose cells all cost `cost` ms of CPU time. */
function tileOf(rect: Rect, worker: string, cost: number): TracedTile {
  const { columns, rows } = cellRange(rect, 8)
  const costs = new Float64Array(columns * rows).fill(cost)
  const cpuMs = cost * columns * rows
  return { rect, worker, cpuMs, wallMs: cpuMs * 10, cells: { cell: 8, costs, depths: new Float32Array(costs.length) } }
}

describe('FramePlanner', () => {
  it('has larger cells for frames that would have too many, unless they are recorded', () => {
    const strategy = listener({ cellSize: options => options.cell }).strategy
    const cellOf = (size: Size, cell: 0 | 4 | 8 | 16 | 32 = 8, record = false) => {
      const options = { ...DEFAULT_STRATEGY_OPTIONS, cell }
      const planner = new FramePlanner({ strategy, size, options, clock: 'cpu', record })
      const { options: told } = planner.planContext(smallCamera(0), workers)
      if (!record) expect(planner.cell).toBe(told.cell)
      return planner.cell
    }
    expect(cellOf([3840, 2160])).toBe(8)
    expect(cellOf([7680, 4320])).toBe(16)
    expect(cellOf([8192, 8192])).toBe(32)
    expect(cellOf([3840, 2160], 4)).toBe(8)
    expect(cellOf([1920, 1080], 4)).toBe(4)
    expect(cellOf([7680, 4320], 32)).toBe(32)
    expect(cellOf([7680, 4320], 0)).toBe(0)
    expect(cellOf([7680, 4320], 8, true)).toBe(8)
  })

  it('tells a strategy of the newest frame: its plan with what the strategy remembered, its tiles, its workers', () => {
    const { heard, strategy } = listener()
    const planner = plannerOf(strategy)
    for (let frame = 0; frame < 3; frame++) {
      const planContext = planner.planContext(smallCamera(frame), workers)
      const plan = planner.plan(planContext, {})
      takeIn(planner, planContext, plan, [tileOf(frameRect(size), 'a', frame)])
    }
    expect(heard.map(input => input.previous?.plan.memory)).toEqual([undefined, 1, 2])
    expect(heard.map(input => input.previous?.tiles[0]?.cpuMs)).toEqual([undefined, 0, 15])
    expect(heard[2]).toMatchObject({ camera: smallCamera(2), history: [], previous: { workers } })
    expect(heard[2]?.previous?.tiles[0]).not.toHaveProperty('cells')
  })

  it('keeps fine costs, newest first, where the strategy has them measured, and says how wrong it was', () => {
    const { heard, strategy } = listener({ cellSize: options => options.cell })
    const planner = plannerOf(strategy)
    const errors: (number | undefined)[] = []
    for (let frame = 0; frame < 10; frame++) {
      const planContext = planner.planContext(smallCamera(frame), workers)
      const left = tileOf({ x: 0, y: 0, w: 16, h: 20 }, 'a', 1)
      const right = tileOf({ x: 16, y: 0, w: 20, h: 20 }, 'b', frame === 5 ? 3 : 1)
      const outcome = takeIn(planner, planContext, planner.plan(planContext, {}), [left, right])
      errors.push(outcome().predictionError)
      expect(outcome().costs?.total).toBe(6 + 9 * (frame === 5 ? 3 : 1))
    }
    expect(heard.map(input => input.history.length)).toEqual([0, 1, 2, 3, 4, 5, 6, 6, 6, 6])
    expect(heard[7]?.history[0]?.camera).toEqual(smallCamera(6))
    expect(errors.slice(0, 5)).toEqual([undefined, 0, 0, 0, 0])
    expect(errors[5]).toBeGreaterThan(0.2)
    expect(errors[7]).toBe(0)
  })

  it('brings wall times of slow workers to those of a worker of speed 1', () => {
    const { strategy } = listener({ cellSize: () => 8 })
    const planner = plannerOf(strategy, { clock: 'wall' })
    const planContext = planner.planContext(smallCamera(0), workers)
    const tiles = [tileOf({ x: 0, y: 0, w: 16, h: 20 }, 'a', 1), tileOf({ x: 16, y: 0, w: 20, h: 20 }, 'b', 1)]
    const { costs } = takeIn(planner, planContext, planner.plan(planContext, {}), tiles)()
    expect([...costs!.costs.slice(0, 5)]).toEqual([10, 10, 5, 5, 5])
  })

  it('brings times of workers that turned out to be slow to those of a worker of speed 1', () => {
    const { strategy } = listener({
      cellSize: () => 8,
      plan: () => ({ tiles: [{ rect: frameRect(size), worker: areaId('a') }], learned: { b: 0.5 } }),
    })
    const planner = plannerOf(strategy)
    const planContext = planner.planContext(smallCamera(0), workers)
    const tiles = [tileOf({ x: 0, y: 0, w: 16, h: 20 }, 'a', 1), tileOf({ x: 16, y: 0, w: 20, h: 20 }, 'b', 1)]
    const { costs } = takeIn(planner, planContext, planner.plan(planContext, {}), tiles)()
    expect([...costs!.costs.slice(0, 5)]).toEqual([1, 1, 0.5, 0.5, 0.5])
  })

  it('takes chance out of costs where work was counted, but not of what is recorded', () => {
    const costsOf = (record: boolean) => {
      const { heard, strategy } = listener({ cellSize: () => 8 })
      const planner = plannerOf(strategy, { record })
      const outcomes = [1, 1.04, 1].map((ms, frame) => {
        const planContext = planner.planContext(smallCamera(frame), workers)
        const tile = { ...tileOf(frameRect(size), 'a', ms), work: 100 }
        return takeIn(planner, planContext, planner.plan(planContext, {}), [tile])
      })
      return { recorded: outcomes[1]!().costs!.costs[0]!, predictedFrom: heard[2]!.history[0]!.costs.costs[0]! }
    }
    expect(costsOf(true)).toEqual({ recorded: 1.04, predictedFrom: costsOf(false).predictedFrom })
    expect(costsOf(false).predictedFrom).toBeGreaterThan(1)
    expect(costsOf(false).predictedFrom).toBeLessThan(1.02)
  })

  it('has costs measured for a recording, whatever the strategy wants', () => {
    const { strategy } = listener()
    expect(plannerOf(strategy).cell).toBe(0)
    expect(plannerOf(strategy, { record: true }).cell).toBe(8)
  })

  it('spreads what a probe saw over the cells, those without a pixel of it like their neighbours', () => {
    const planner = plannerOf(listener({ cellSize: () => 8 }).strategy)
    const probed = tileOf(frameRect(size), 'a', 0)
    // The last column of cells is 4 px wide, the last row 4 px high: their centres lie outside.
    for (let row = 0; row < 2; row++)
      for (let column = 0; column < 4; column++) probed.cells!.costs[row * 5 + column] = 1
    const map = planner.probed([probed], workers)
    expect(map).toBeInstanceOf(CostMap)
    expect([...map.costs]).toEqual([64, 64, 64, 64, 32, 64, 64, 64, 64, 32, 32, 32, 32, 32, 16])
    // Times of so few pixels are chance; their work is not.
    expect(planner.probed([{ ...probed, cpuMs: 9, work: 18 }], workers).costs[0]).toBe(128)
  })

  it('takes in overlapping frames in the order in which they began, whichever is whole first', () => {
    const { heard, strategy } = listener({ cellSize: () => 8 })
    const planner = plannerOf(strategy)
    const begin = (frame: number) => {
      const planContext = planner.planContext(smallCamera(frame), workers)
      return { planContext, plan: planner.plan(planContext, {}) }
    }
    const end = ({ planContext, plan }: ReturnType<typeof begin>, cost: number) =>
      takeIn(planner, planContext, plan, [tileOf(frameRect(size), 'a', cost)])
    const [first, second] = [begin(0), begin(1)]
    end(second, 2)
    end(first, 1)
    begin(2)
    expect(heard[2]?.previous?.tiles[0]?.cpuMs).toBe(30)
    expect(heard[2]?.history.map(({ camera }) => camera)).toEqual([smallCamera(1)])
  })

  it('knows what a frame cost as soon as its last tile has come, though nobody asked what became of it', () => {
    const { heard, strategy } = listener({ cellSize: () => 8 })
    const planner = plannerOf(strategy)
    const planContext = planner.planContext(smallCamera(0), workers)
    const intake = planner.intake(planContext, planner.plan(planContext, {}))
    const halves = [tileOf({ x: 0, y: 0, w: 16, h: 20 }, 'a', 1), tileOf({ x: 16, y: 0, w: 20, h: 20 }, 'b', 2)]
    for (const half of halves) intake.take({ ...half, work: 10 })
    planner.plan(planner.planContext(smallCamera(1), workers), {})
    expect(heard[1]).toMatchObject({ history: [] })
    intake.done()
    planner.plan(planner.planContext(smallCamera(2), workers), {})
    expect(heard[2]?.history[0]?.costs.total).toBeCloseTo(6 + 9 * 2)
    expect(heard[2]?.previous?.tiles.map(({ cpuMs }) => cpuMs)).toEqual([6, 18])
  })

  it('knows before the first frame what a picture of it cost, and forgets that for what was measured', () => {
    const { heard, strategy } = listener({ cellSize: () => 8 })
    const planner = plannerOf(strategy)
    const picture = new CostMap([9, 5], 4)
    picture.costs.set([16, 16, 4, 8, 8, 2])
    planner.prime(smallCamera(0), picture)
    const planContext = planner.planContext(smallCamera(0), workers)
    takeIn(planner, planContext, planner.plan(planContext, {}), [tileOf(frameRect(size), 'a', 1)])
    planner.prime(smallCamera(1), picture)
    planner.plan(planner.planContext(smallCamera(1), workers), {})
    expect(heard[0]?.history[0]).toMatchObject({ camera: smallCamera(0) })
    expect(heard[0]?.history[0]?.costs.costs[0]).toBe(64)
    expect(heard[1]?.history.map(({ costs }) => costs.total)).toEqual([15, expect.any(Number)])
  })
})
