/**
 * Runs any strategy on any number of simulated workers: a discrete-event simulation with the same frames, planner,
 * strategies and schedule as live sessions, for frames whose costs are known. Yields the same reports. Pure.
 */
import type { Clock, FrameReport } from '../../shared/frame-report.ts'
import { OwnerMap } from '../../shared/metrics/owner-map.ts'
import type { Size } from '../../shared/rect.ts'
import type { StrategyOptions } from '../../shared/strategy-options.ts'
import { FramePlanner } from '../frames/frame-planner.ts'
import { frameReport, ownedTiles } from '../frames/frame-report.ts'
import { roundTripMs } from '../frames/round-trip.ts'
import { leaseNumbers } from '../scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS } from '../scheduling/limits.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { type ClusterSpec, workerInfos } from './cluster-spec.ts'
import { type FrameWorkload, type Stopwatch, simulateFrame } from './simulate-frame.ts'

export interface Simulation {
  readonly strategy: Strategy
  readonly options: StrategyOptions
  readonly size: Size
  readonly clock: Clock
  readonly cluster: ClusterSpec
  /** In rendering order; all of `size`. */
  readonly frames: Iterable<FrameWorkload>
  /** Whether fine costs are returned even if the strategy does not need them, as in recorded runs. @default false */
  readonly record?: boolean
  /** Times what the master does itself: statistics, decisions, and what its schedule does about each event. @default no time */
  readonly stopwatch?: Stopwatch
}

/** There are no pixels to hash. */
const NO_HASH = '0'.repeat(64)

const untimed: Stopwatch = work => ({ result: work(), ms: 0 })

/** The frames' reports, each computed on demand. */
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
  const numbers = leaseNumbers()
  let limits = { ...DEFAULT_LIMITS, roundTripMs: emptyTripMs(cluster) }
  let startAt = 0
  const owners = new OwnerMap(size)
  for (const truth of frames) {
    const order = { truth, size, workers, limits, numbers, startAt, owners }
    const { facts, traffic, frame } = simulateFrame(order, planner, cluster, stopwatch)
    startAt = facts.endedAt
    limits = { ...limits, roundTripMs: roundTripMs(facts.records) ?? limits.roundTripMs }
    const migrationShare = owners.update(ownedTiles(facts))
    const made = { frame: truth.frame, strategy: strategy.name, size, workers, traffic, migrationShare }
    const report = frameReport({ ...facts, ...made })
    const { predictionError } = frame.outcome()
    yield { ...report, ...(predictionError === undefined ? {} : { predictionError }), sha256: NO_HASH }
  }
}

/** The round trip that a warm-up would measure. */
const emptyTripMs = ({ network, master }: ClusterSpec): number =>
  2 * network.latencyMs + master.sendMs + master.receiveMs
