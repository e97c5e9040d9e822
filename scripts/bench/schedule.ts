/**
 * What the schedule of a frame costs the master: a frame is simulated and what its schedule is told is taped; then the tape is played to
 * the schedule alone, with what a live frame asks of it after each event, and its CPU time is measured. Nothing is random.
 */
import { CostMap } from '../../master/costs/cost-map.ts'
import { FramePlanner } from '../../master/frames/frame-planner.ts'
import { roundTripMs } from '../../master/frames/round-trip.ts'
import type { ClusterEvent } from '../../master/scheduling/events.ts'
import { FrameSchedule } from '../../master/scheduling/frame-schedule.ts'
import { leaseNumbers } from '../../master/scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from '../../master/scheduling/limits.ts'
import {
  type ClusterSpec,
  DEFAULT_MASTER,
  DEFAULT_TRACING,
  LOOPBACK,
  virtualWorkers,
  workerInfos,
} from '../../master/simulator/cluster-spec.ts'
import { simulateFrame } from '../../master/simulator/simulate-frame.ts'
import type { AreaShare, Plan, Strategy } from '../../master/strategies/strategy.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { OwnerMap } from '../../shared/metrics/owner-map.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { BenchError } from './bench-error.ts'
import { measure } from './measure.ts'

export interface ScheduleBench {
  readonly areas: number
  /** CPU time of the schedule for an event, µs, and for a whole frame, ms; medians of rounds. */
  readonly eventUs: number
  readonly frameMs: number
  readonly events: number
  /** Pieces that changed hands. */
  readonly stolen: number
}

/** What the schedule of one frame was made for and told. */
interface Tape {
  readonly plan: Plan
  readonly areas: readonly AreaShare[]
  readonly limits: SchedulerLimits
  readonly beganAt: number
  readonly heard: readonly { readonly event: ClusterEvent; readonly now: number }[]
}

const SIZE: Size = [1920, 1080]
/** Number of the frame that is measured: the first may have a probe. */
const MEASURED = 1
/** Tracing time of a frame for each area, ms, however many there are. */
const AREA_MS = 1000
/** A master that has made some frames has compiled what it runs. */
const WARM_EVENTS = 20_000
/** Relative standard deviation of what tiles take beside their prediction. */
const NOISE = 0.05

export function benchSchedule(strategy: Strategy, counts: readonly number[], rounds: number): ScheduleBench[] {
  return counts.map(areas => {
    const tape = taped(strategy, areas)
    const events = tape.heard.length
    if (events === 0)
      throw new BenchError(`the schedule of ${areas} areas was told of no event, expected answers to tiles`)
    for (let played = 0; played < WARM_EVENTS; played += events) play(tape)
    const { medianMs: frameMs } = measure(rounds, () => play(tape))
    const { stolen } = play(tape)
    return { areas, eventUs: (1000 * frameMs) / events, frameMs, events, stolen }
  })
}

/** Everything that a live frame asks of its schedule. */
function play({ plan, areas, limits, beganAt, heard }: Tape): FrameSchedule {
  const schedule = new FrameSchedule(plan, areas, leaseNumbers(), limits)
  schedule.begin(beganAt)
  for (const { event, now } of heard) {
    schedule.happened(event, now)
    if (schedule.status === 'tracing' && schedule.live.size === 0) throw new BenchError('every area was lost')
    schedule.isSpare(now)
    schedule.wakeAt
  }
  if (schedule.status !== 'complete') throw new BenchError(`the frame on tape is ${schedule.status} when it is played`)
  return schedule
}

function taped(strategy: Strategy, count: number): Tape {
  const cluster: ClusterSpec = {
    workers: virtualWorkers(count),
    network: LOOPBACK,
    master: DEFAULT_MASTER,
    tracing: { ...DEFAULT_TRACING, noise: NOISE },
  }
  const workers = workerInfos(cluster)
  let asked: { readonly plan: Plan; readonly areas: readonly AreaShare[] } | undefined
  const listened: Strategy = {
    ...strategy,
    plan: input => {
      const plan = strategy.plan(input)
      asked = { plan, areas: input.workers }
      return plan
    },
  }
  const settings = { options: DEFAULT_STRATEGY_OPTIONS, size: SIZE, clock: 'cpu', record: false } as const
  const planner = new FramePlanner({ strategy: listened, ...settings })
  let limits = DEFAULT_LIMITS
  let startAt = 0
  for (let frame = 0; ; frame++) {
    const heard: { event: ClusterEvent; now: number }[] = []
    const truth = { frame, camera: CAMERA, costs: costsOf(frame, count * AREA_MS) }
    const order = { truth, size: SIZE, workers, limits, numbers: leaseNumbers(), owners: new OwnerMap(SIZE), startAt }
    const hear = (event: ClusterEvent, now: number) => void heard.push({ event, now })
    const { facts } = simulateFrame({ ...order, hear }, planner, cluster, work => ({ result: work(), ms: 0 }))
    if (frame === MEASURED) return { ...asked!, limits, beganAt: startAt, heard }
    limits = { ...limits, roundTripMs: roundTripMs(facts.records) ?? limits.roundTripMs }
    startAt = facts.endedAt
  }
}

/** A disc of costly pixels that moves a little from frame to frame. @param totalMs of all cells together */
function costsOf(frame: number, totalMs: number): CostMap {
  const map = new CostMap(SIZE, DEFAULT_STRATEGY_OPTIONS.cell)
  const { cell, columns, rows, costs, depths } = map
  let total = 0
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const distance = Math.hypot((column + 0.5) * cell - 900 - 4 * frame, (row + 0.5) * cell - 500)
      const at = row * columns + column
      costs[at] = map.area(column, row) * (distance < 400 ? 10 + Math.sin(distance / 40) : 1)
      depths[at] = distance < 400 ? 5 : Number.POSITIVE_INFINITY
      total += costs[at]!
    }
  for (let at = 0; at < costs.length; at++) costs[at]! *= totalMs / total
  return map
}

const CAMERA: Camera = {
  origin: [0, 0, 5],
  right: [1, 0, 0],
  up: [0, 1, 0],
  back: [0, 0, 1],
  tanHalfX: 0.6,
  tanHalfY: 0.34,
  near: 0.1,
  far: 100,
}
