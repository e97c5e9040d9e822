import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uniformCosts } from '../../../../master/costs/cost-field.ts'
import { FramePlanner } from '../../../../master/frames/frame-planner.ts'
import {
  DEFAULT_MASTER,
  DEFAULT_TRACING,
  LOOPBACK,
  type VirtualArea,
  virtualWorkers,
  withAreas,
} from '../../../../master/simulator/cluster-spec.ts'
import { simulate } from '../../../../master/simulator/simulate.ts'
import { strategies, strategyByName } from '../../../../master/strategies/index.ts'
import { withinByName } from '../../../../master/strategies/within/index.ts'
import { divided, twoLevels } from '../../../../master/strategies/within/two-levels.ts'
import type { FrameReport } from '../../../../shared/frame/frame-report.ts'
import { frameRect, type Size } from '../../../../shared/frame/rect.ts'
import { areaId } from '../../../../shared/ids.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../../../shared/session/strategy-options.ts'
import { WITHIN_NAMES } from '../../../../shared/session/strategy-words.ts'
import { bodyCosts, bodyFrames } from '../../../support/cost-maps.ts'
import { frameInput } from '../../../support/frame-input.ts'
import { anySize, expectPartition, partitionOf } from '../../../support/partition.ts'
import { smallCamera } from '../../../support/small-scene.ts'
import { takeIn } from '../../../support/take-in.ts'

const SIZE: Size = [160, 90]
const HYBRID: readonly VirtualArea[] = [
  { name: 'cpu', speed: 1 },
  { name: 'gpu', speed: 4 },
]

interface Run {
  readonly strategy?: string
  readonly workers?: number
  readonly areas?: readonly VirtualArea[]
  readonly options?: Partial<StrategyOptions>
  readonly frames?: number
}

function run({ strategy = 'predictive', workers = 1, areas = HYBRID, options = {}, frames = 6 }: Run): FrameReport[] {
  return [
    ...simulate({
      strategy: strategyByName(strategy),
      options: { ...DEFAULT_STRATEGY_OPTIONS, ...options },
      size: SIZE,
      clock: 'cpu',
      cluster: {
        workers: withAreas(virtualWorkers(workers), areas),
        network: LOOPBACK,
        master: DEFAULT_MASTER,
        tracing: { ...DEFAULT_TRACING, batchPixels: 256, pace: 20 },
      },
      frames: bodyFrames(SIZE, frames, 2),
    }),
  ]
}

describe('two levels', () => {
  it.each(strategies.map(({ name }) => name))('go with %s, whatever the rule within', strategy => {
    for (const within of WITHIN_NAMES)
      for (const report of run({ strategy, workers: 3, options: { within }, frames: 4 })) {
        expectPartition(report.tiles, SIZE)
        const rows = new Set(report.tiles.map(({ worker }) => worker))
        expect([...rows].every(id => /^w[123](\.2)?$/.test(id))).toBe(true)
      }
  })

  it.each(['predictive', 'pbt', 'static-blocks'])(
    'have both areas of one worker end together from the second frame on, with %s',
    strategy => {
      for (const { epsilonCpu } of run({ strategy }).slice(1)) expect(epsilonCpu).toBeLessThan(0.05)
    },
  )

  it('give the strategy one worker that is as fast as its areas', () => {
    const seen: unknown[] = []
    const spy = { ...strategyByName('static-blocks') }
    const plan = spy.plan
    const both = twoLevels(
      {
        ...spy,
        plan: input => {
          seen.push(input.workers.map(({ id, speed }) => [id, speed]))
          return plan(input)
        },
      },
      withinByName('fixed')!,
    )
    const workers = ['w1', 'w1.2', 'w2'].map((id, i) => ({
      id: areaId(id),
      speed: i + 1,
      ...(i < 2 ? { workerId: areaId('w1') } : {}),
    }))
    const { tiles } = both.plan(frameInput({ size: SIZE, workers }))
    expect(seen).toEqual([
      [
        ['w1', 3],
        ['w2', 3],
      ],
    ])
    expectPartition(tiles, SIZE)
    expect(new Set(tiles.map(({ worker }) => worker))).toEqual(new Set(['w1', 'w1.2', 'w2']))
  })

  it('change nothing where no worker has several areas', () => {
    for (const strategy of strategies) {
      const input = frameInput({ size: SIZE, workers: [{ id: areaId('w1'), speed: 1 }] })
      expect(twoLevels(strategy, withinByName('proportional')!).plan(input)).toEqual(strategy.plan(input))
    }
  })

  it('go on when the accelerator is withdrawn, and when it is back', () => {
    const strategy = strategyByName('predictive')
    const planner = new FramePlanner({
      strategy,
      options: DEFAULT_STRATEGY_OPTIONS,
      size: SIZE,
      clock: 'cpu',
      record: false,
    })
    const [cpu, gpu] = ['w1', 'w1.2'].map(id => ({ id: areaId(id), speed: 1, workerId: areaId('w1') }))
    for (const areas of [[cpu!, gpu!], [cpu!, gpu!], [cpu!], [cpu!], [cpu!, gpu!]]) {
      const context = planner.planContext(smallCamera(0), areas)
      const plan = planner.plan(context, {})
      expectPartition(plan.tiles, SIZE)
      expect(new Set(plan.tiles.map(({ worker }) => worker)).size).toBe(areas.length)
      expect(Object.values(plan.decisions ?? {}).every(Number.isFinite)).toBe(true)
      const tiles = plan.tiles.map(({ worker, ...tile }) => ({
        ...tile,
        worker: worker!,
        cpuMs: 5,
        wallMs: 5,
        work: 100,
      }))
      takeIn(planner, context, plan, tiles)()
    }
  })

  it('leave out an area that does not pay, also when rows move at the end', () => {
    const areas = [HYBRID[0]!, { name: 'gpu', speed: 1, link: { startUpMs: 1e5, msPerMegapixel: 0 } }]
    const last = run({ areas, frames: 12 }).at(-1)!
    expect(new Set(last.tiles.map(({ worker }) => worker))).toEqual(new Set(['w1']))
  })
})

describe('what a worker was given', () => {
  it('is shared without a gap, in proportion to shares', () => {
    fc.assert(
      fc.property(
        anySize.chain(size => fc.tuple(fc.constant(size), partitionOf(size, 9))),
        fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 2, maxLength: 5 }).filter(parts => parts.some(Boolean)),
        fc.boolean(),
        ([size, rects], parts, isUniform) => {
          const areas = parts.map((_, i) => ({ id: areaId(`a${i}`), speed: 1 }))
          const total = parts.reduce((sum, part) => sum + part, 0)
          const costs = isUniform ? uniformCosts : bodyCosts(size, 4).field()
          const tiles = divided(
            rects.map(rect => ({ rect })),
            areas,
            parts.map(part => part / total),
            costs,
          )
          expectPartition(tiles, size)
          for (const { worker } of tiles) expect(parts[areas.findIndex(({ id }) => id === worker)]).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('is cut by cost across the longer side', () => {
    const areas = ['a', 'b'].map(id => ({ id: areaId(id), speed: 1 }))
    const [left, right] = divided([{ rect: frameRect(SIZE) }], areas, [0.25, 0.75], uniformCosts)
    expect(left!.rect).toEqual({ x: 0, y: 0, w: 40, h: 90 })
    expect(right!.worker).toBe('b')
    const costs = bodyCosts(SIZE, 4)
    const [first] = divided([{ rect: frameRect(SIZE) }], areas, [0.25, 0.75], costs.field())
    const whole = costs.field().total(frameRect(SIZE))
    expect(costs.field().total(first!.rect) / whole).toBeCloseTo(0.25, 1)
    expect(first!.rect.w).toBeGreaterThan(40)
  })
})
