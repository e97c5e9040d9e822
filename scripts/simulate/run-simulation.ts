/** Runs the simulations of one cluster, strategy after strategy, and reduces them to a summary. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CostPredictor } from '../../master/costs/predictors/index.ts'
import { type ClusterSpec, workerInfos } from '../../master/simulator/cluster-spec.ts'
import { type SimulatedReport, type Simulation, simulate } from '../../master/simulator/simulate.ts'
import type { FrameWorkload, Stopwatch } from '../../master/simulator/simulate-frame.ts'
import type { Strategy } from '../../master/strategies/strategy.ts'
import type { RunFrames } from '../../shared/dashboard/report-frames.ts'
import type { Clock } from '../../shared/frame/frame-limits.ts'
import type { Summary } from '../../shared/frame/summary.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import type { Log } from '../../shared/text/log.ts'
import type { RecordingFacts } from '../recording/record.ts'
import { simulationDoubts } from '../report/figures/doubts.ts'
import { keptFrames } from '../report/figures/kept-frames.ts'
import { plural, workersText } from '../report/figures/numbers.ts'
import { bytesFor, FramesToShow } from '../report/figures/run-frames.ts'
import { summarize } from '../report/figures/summarize.ts'
import { describeHost } from '../run/host.ts'

export interface SimulationOrder {
  readonly facts: RecordingFacts
  readonly frames: readonly FrameWorkload[]
  readonly cluster: ClusterSpec
  readonly strategies: readonly Strategy[]
  readonly options: StrategyOptions
  readonly predictor: CostPredictor
  readonly clock: Clock
}

/** Frames × workers × strategies above which the summary omits per-worker data. */
const MAX_ROWS = 200_000

export interface Simulated {
  readonly summary: Summary
  /** Whether tiles and ledgers of frames were omitted, because there would be too many. */
  readonly brief: boolean
  /** Frames of each strategy, to look into; of a brief one none. */
  readonly runs: readonly RunFrames[]
}

/** Rejects with the signal's reason on abort. */
export async function runSimulation(order: SimulationOrder, log: Log, signal: AbortSignal): Promise<Simulated> {
  const { facts, frames, cluster, strategies, options, predictor, clock } = order
  const brief = frames.length * cluster.workers.length * strategies.length > MAX_ROWS
  const { scene, size, quality, camera } = facts
  const workers = workerInfos(cluster)
  const runFacts = {
    scene,
    size: [...size] as [number, number],
    quality,
    camera,
    host: describeHost(),
    workers,
    within: options.within,
    pacing: cluster.tracing.pace === 1 ? null : workers.map(({ cores = 1 }) => cores),
  }
  const summaries: Summary[] = []
  const runs: RunFrames[] = []
  for (const strategy of strategies) {
    const startedAt = performance.now()
    const simulation = { strategy, options, predictor, size, clock, cluster, frames, stopwatch }
    const toShow = new FramesToShow(strategy.name, bytesFor(strategies.length))
    const reports = await reportsOf(simulation, signal, report => brief || toShow.add(report))
    if (toShow.run) runs.push(toShow.run)
    const summary = withTop(summarize(runFacts, [keptFrames(strategy.name, reports)], clock), reports)
    summaries.push(brief ? withoutDetails(summary) : summary)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    log.info(`${workersText(cluster.workers)}, ${strategy.name}: ${plural(frames.length, 'frame')} in ${seconds} s`)
  }
  const joined = summaries.flatMap(summary => summary.strategies)
  const warnings = simulationDoubts({ strategies: joined })
  return { summary: { ...summaries[0]!, strategies: joined, warnings }, brief, runs }
}

/**
 * A simulation's frames without their spans. Yields to the event loop only between frames. Rejects with the signal's reason on abort.
 * @param each is told of each frame with its spans
 */
export async function reportsOf(
  simulation: Simulation,
  signal: AbortSignal,
  each: (report: SimulatedReport) => void = () => {},
): Promise<SimulatedReport[]> {
  const reports: SimulatedReport[] = []
  for (const report of simulate(simulation)) {
    each(report)
    reports.push({ ...report, spans: [] })
    await nextTurn()
    signal.throwIfAborted()
  }
  return reports
}

/** Wall time. */
export const stopwatch: Stopwatch = work => {
  const startedAt = performance.now()
  const result = work()
  return { result, ms: performance.now() - startedAt }
}

/** With racks: what of the traffic of a strategy's frames went through the master above. */
function withTop(summary: Summary, reports: readonly SimulatedReport[]): Summary {
  const top = reports.flatMap(({ topTraffic }) => topTraffic ?? [])
  if (top.length === 0) return summary
  const topMaster = {
    messagesPerFrame: mean(top.map(({ messages }) => messages)),
    bytesPerFrame: mean(top.map(({ bytes }) => bytes)),
  }
  return { ...summary, strategies: summary.strategies.map(strategy => ({ ...strategy, topMaster })) }
}

const withoutDetails = (summary: Summary): Summary => ({
  ...summary,
  strategies: summary.strategies.map(strategy => ({
    ...strategy,
    frames: strategy.frames.map(frame => ({ ...frame, ledger: [], tiles: [] })),
  })),
})
