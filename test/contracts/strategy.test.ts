/** What every strategy promises, whoever wrote it. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CoverageMask } from '../../master/coverage/coverage-mask.ts'
import { strategies, strategyByName } from '../../master/strategies/index.ts'
import { partitionFault } from '../../master/strategies/plan-fault.ts'
import type { AreaShare, FrameInput, Plan, PreviousFrame } from '../../master/strategies/strategy.ts'
import type { TileReport } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { areaId } from '../../shared/ids.ts'
import { imbalance } from '../../shared/metrics/imbalance.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import { SCATTER_UNITS } from '../../shared/session/strategy-words.ts'
import { frameInput } from '../support/frame-input.ts'
import { anySize, expectPartition, partitionOf } from '../support/partition.ts'
import { type CostAt, type PlayedFrame, type PlayedRun, playFrames, team } from '../support/strategy-run.ts'

const maskOf = (size: Size, covered: (x: number, y: number) => boolean): CoverageMask => {
  const mask = new CoverageMask(size)
  for (let y = 0; y < size[1]; y++) for (let x = 0; x < size[0]; x++) if (covered(x, y)) mask.set(x, y)
  return mask
}

const anySpeeds = fc
  .array(fc.constantFrom(0, 0.25, 0.5, 1, 1, 1, 3), { minLength: 1, maxLength: 17 })
  .filter(speeds => speeds.some(speed => speed > 0))

const anyOptions: fc.Arbitrary<Partial<StrategyOptions>> = fc.record(
  {
    tile: fc.constantFrom(1, 7, 32, 4096),
    scatter: fc.constantFrom(...SCATTER_UNITS),
    seed: fc.constantFrom(0, 1, 0xffffffff),
    damping: fc.constantFrom(0, 0.3, 0.99),
    boundary: fc.constantFrom(1, 16, 64),
    resistance: fc.constantFrom(0, 3, 100),
    cell: fc.constantFrom(0, 4, 8, 32),
  },
  { requiredKeys: [] },
)

/** Small enough for tiles of one pixel, with primes and lines among them. */
const anySmallSize: fc.Arbitrary<Size> = fc.oneof(
  fc.constantFrom<Size>([1, 1], [1, 7], [13, 1], [2, 2], [31, 37], [64, 32]),
  fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 40 })),
)

/** Costs of whole frames: nothing, everywhere the same, all in one pixel, and a hot spot on uneven ground. */
const anyCosts = (size: Size): fc.Arbitrary<CostAt> =>
  fc
    .tuple(fc.constantFrom('none', 'even', 'one-hot', 'uneven'), fc.nat(size[0] - 1), fc.nat(size[1] - 1))
    .map(([kind, hotX, hotY]) => (x, y) => {
      if (kind === 'none') return 0
      if (kind === 'even') return 0.25
      if (kind === 'one-hot') return x === hotX && y === hotY ? 4000 : 0
      return 0.01 * ((x * 7 + y * 13) % 5) + 9 / (1 + (x - hotX) ** 2 + (y - hotY) ** 2)
    })

const anyFrame = (size: Size, team: readonly AreaShare[]): fc.Arbitrary<PlayedFrame> =>
  fc
    .record({
      // Anybody may be away, in any frame, but not everybody.
      present: fc.array(fc.constantFrom(true, true, true, false), { minLength: team.length, maxLength: team.length }),
      costAt: anyCosts(size),
      pieces: fc.constantFrom(false, false, true),
    })
    .map(({ present, costAt, pieces }) => {
      const there = team.filter((_, i) => present[i])
      const workers = there.some(worker => worker.speed > 0) ? there : team
      return { workers, costAt, pieces, coverage: maskOf(size, (x, y) => costAt(x, y) > 0.05) }
    })

/** Some frames in a row: workers come and go, costs change altogether, tiles come back in pieces. */
const anyRun: fc.Arbitrary<PlayedRun> = fc
  .tuple(anySmallSize, anySpeeds, anyOptions, fc.constantFrom('cpu' as const, 'wall' as const))
  .chain(([size, speeds, options, clock]) =>
    fc
      .array(anyFrame(size, team(speeds)), { minLength: 1, maxLength: 5 })
      // Twice the same workers in a row is the rule.
      .map(frames => ({ size, options, clock, frames: frames.flatMap(frame => [frame, frame]) })),
  )

const working = (workers: readonly AreaShare[]): Set<string> =>
  new Set(workers.filter(worker => worker.speed > 0).map(worker => worker.id))

const isDealtTo = ({ tiles }: Plan, workers: ReadonlySet<string>): boolean =>
  tiles.every(({ worker }) => worker === undefined || workers.has(worker))

/** Through JSON and back: what a plan's memory must survive. */
const plainly = (plan: Plan): Plan =>
  plan.memory === undefined ? plan : { ...plan, memory: JSON.parse(JSON.stringify(plan.memory)) }

describe.each(strategies)('strategy $name', strategy => {
  it('partitions every frame of a run, whatever it costs and whoever comes and goes', () => {
    fc.assert(
      fc.property(anyRun, run => {
        for (const { plan } of playFrames(strategy, run)) {
          const fault = partitionFault(plan.tiles, run.size)
          if (fault) throw new Error(fault)
        }
      }),
    )
  })

  it('gives tiles only to workers that are there and not of speed 0', () => {
    fc.assert(
      fc.property(anyRun, run =>
        playFrames(strategy, run).every(({ input, plan }) => isDealtTo(plan, working(input.workers))),
      ),
    )
  })

  it('answers equal inputs with equal plans, leaves them as they were, and remembers plain data only', () => {
    fc.assert(
      fc.property(anyRun, run => {
        const played = playFrames(strategy, run)
        const again = playFrames(strategy, run, plainly)
        return played.every(({ plan, input }, i) => {
          // A predictor has a function.
          const known = () => structuredClone({ ...input, predictor: undefined })
          const before = known()
          return (
            isDeepStrictEqual(plan, again[i]!.plan) &&
            isDeepStrictEqual(plan, strategy.plan(input)) &&
            isDeepStrictEqual(known(), before)
          )
        })
      }),
      { numRuns: 60 },
    )
  })

  // A plan that repeats the last one repeats whatever it is given.
  it.skipIf(strategy.name === 'frozen')(
    'partitions frames of any size after a frame that somebody else planned',
    () => {
      const anyInput: fc.Arbitrary<FrameInput> = fc.tuple(anySize, anySpeeds).chain(([size, speeds]) => {
        const workers = team(speeds)
        return anyPrevious(size, workers).map(previous => frameInput({ size, workers, previous }))
      })
      fc.assert(
        fc.property(anyInput, input => {
          const plan = strategy.plan(input)
          const fault = partitionFault(plan.tiles, input.size)
          if (fault) throw new Error(fault)
          if (!isDealtTo(plan, working(input.workers))) throw new Error('a tile for somebody who cannot work')
        }),
      )
    },
  )

  it('copes with more workers than pixels', () => {
    for (const size of [
      [1, 1],
      [2, 1],
      [3, 2],
      [1, 5],
    ] as const) {
      const frame = { workers: team(Array(16).fill(1)), costAt: () => 1 }
      for (const { plan } of playFrames(strategy, { size, frames: [frame, frame] })) expectPartition(plan.tiles, size)
    }
  })

  it.each([1, 7, 32, 4096])('partitions with small tiles of %i px and any unit of scatter', tile => {
    for (const scatter of SCATTER_UNITS) {
      const frame = { workers: team([1, 0, 0.5, 3, 1]), costAt: (x: number) => x }
      const run = { size: [61, 37] as const, frames: [frame, frame, frame], options: { tile, scatter } }
      for (const { plan } of playFrames(strategy, run)) expectPartition(plan.tiles, run.size)
    }
  })

  it('says in one line what it does, in one when to use it, and where it is from', () => {
    expect(strategy.name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(strategy.summary).toMatch(/^[^\n]{10,120}$/)
    expect(strategy.advice).toMatch(/^[^\n]{10,160}$/)
    expect(strategy.source).toMatch(/^[^\n]{4,160}$/)
  })
})

describe('the registry', () => {
  it('knows every strategy by a name of its own', () => {
    expect(new Set(strategies.map(strategy => strategy.name)).size).toBe(strategies.length)
    for (const strategy of strategies) expect(strategyByName(strategy.name)).toBe(strategy)
  })
})

describe('strategies that follow costs', () => {
  const size: Size = [96, 64]
  /** One corner costs a hundred times the rest. */
  const inCorner = (x: number, y: number) => x < 24 && y < 16
  const costAt: CostAt = (x, y) => (inCorner(x, y) ? 101 : 1)
  const coverage = maskOf(size, inCorner)
  /** Those that do not look at costs, or leave it to the schedule. */
  const blind = [
    'single-worker',
    'static-blocks',
    'scatter',
    'random-tiles',
    'demand-driven',
    'work-stealing',
    'frozen',
  ]

  /** ε of every frame, by what the workers were given. */
  const epsilons = (name: string, workers: readonly AreaShare[], count: number): number[] =>
    playFrames(strategyByName(name), { size, frames: Array(count).fill({ workers, costAt, coverage }) }).map(
      ({ tiles }) => imbalance(workers.map(({ id, speed }) => ({ speed, work: workOf(tiles, id) }))).epsilon,
    )

  const workOf = (tiles: readonly TileReport[], id: string) =>
    tiles.reduce((sum, tile) => (tile.worker === id ? sum + tile.cpuMs : sum), 0)

  it.each(strategies.map(({ name }) => name).filter(name => !blind.includes(name)))(
    '%s ends better balanced than static blocks',
    name => {
      for (const speeds of [
        [1, 1, 1, 1, 1],
        [1, 1, 0.5, 1, 0.25, 1],
      ]) {
        const workers = team(speeds)
        const [unbalanced = 0] = epsilons('static-blocks', workers, 1)
        expect(Math.max(...epsilons(name, workers, 24).slice(-4))).toBeLessThan(unbalanced / 1.5)
      }
    },
  )
})

function anyPrevious(size: Size, workers: readonly AreaShare[]): fc.Arbitrary<PreviousFrame> {
  return fc
    .tuple(partitionOf(size, 20), fc.infiniteStream(fc.constantFrom(0, 0, 1e-9, 0.5, 20, 4000)))
    .map(([rects, costs]) => {
      const tiles = rects.map((rect, i): TileReport => {
        const cost = costs.next().value
        return { rect, worker: workers[i % workers.length]!.id, cpuMs: cost, wallMs: cost * 1.1 }
      })
      return { plan: { tiles: tiles.map(({ rect, worker }) => ({ rect, worker: areaId(worker) })) }, tiles, workers }
    })
}
