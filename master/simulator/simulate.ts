/**
 * Runs any strategy on any number of simulated workers: a discrete-event simulation with the same frames, planner,
 * strategies and schedule as live sessions, for frames whose costs are known. Yields the same reports. Pure.
 */

import type { Clock } from '../../shared/frame/frame-limits.ts'
import { type FrameReport, NO_HASH } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { OwnerMap } from '../../shared/metrics/owner-map.ts'
import type { Traffic } from '../../shared/protocol/channel.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import { type CostPredictor, predictorByName } from '../costs/predictors/index.ts'
import { FramePlanner } from '../frames/frame-planner.ts'
import { frameReport, ownedTiles } from '../frames/frame-report.ts'
import { roundTripMs } from '../frames/round-trip.ts'
import { leaseNumbers } from '../scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS } from '../scheduling/limits.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { type ClusterSpec, emptyTripMs, workerInfos } from './cluster-spec.ts'
import { RackLevel } from './rack-level.ts'
import { inRacks } from './racks.ts'
import { type FrameWorkload, type Stopwatch, simulateFrame } from './simulate-frame.ts'

export interface Simulation {
  readonly strategy: Strategy
  readonly options: StrategyOptions
  /** @default the built-in one that the options name */
  readonly predictor?: CostPredictor
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

/** A frame, and what of its traffic went through the master above if there are racks. */
export interface SimulatedReport extends FrameReport {
  readonly topTraffic?: Traffic
}

const untimed: Stopwatch = work => ({ result: work(), ms: 0 })

/** The frames' reports, each computed on demand. */
export function* simulate({
  strategy,
  options,
  predictor = predictorByName(options.predictor),
  size,
  clock,
  cluster,
  frames,
  record = false,
  stopwatch = untimed,
}: Simulation): Generator<SimulatedReport, void> {
  const numbers = leaseNumbers()
  const { above, racks } = cluster.racks === undefined ? { above: cluster } : inRacks(cluster, cluster.racks)
  const level = racks && new RackLevel({ strategy, options, predictor, clock, racks, numbers, stopwatch })
  const planner = new FramePlanner({ strategy: level?.strategy ?? strategy, options, predictor, size, clock, record })
  const workers = workerInfos(cluster)
  const asked = workerInfos(above)
  let limits = { ...DEFAULT_LIMITS, roundTripMs: emptyTripMs(above) }
  let startAt = 0
  const owners = new OwnerMap(size)
  for (const truth of frames) {
    const below = level && { below: level.begin(truth, owners, planner.cell) }
    const order = { truth, size, workers: asked, limits, numbers, startAt, owners, ...below }
    const made = simulateFrame(order, planner, above, stopwatch)
    const { facts, traffic, frame } = level?.whole(made) ?? made
    startAt = facts.endedAt
    limits = { ...limits, roundTripMs: roundTripMs(made.facts.records) ?? limits.roundTripMs }
    const migrationShare = owners.update(ownedTiles(facts))
    const known = { frame: truth.frame, strategy: strategy.name, size, workers, traffic, migrationShare }
    const report = frameReport({ ...facts, ...known })
    const { predictionError } = frame.outcome()
    yield {
      ...report,
      ...(predictionError === undefined ? {} : { predictionError }),
      ...(level ? { topTraffic: made.traffic } : {}),
      sha256: NO_HASH,
    }
  }
}
