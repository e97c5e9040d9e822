/**
 * Any strategy on any number of workers that are not there: a discrete-event simulation that runs the same planner, strategies
 * and schedule as live jobs over frames whose costs are known, and yields the same reports. Pure; the twin of
 * `master/jobs/run-job.ts`.
 */
import type { Clock, FrameReport } from '../../shared/frame-report.ts'
import type { Size } from '../../shared/rect.ts'
import type { StrategyOptions } from '../../shared/strategy-options.ts'
import { FramePlanner } from '../jobs/frame-planner.ts'
import { frameReport } from '../jobs/frame-report.ts'
import { roundTripMs } from '../jobs/round-trip.ts'
import { DEFAULT_LIMITS } from '../scheduling/limits.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { type ClusterSpec, workerInfos } from './cluster-spec.ts'
import { type FrameTruth, type Stopwatch, simulateFrame } from './simulate-frame.ts'

export interface Simulation {
  readonly strategy: Strategy
  readonly options: StrategyOptions
  readonly size: Size
  readonly clock: Clock
  readonly cluster: ClusterSpec
  /** In the order in which they are made; all of `size`. */
  readonly frames: Iterable<FrameTruth>
  /** Whether fine costs come back whatever the strategy wants, as in runs that are recorded. @default false */
  readonly record?: boolean
  /** Times statistics and decisions. @default they take no time */
  readonly stopwatch?: Stopwatch
}

/** There are no pixels to hash. */
const NO_HASH = '0'.repeat(64)

const untimed: Stopwatch = work => ({ result: work(), ms: 0 })

/** The frames' reports, each made when it is asked for. */
export function* simulate({
  strategy,
  options,
  size,
  clock,
  cluster,
  frames,
  record = false,
  stopwatch = untimed,
}: Simulation): Generator<FrameReport, void> {
  const planner = new FramePlanner({ strategy, options, size, clock, record })
  const workers = workerInfos(cluster)
  let limits = { ...DEFAULT_LIMITS, roundTripMs: emptyTripMs(cluster) }
  let firstLease = 0
  let startAt = 0
  for (const truth of frames) {
    const made = simulateFrame({ truth, size, workers, limits, firstLease, startAt }, planner, cluster, stopwatch)
    firstLease = made.nextLease
    startAt = made.endedAt
    limits = { ...limits, roundTripMs: roundTripMs(made.records) ?? limits.roundTripMs }
    const report = frameReport({ ...made, frame: truth.frame, strategy: strategy.name, size, workers })
    const { predictionError } = made.outcome()
    yield { ...report, ...(predictionError === undefined ? {} : { predictionError }), sha256: NO_HASH }
  }
}

/** What a warm-up would find the wire to take. */
const emptyTripMs = ({ network, master }: ClusterSpec): number =>
  2 * network.latencyMs + master.sendMs + master.receiveMs
