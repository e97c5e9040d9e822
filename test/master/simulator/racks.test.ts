import { describe, expect, it } from 'vitest'
import {
  type ClusterSpec,
  DEFAULT_MASTER,
  DEFAULT_TRACING,
  LOOPBACK,
  type VirtualWorker,
  virtualWorkers,
  withAreas,
} from '../../../master/simulator/cluster-spec.ts'
import { defaultRacks, inRacks } from '../../../master/simulator/racks.ts'
import { receivedCosts, sentCosts } from '../../../master/simulator/sent-costs.ts'
import { type SimulatedReport, type Simulation, simulate } from '../../../master/simulator/simulate.ts'
import type { Stopwatch } from '../../../master/simulator/simulate-frame.ts'
import { strategyByName } from '../../../master/strategies/index.ts'
import type { Strategy } from '../../../master/strategies/strategy.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../../shared/session/strategy-options.ts'
import { bodyCosts, bodyFrames } from '../../support/cost-maps.ts'
import { expectPartition } from '../../support/partition.ts'
import { ledgerError } from '../../support/session.ts'

const SIZE = [324, 187] as const

interface Changes extends Partial<Omit<Simulation, 'options' | 'cluster'>> {
  readonly speeds?: readonly number[]
  readonly workers?: readonly VirtualWorker[]
  readonly options?: Partial<StrategyOptions>
  readonly network?: Partial<ClusterSpec['network']>
  readonly tracing?: Partial<ClusterSpec['tracing']>
}

/** @param racks 0: one level */
function run(count: number, racks: number, changes: Changes = {}): SimulatedReport[] {
  const { speeds, workers = virtualWorkers(count, speeds), options, network, tracing, ...others } = changes
  const cluster: ClusterSpec = {
    workers,
    ...(racks > 0 ? { racks } : {}),
    network: { ...LOOPBACK, ...network },
    master: DEFAULT_MASTER,
    tracing: { ...DEFAULT_TRACING, pace: 20, ...tracing },
  }
  const known = { strategy: strategyByName('predictive'), size: SIZE, clock: 'cpu' as const, ...others }
  const frames = bodyFrames(known.size, 4, 3)
  return [...simulate({ frames, ...known, cluster, options: { ...DEFAULT_STRATEGY_OPTIONS, ...options } })]
}

const last = (reports: readonly SimulatedReport[]): SimulatedReport => reports.at(-1)!

describe('racks', () => {
  it('are of nearly equal size, and keep the areas of a worker together', () => {
    const workers = withAreas(virtualWorkers(11), [
      { name: 'cpu', speed: 1 },
      { name: 'gpu', speed: 3 },
    ])
    const cluster = { workers, network: LOOPBACK, master: DEFAULT_MASTER, tracing: DEFAULT_TRACING }
    const { above, racks } = inRacks(cluster, 4)
    expect(racks.map(rack => rack.workers.length)).toEqual([4, 6, 6, 6])
    expect(racks.flatMap(rack => rack.workers)).toEqual(workers)
    expect(above.workers.map(({ id, speed }) => [id, speed])).toEqual([
      ['r1', 8],
      ['r2', 12],
      ['r3', 12],
      ['r4', 12],
    ])
  })

  it('are about as many as a rack has workers, and two at least', () => {
    expect([2, 3, 16, 256, 1000, 16_384].map(defaultRacks)).toEqual([2, 2, 4, 16, 32, 128])
  })
})

describe('costs sent to a rack', () => {
  it.each([
    [0, 0, 324, 187],
    [13, 22, 101, 57],
    [319, 183, 5, 4],
    [7, 7, 1, 1],
  ])('are those of the tile %i,%i %ix%i', (x, y, w, h) => {
    const map = bodyCosts(SIZE, 8)
    const rect = { x, y, w, h }
    const received = receivedCosts(sentCosts(map, rect), rect)
    expect(received.size).toEqual([w, h])
    // Cells travel in steps of 4 %.
    expect(received.total / map.field().total(rect)).toBeCloseTo(1, 1)
  })
})

describe('a rack that is lost at once', () => {
  it('costs the frame what its areas would have traced, and some orders for each that is left', () => {
    const size = [1920, 1080] as const
    const [first, calm] = run(200, 0, { size })
    const fromMs = first!.frameMs + 0.3 * calm!.frameMs
    const workers = virtualWorkers(200).map((worker, i) =>
      i < 100 ? { ...worker, absent: { fromMs, toMs: 1e9 } } : worker,
    )
    const report = run(200, 0, { size, workers })[1]!
    expectPartition(report.tiles, size)
    expect(report.rescued).toBeGreaterThanOrEqual(100)
    expect(report.tiles.length).toBeLessThan(calm!.tiles.length + 12 * 100)
    // The others have as much to trace again as they had.
    expect(report.frameMs).toBeLessThan(2.5 * calm!.frameMs)
  })
})

describe('a simulated frame of two levels', () => {
  it.each<[string, number, number, Changes]>([
    ['equal workers', 24, 5, {}],
    ['workers of other speeds', 24, 4, { speeds: [1, 0.5, 2, 0.25, 1, 3] }],
    ['a worker of no speed at all', 8, 4, { speeds: [1, 0] }],
    ['a rack of no speed at all', 8, 4, { speeds: [0, 0, 1, 1, 1, 1, 1, 1] }],
    ['one worker in each rack', 6, 6, {}],
    ['noise, thin links and costs of moving', 16, 4, { tracing: { noise: 0.1, migrationMsPerPixel: 1e-4 } }],
    ['racks with more workers than their tiles have pixels', 400, 4, { size: [17, 11] }],
    ['more racks than pixels', 300, 260, { size: [17, 11] }],
    ['no probe', 16, 4, { options: { probe: false } }],
    ['splits that stay', 16, 4, { options: { damping: 0.5, resistance: 8, boundary: 4 } }],
    ['larger cells', 16, 4, { options: { cell: 32 } }],
    ['wall time', 16, 4, { clock: 'wall' }],
  ])('is whole with %s, its ledger adds up, and it is the same again', (_, workers, racks, changes) => {
    const reports = run(workers, racks, changes)
    expect(reports).toHaveLength(4)
    for (const report of reports) {
      expectPartition(report.tiles, changes.size ?? SIZE)
      expect(ledgerError(report)).toBeLessThan(1e-6)
      expect(report.ledger).toHaveLength(workers)
      expect(report.frameMs).toBeGreaterThanOrEqual(report.criticalMs)
      expect(report.messages).toBeGreaterThanOrEqual(report.topTraffic!.messages + 2)
      expect(report.bytes).toBeGreaterThan(report.topTraffic!.bytes)
    }
    expect(run(workers, racks, changes)).toEqual(reports)
  })

  it('shares what a worker is given among its areas, too', () => {
    const workers = withAreas(virtualWorkers(8), [
      { name: 'cpu', speed: 1 },
      { name: 'gpu', speed: 4 },
    ])
    const report = last(run(8, 3, { workers }))
    expectPartition(report.tiles, SIZE)
    expect(new Set(report.tiles.map(tile => tile.worker)).size).toBe(16)
    expect(report.epsilonCpu).toBeLessThan(0.25)
  })

  it('takes as long as its pixels and two networks do, at least, and little longer', () => {
    const latencyMs = 20
    const near = last(run(16, 4))
    const far = last(run(16, 4, { network: { latencyMs: LOOPBACK.latencyMs + latencyMs } }))
    expect(near.frameMs).toBeGreaterThan(20 * near.meanMs + 4 * LOOPBACK.latencyMs)
    expect(near.frameMs).toBeLessThan(1.25 * last(run(16, 0)).frameMs + 2)
    // Stealing rows pays less often from afar.
    expect(far.frameMs - near.frameMs).toBeGreaterThan(0.9 * 4 * latencyMs)
  })

  it.each([0, 3])('is nearly as even as with one level where the body moves by %i px', step => {
    const frames = bodyFrames(SIZE, 4, step)
    const [one, two] = [0, 4].map(racks => last(run(16, racks, { frames })).epsilonCpu)
    expect(two).toBeLessThan(one! + 0.08)
  })

  it('has a first frame that is shared by what a probe has found', () => {
    const [first] = run(16, 4)
    expect(first!.probeMs).toBeGreaterThan(0)
    expect(first!.epsilonCpu).toBeLessThan(0.3)
    const [blocks] = run(16, 0, { strategy: strategyByName('static-blocks') })
    expect(first!.epsilonCpu).toBeLessThan(blocks!.epsilonCpu / 3)
  })

  it('learns which workers are slower than they say', () => {
    const workers = virtualWorkers(16).map((worker, i) => (i % 4 === 0 ? { ...worker, actualSpeed: 0.4 } : worker))
    const frames = bodyFrames(SIZE, 6, 0)
    const options = { rowStealing: false }
    const [knowing, ignorant] = [true, false].map(learnSpeeds =>
      last(run(16, 4, { workers, frames, options: { ...options, learnSpeeds } })),
    )
    expect(knowing!.frameMs).toBeLessThan(0.7 * ignorant!.frameMs)
  })

  it('spends the time of its masters side by side', () => {
    const stopwatch =
      (ms: number): Stopwatch =>
      (work, kind) => ({ result: work(), ms: kind === 'decide' ? ms : 0 })
    const changes = { options: { rowStealing: false } }
    const [none, some] = [0, 50].map(ms => last(run(64, 8, { ...changes, stopwatch: stopwatch(ms) })))
    // One decision above, and one in each rack at the same time.
    expect(some!.frameMs - none!.frameMs).toBeCloseTo(100, 6)
    expect(some!.decideMs).toBe(50)
  })

  it('sends the master above an answer from each rack, and each rack its costs', () => {
    const [, one] = run(64, 0, { options: { rowStealing: false } })
    const [, two] = run(64, 8, { options: { rowStealing: false } })
    expect(one!.topTraffic).toBeUndefined()
    expect(two!.topTraffic!.messages).toBe(16)
    expect(two!.messages).toBe(16 + one!.messages)
    const pixels = 3 * SIZE[0] * SIZE[1]
    expect(two!.topTraffic!.bytes).toBeGreaterThan(pixels + 8 * (690 + 158))
    expect(two!.topTraffic!.bytes).toBeLessThan(one!.bytes)
    expect(two!.bytes - two!.topTraffic!.bytes).toBeGreaterThan(pixels)
  })

  it('refuses a strategy that gives sets of pixels', () => {
    const striped: Strategy = {
      name: 'striped',
      summary: '',
      advice: '',
      source: 'control',
      plan: ({ size: [w, h], workers }) => ({
        tiles: [0, 1].map(phase => ({
          rect: { x: 0, y: 0, w, h },
          pattern: { kind: 'strided' as const, cellW: 1, cellH: 1, columns: w, stride: 2, phase },
          worker: workers[phase]!.id,
        })),
      }),
    }
    expect(() => run(8, 2, { strategy: striped })).toThrow('--levels: expected a strategy whose tiles are rectangles')
  })
})
