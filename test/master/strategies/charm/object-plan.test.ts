/** The Charm++ strategies on frames: objects and their loads, who had them, who comes and goes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../../master/costs/cost-map.ts'
import { greedyLb } from '../../../../master/strategies/greedy-lb.ts'
import { greedyRefineLb } from '../../../../master/strategies/greedy-refine-lb.ts'
import { refineLb } from '../../../../master/strategies/refine-lb.ts'
import { refineSwapLb } from '../../../../master/strategies/refine-swap-lb.ts'
import type { AreaShare, FrameInput, Plan, Strategy } from '../../../../master/strategies/strategy.ts'
import { forEachRun, pixelCount } from '../../../../shared/frame/pixel-set.ts'
import type { Size } from '../../../../shared/frame/rect.ts'
import { areaId } from '../../../../shared/ids.ts'
import { imbalance } from '../../../../shared/metrics/imbalance.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../../shared/session/strategy-options.ts'
import { frameInput } from '../../../support/frame-input.ts'
import { anySize, expectPartition } from '../../../support/partition.ts'

const FAMILY = [greedyLb, refineLb, greedyRefineLb, refineSwapLb]
const SIZE: Size = [640, 360]

const team = (...speeds: number[]): AreaShare[] => speeds.map((speed, i) => ({ id: areaId(`w${i + 1}`), speed }))

/** A hot disc around a point that costs forty times what the rest does. */
function discCosts(size: Size, [hotX, hotY]: readonly [number, number]): CostMap {
  const map = new CostMap(size, 8)
  for (let row = 0; row < map.rows; row++) {
    for (let column = 0; column < map.columns; column++) {
      const distance = Math.hypot(column * 8 + 4 - hotX, row * 8 + 4 - hotY)
      map.costs[row * map.columns + column] = map.area(column, row) * (distance < 80 ? 4e-3 : 1e-4)
    }
  }
  return map
}

const noCosts = (size: Size) => new CostMap(size, 8)

/** What the workers have to do for a plan by a cost map, cell by cell. */
function epsilonOf(plan: Plan, map: CostMap, workers: readonly AreaShare[]): number {
  const work = new Map<string, number>(workers.map(({ id }) => [id, 0]))
  for (const tile of plan.tiles) {
    let sum = 0
    forEachRun(tile, (x, y, length) => {
      for (let i = x; i < x + length; i++) {
        const [column, row] = [Math.floor(i / map.cell), Math.floor(y / map.cell)]
        sum += map.costs[row * map.columns + column]! / map.area(column, row)
      }
    })
    work.set(tile.worker!, work.get(tile.worker!)! + sum)
  }
  return imbalance(workers.map(({ id, speed }) => ({ speed, work: work.get(id)! }))).epsilon
}

interface Scenario {
  readonly workers: readonly AreaShare[]
  /** Of the frame, what it will cost. */
  readonly costs: CostMap
}

/** Plans frame after frame, each by the costs of the one before. */
function play(strategy: Strategy, frames: readonly Scenario[], options: Partial<FrameInput['options']> = {}): Plan[] {
  const plans: Plan[] = []
  frames.forEach(({ workers, costs }, i) => {
    const input = frameInput({ size: costs.size, workers, options: { ...DEFAULT_STRATEGY_OPTIONS, ...options } })
    const [before, last] = [frames[i - 1], plans[i - 1]]
    plans.push(
      strategy.plan({
        ...input,
        ...(before && last
          ? {
              // What is remembered comes back as plain data.
              previous: { plan: JSON.parse(JSON.stringify(last)) as Plan, tiles: [], workers: before.workers },
              history: [{ camera: input.camera, costs: before.costs }],
            }
          : {}),
      }),
    )
  })
  return plans
}

const still = (frames: number, workers: readonly AreaShare[], hot: readonly [number, number] = [400, 200]) =>
  Array.from({ length: frames }, (): Scenario => ({ workers, costs: discCosts(SIZE, hot) }))

describe.each(FAMILY)('$name', strategy => {
  it('partitions frames, whatever their size, the side of objects, the costs and the workers', () => {
    fc.assert(
      fc.property(
        anySize,
        fc.constantFrom(1, 5, 8, 20, 32),
        fc.array(fc.constantFrom(0, 0.5, 1, 1, 3), { minLength: 1, maxLength: 9 }),
        fc.array(fc.constantFrom(0, 1e-9, 1, 700), { minLength: 1, maxLength: 7 }),
        (size, tile, speeds, prices) => {
          const workers = team(...speeds, 1)
          const costs = new CostMap(size, 8)
          for (let i = 0; i < costs.costs.length; i++) costs.costs[i] = prices[i % prices.length]!
          const frames = [
            { workers, costs },
            { workers: workers.slice(1), costs },
            { workers, costs: noCosts(size) },
          ]
          for (const plan of play(strategy, [...frames, { workers, costs }], { tile }))
            expectPartition(plan.tiles, size)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('balances what it has measured', () => {
    const workers = team(1, 1, 1, 1, 1, 1, 1, 1)
    const frames = still(4, workers)
    // Objects are coarse: one in the disc costs 4 ms of 106.
    expect(epsilonOf(play(strategy, frames).at(-1)!, frames[0]!.costs, workers)).toBeLessThan(0.05)
  })

  it('gives faster workers more', () => {
    const workers = team(1, 2, 0.5, 1)
    const frames = still(4, workers)
    expect(epsilonOf(play(strategy, frames).at(-1)!, frames[0]!.costs, workers)).toBeLessThan(0.08)
  })

  it('gives each worker one tile, and none of speed 0 any', () => {
    const plan = play(strategy, still(2, team(1, 0, 1)))[1]!
    expect(plan.tiles.map(tile => tile.worker)).toEqual(['w1', 'w3'])
  })

  it('counts what it decided', () => {
    const plans = play(strategy, still(3, team(1, 1, 1)))
    expect(plans[0]!.decisions).toMatchObject({ objects: 20 * 12, moved: 0 })
    for (const { decisions } of plans)
      expect(Object.keys(decisions!)).toEqual([
        ...['objects', 'assigned', 'moved', 'swapped', 'refused', 'stuck', 'heapOperations'],
      ])
  })

  it('takes up what a worker had that has gone, and counts it as moved', () => {
    const workers = team(1, 1, 1, 1)
    const frames = [...still(3, workers), ...still(2, workers.slice(1))]
    const plans = play(strategy, frames)
    const gone = plans[2]!.tiles.find(({ worker }) => worker === 'w1')!
    expect(plans[3]!.decisions!.moved).toBeGreaterThanOrEqual(pixelCount(gone) / 32 ** 2)
    expect(plans[3]!.tiles.some(({ worker }) => worker === 'w1')).toBe(false)
    expect(epsilonOf(plans[4]!, frames[4]!.costs, workers.slice(1))).toBeLessThan(0.05)
  })

  it('gives work to a worker that has come', () => {
    const workers = team(1, 1, 1, 1)
    const frames = [...still(3, workers.slice(1)), ...still(2, workers)]
    expect(epsilonOf(play(strategy, frames)[4]!, frames[4]!.costs, workers)).toBeLessThan(0.05)
  })

  it('expects the costs of the frame before', () => {
    const frames = still(2, team(1, 1))
    const [first, second] = play(strategy, frames)
    expect(first!.predicted).toBeUndefined()
    expect(second!.predicted).toBe(frames[0]!.costs)
  })

  it('asks for fine costs even where none were wanted', () => {
    expect(strategy.cellSize?.({ ...DEFAULT_STRATEGY_OPTIONS, cell: 0 })).toBe(8)
    expect(strategy.cellSize?.({ ...DEFAULT_STRATEGY_OPTIONS, cell: 16 })).toBe(16)
  })

  it('makes objects smaller where there would be few for each worker, and keeps to that', () => {
    const many = team(...Array<number>(100).fill(1))
    const plans = play(strategy, [...still(2, many), ...still(1, many.slice(90))])
    // 20 x 12 objects of 32 px, 40 x 23 of 16.
    expect(plans.map(({ decisions }) => decisions!.objects)).toEqual([40 * 23, 40 * 23, 40 * 23])
    expect(play(strategy, still(1, many), { tile: 32 })[0]!.decisions!.objects).toBe(20 * 12)
  })

  it('takes no notice of what another strategy remembered', () => {
    const workers = team(1, 1)
    const [first] = still(1, workers)
    const input = frameInput({
      size: SIZE,
      workers,
      history: [{ camera: frameInput({ size: SIZE, workers }).camera, costs: first!.costs }],
    })
    for (const memory of [undefined, null, 'other', { tile: 32 }, { tile: 32, columns: 20, owners: ['w1'] }])
      expectPartition(
        strategy.plan({ ...input, previous: { plan: { tiles: [], memory }, tiles: [], workers } }).tiles,
        SIZE,
      )
  })
})

describe('what moves', () => {
  const workers = team(1, 1, 1, 1, 1, 1, 1, 1)
  /** A hot spot that wanders by 4 px a frame. */
  const wandering = Array.from({ length: 12 }, (_, i) => ({ workers, costs: discCosts(SIZE, [300 + 4 * i, 200]) }))
  const movedBy = (strategy: Strategy) =>
    play(strategy, wandering)
      .slice(3)
      .reduce((sum, { decisions }) => sum + decisions!.moved!, 0)

  it('is far less when refining than by greedy alone', () => {
    const greedy = movedBy(greedyLb)
    for (const strategy of [refineLb, greedyRefineLb, refineSwapLb]) expect(movedBy(strategy)).toBeLessThan(greedy / 4)
  })

  it('is nothing where nothing changes', () => {
    for (const strategy of FAMILY) expect(play(strategy, still(6, workers)).at(-1)!.decisions!.moved).toBe(0)
  })
})

describe('where objects are at first', () => {
  it('is in contiguous blocks when refining, as large as workers are fast', () => {
    for (const strategy of [refineLb, refineSwapLb]) {
      const [plan] = play(strategy, still(1, team(1, 3)))
      expect(plan!.tiles).toEqual([
        { rect: { x: 0, y: 0, w: 160, h: 360 }, worker: 'w1' },
        { rect: { x: 160, y: 0, w: 480, h: 360 }, worker: 'w2' },
      ])
    }
  })
})
