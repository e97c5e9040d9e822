import { describe, expect, it } from 'vitest'
import {
  type ClusterSpec,
  DEFAULT_MASTER,
  DEFAULT_TRACING,
  LOOPBACK,
  type NetworkSpec,
  type TracingSpec,
  type VirtualWorker,
  virtualWorkers,
} from '../../../master/simulator/cluster-spec.ts'
import { simulate } from '../../../master/simulator/simulate.ts'
import type { FrameWorkload, Stopwatch } from '../../../master/simulator/simulate-frame.ts'
import { strategies, strategyByName } from '../../../master/strategies/index.ts'
import { type Strategy, workingShares } from '../../../master/strategies/strategy.ts'
import { cutScreen } from '../../../master/strategies/trees/prediction-tree.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../../shared/session/strategy-options.ts'
import { bodyFrames } from '../../support/cost-maps.ts'
import { expectPartition } from '../../support/partition.ts'
import { ledgerError } from '../../support/session.ts'

const SIZE: Size = [160, 90]
const FRAMES = bodyFrames(SIZE, 4, 3)

interface Changes {
  readonly speeds?: readonly number[]
  readonly actualSpeed?: number
  /** All but the first of the workers are away then. */
  readonly absent?: VirtualWorker['absent']
  readonly network?: Partial<NetworkSpec>
  readonly tracing?: Partial<TracingSpec>
  readonly options?: Partial<StrategyOptions>
  readonly frames?: readonly FrameWorkload[]
  readonly size?: Size
  readonly stopwatch?: Stopwatch
}

function clusterOf(count: number, { speeds, actualSpeed, absent, network, tracing }: Changes): ClusterSpec {
  const workers = virtualWorkers(count, speeds).map((worker, i) => (absent && i > 0 ? { ...worker, absent } : worker))
  return {
    // The first one is not what it says.
    workers: actualSpeed === undefined ? workers : [{ ...workers[0]!, actualSpeed }, ...workers.slice(1)],
    network: { ...LOOPBACK, ...network },
    master: DEFAULT_MASTER,
    tracing: { ...DEFAULT_TRACING, ...tracing },
  }
}

const run = (strategy: Strategy, workers: number, changes: Changes = {}): FrameReport[] => [
  ...simulate({
    strategy,
    options: { ...DEFAULT_STRATEGY_OPTIONS, ...changes.options },
    size: changes.size ?? SIZE,
    clock: 'cpu',
    cluster: clusterOf(workers, changes),
    frames: changes.frames ?? FRAMES,
    ...(changes.stopwatch ? { stopwatch: changes.stopwatch } : {}),
  }),
]

/** Cut by the cells of the frame before, or a probe; rows change hands. What `predictive` is at its core. */
const cutByCells: Strategy = {
  name: 'cut-by-cells',
  summary: '',
  advice: '',
  source: 'control',
  cellSize: options => options.cell,
  wantsProbe: ({ options, history }) => options.probe && history.length === 0,
  plan({ size, workers, probe, history, options }) {
    const predicted = probe ?? history[0]!.costs
    const tiles = cutScreen(frameRect(size), workingShares(workers), predicted.field())
    return { tiles, predicted, ...(options.rowStealing ? { stealing: 'rows' } : {}) }
  },
}

const everyone = [...strategies, cutByCells]

describe('a simulated frame', () => {
  it.each(everyone.map(strategy => [strategy.name, strategy] as const))(
    'of %s is whole, its ledger adds up, and it is the same again',
    (_, strategy) => {
      const changes = { speeds: [1, 1, 0.5, 2, 1], tracing: { noise: 0.05, pace: 3 } }
      const reports = run(strategy, 5, changes)
      for (const report of reports) {
        expectPartition(report.tiles, SIZE)
        expect(ledgerError(report)).toBeLessThan(1e-6)
        expect(report.frameMs).toBeGreaterThanOrEqual(report.criticalMs)
        expect(report.messages).toBeGreaterThanOrEqual(2)
      }
      expect(run(strategy, 5, changes)).toEqual(reports)
    },
  )

  it('of one worker takes what its pixels cost, and a little for orders and answers', () => {
    const [report] = run(strategyByName('single-worker'), 1)
    const { total } = FRAMES[0]!.costs
    expect(report!.criticalMs).toBeCloseTo(total + DEFAULT_TRACING.tileCpuMs, 9)
    expect(report!.frameMs - report!.criticalMs).toBeGreaterThan(0)
    expect(report!.frameMs - report!.criticalMs).toBeLessThan(2)
    const [paced] = run(strategyByName('single-worker'), 1, { tracing: { pace: 5 } })
    expect(paced!.criticalMs).toBeCloseTo(report!.criticalMs, 9)
    expect(paced!.frameMs - report!.frameMs).toBeCloseTo(4 * report!.criticalMs, 6)
  })

  it('waits for the network: once there and back, and for its pixels', () => {
    const blocks = strategyByName('static-blocks')
    const near = run(blocks, 4)[0]!
    const far = run(blocks, 4, { network: { latencyMs: LOOPBACK.latencyMs + 50 } })[0]!
    expect(far.frameMs - near.frameMs).toBeCloseTo(100, 6)
    // 160 × 90 pixels of 3 bytes through one link of 1 Mbit/s.
    const thin = run(blocks, 4, { network: { masterMbit: 1 } })[0]!
    expect(thin.frameMs).toBeGreaterThan((160 * 90 * 3 * 8) / 1000)
    expect(far.bytes).toBe(near.bytes)
  })

  it('knows workers of other speeds, and those that are not what they say', () => {
    const [report] = run(cutByCells, 4, { speeds: [1, 1, 0.25, 0.25], options: { rowStealing: false } })
    expect(report!.epsilonCpu).toBeLessThan(0.1)
    const lying = run(strategyByName('static-blocks'), 4, { actualSpeed: 0.5 })[0]!
    const honest = run(strategyByName('static-blocks'), 4)[0]!
    const wallOf = ({ tiles }: FrameReport) => tiles.find(tile => tile.worker === 'w1')!.wallMs
    expect(wallOf(lying)).toBeCloseTo(2 * wallOf(honest), 9)
  })

  it('counts what decisions take by the stopwatch it is given', () => {
    const stopwatch: Stopwatch = work => ({ result: work(), ms: 7 })
    const [report] = run(strategyByName('pbt'), 4, { stopwatch })
    // What is known, and the coverage mask, are found one after the other.
    expect([report!.statsMs, report!.decideMs, report!.preparationMs]).toEqual([14, 7, 21])
  })

  it('counts what the schedule takes for each event by the same stopwatch', () => {
    const slow =
      (took: number): Stopwatch =>
      (work, kind) => ({ result: work(), ms: kind === 'events' ? took : 0 })
    const blocks = strategyByName('static-blocks')
    const [none, some] = [0, 3].map(took => run(blocks, 4, { stopwatch: slow(took) })[0]!)
    // It gives out tiles once, and handles the last answer once those before have been handled.
    const tiles = some!.tiles.length
    expect(some!.frameMs - none!.frameMs).toBeGreaterThanOrEqual(2 * 3 - 1e-9)
    expect(some!.frameMs - none!.frameMs).toBeLessThanOrEqual((tiles + 1) * 3 + 1e-9)
    expect([some!.statsMs, some!.decideMs]).toEqual([0, 0])
  })

  it('makes pixels that change hands dearer, where that is asked for', () => {
    const tiles = strategyByName('demand-driven')
    const work = (reports: FrameReport[]) => reports.map(report => report.meanMs)
    const plain = work(run(tiles, 3))
    const dear = work(run(tiles, 3, { tracing: { migrationMsPerPixel: 0.001 } }))
    expect(dear[0]).toBeCloseTo(plain[0]!, 9)
    expect(dear[1]).toBeGreaterThan(plain[1]! * 1.01)
  })

  it('is noisy as told, and no more', () => {
    const [plain, noisy] = [0, 0.1].map(
      noise => run(strategyByName('demand-driven'), 3, { tracing: { noise }, options: { tile: 8 } })[0]!,
    )
    expect(noisy!.tiles.map(tile => tile.cpuMs)).not.toEqual(plain!.tiles.map(tile => tile.cpuMs))
    expect(noisy!.meanMs / plain!.meanMs).toBeCloseTo(1, 1)
  })
})

describe('parts, trims and probes', () => {
  it('end frames sooner where rows may be taken from whoever is late', () => {
    const size: Size = [480, 270]
    // The first worker is slower than it says.
    const tracing = { pace: 10, batchPixels: 256 }
    const frames = bodyFrames(size, 6, 1)
    const [without, stealing] = [false, true].map(rowStealing =>
      run(cutByCells, 6, { size, frames, tracing, actualSpeed: 0.6, options: { rowStealing } }),
    )
    const mean = (reports: FrameReport[]) => reports.reduce((sum, { frameMs }) => sum + frameMs, 0)
    expect(mean(stealing!)).toBeLessThan(mean(without!) * 0.97)
    expect(stealing!.some(report => report.stolen > 0)).toBe(true)
    for (const report of stealing!) expectPartition(report.tiles, size)
  })

  it('predict the first frame from one pixel of each cell', () => {
    const size: Size = [320, 180]
    const frames = bodyFrames(size, 1)
    const options = { rowStealing: false }
    const [probed] = run(cutByCells, 8, { size, frames, options })
    const [blocks] = run(strategyByName('static-blocks'), 8, { size, frames, options })
    expect(probed!.probeMs).toBeGreaterThan(0)
    expect(probed!.epsilonCpu).toBeLessThan(blocks!.epsilonCpu / 3)
    expect(probed!.tiles.some(tile => tile.pattern?.kind === 'lattice')).toBe(true)
  })
})

describe('workers that are away for two seconds', () => {
  const size: Size = [320, 180]
  const frames = bodyFrames(size, 1)
  // A frame takes some ten seconds, most of which pass before a tile's first part is done.
  const changes = { size, frames, tracing: { pace: 500 } }
  const shared = strategies.filter(({ name }) => name !== 'single-worker')

  it.each(shared.map(strategy => [strategy.name, strategy] as const))(
    'are at work again at once with %s, and the frame has lost little more than that',
    (_, strategy) => {
      const [calm] = run(strategy, 8, changes)
      const fromMs = 0.2 * calm!.frameMs
      const absent = { fromMs, toMs: fromMs + 2000 }
      const [report] = run(strategy, 8, { ...changes, absent })
      expectPartition(report!.tiles, size)
      for (const { id } of report!.workers.slice(1)) {
        const begun = report!.spans.filter(({ kind, worker, start }) => {
          return kind === 'render' && worker === id && start >= absent.toMs
        })
        expect(Math.min(...begun.map(({ start }) => start))).toBeLessThan(absent.toMs + 1000)
      }
      // A fifth has to be traced again, and what was cut for rescue is not cut as well as what was planned.
      expect(report!.frameMs - 2000).toBeLessThan(calm!.frameMs * (strategy.name === 'predictive' ? 1.3 : 2.2))
    },
  )

  it.each(['predictive', 'demand-driven', 'work-stealing'])(
    'help with %s also if they come for the first time',
    name => {
      const strategy = strategyByName(name)
      const [alone] = run(strategy, 1, changes)
      const [calm] = run(strategy, 8, changes)
      const [report] = run(strategy, 8, { ...changes, absent: { fromMs: 0, toMs: 2000 } })
      if (name === 'predictive') expect(report!.frameMs).toBe(alone!.frameMs)
      else expect(report!.frameMs).toBeLessThan(1.5 * calm!.frameMs + 2000)
    },
  )
})

describe('a simulated cluster', () => {
  it('may have ten thousand workers', () => {
    const size: Size = [640, 360]
    const frames = bodyFrames(size, 2)
    for (const name of ['pbt', 'demand-driven']) {
      const [, report] = run(strategyByName(name), 10_000, { size, frames, options: { tile: 8 } })
      expectPartition(report!.tiles, size)
      expect(report!.ledger).toHaveLength(10_000)
    }
  })
})
