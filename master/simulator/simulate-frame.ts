/** One simulated frame from beginning to end. The twin of `master/jobs/make-frame.ts`. */
import type { WorkerInfo } from '../../shared/frame-report.ts'
import { frameRect, type Size } from '../../shared/rect.ts'
import type { Camera } from '../../shared/view.ts'
import type { CostMap } from '../costs/cost-map.ts'
import type { FrameOutcome, FramePlanner } from '../jobs/frame-planner.ts'
import type { FrameTimes } from '../jobs/frame-report.ts'
import { sharesOf, tracedTile } from '../jobs/make-frame.ts'
import { latticeOf, probePlan, withoutLattice } from '../jobs/probe.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import type { ClusterSpec } from './cluster-spec.ts'
import { FrameCosts } from './frame-costs.ts'
import { simulatePlan } from './simulate-plan.ts'

/** A frame that could be traced, and what it would cost. */
export interface FrameTruth {
  readonly frame: number
  readonly camera: Camera
  /** ms of a worker of speed 1. */
  readonly costs: CostMap
}

/** Does `work` and says how long it took, ms: the simulator itself reads no clock. */
export type Stopwatch = <T>(work: () => T) => { readonly result: T; readonly ms: number }

export interface FrameOrder {
  readonly truth: FrameTruth
  readonly size: Size
  readonly workers: readonly WorkerInfo[]
  readonly limits: SchedulerLimits
  readonly firstLease: number
  /** On the master's clock, ms. */
  readonly startAt: number
}

export interface SimulatedFrame extends Omit<FrameTimes, 'frame' | 'strategy' | 'size' | 'workers'> {
  readonly nextLease: number
  readonly outcome: () => FrameOutcome
}

export function simulateFrame(
  { truth, size, workers, limits, firstLease, startAt }: FrameOrder,
  planner: FramePlanner,
  cluster: ClusterSpec,
  stopwatch: Stopwatch,
): SimulatedFrame {
  const { cell } = planner
  const costs = new FrameCosts(truth.costs)
  const grain = { rows: cluster.tracing.grainRows }
  const shares = sharesOf(workers).map(share => ({ ...share, grain }))
  const order = { cluster, costs, workers: shares, limits, cell, owners: planner.owners }

  const stats = stopwatch(() => {
    const known = planner.known(truth.camera, shares)
    const coverage = planner.wantsCoverage(known) ? costs.coverage() : undefined
    return { known, coverage, wantsProbe: planner.wantsProbe(known) }
  })
  const { known, coverage, wantsProbe } = stats.result
  const foundAt = startAt + stats.ms

  const probed = wantsProbe
    ? simulatePlan({ ...order, plan: probePlan(frameRect(size), shares, cell), firstLease, startAt: foundAt })
    : undefined
  const looked = stopwatch(() => probed && planner.probed(probed.records.map(tracedTile), shares))
  const probe = looked.result
  const decideAt = probed ? probed.endedAt + looked.ms : foundAt
  const decided = stopwatch(() => {
    const plan = planner.plan(known, { ...(coverage ? { coverage } : {}), ...(probe ? { probe } : {}) })
    return { plan, tiles: probed ? withoutLattice(plan.tiles, latticeOf(cell)) : plan.tiles }
  })
  const { plan, tiles } = decided.result
  const decidedAt = decideAt + decided.ms

  const rest = { plan: { ...plan, tiles }, firstLease: probed?.nextLease ?? firstLease, startAt: decidedAt }
  const traced = simulatePlan({ ...order, ...rest })
  const records = [...(probed?.records ?? []), ...traced.records]
  return {
    records,
    beganAt: startAt,
    foundAt,
    decideAt,
    decidedAt,
    dispatchAt: probed ? foundAt : decidedAt,
    endedAt: traced.endedAt,
    traffic: {
      messages: traced.messages + (probed?.messages ?? 0),
      bytes: traced.bytes + (probed?.bytes ?? 0),
    },
    rescued: traced.rescued + (probed?.rescued ?? 0),
    stolen: traced.stolen,
    repeatedPx: traced.repeatedPx,
    probeMs: probed ? probed.endedAt - foundAt : 0,
    decisions: plan.decisions ?? {},
    owners: planner.owners,
    nextLease: traced.nextLease,
    outcome: planner.done(known, plan, records.map(tracedTile)),
  }
}
