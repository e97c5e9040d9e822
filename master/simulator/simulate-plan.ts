/**
 * Traces a plan on a cluster that is not there: the very schedule of live frames is told what happens, and what it answers
 * travels, is traced, travels back and is stitched in simulated time. The twin of `master/jobs/trace-frame.ts`.
 */
import { assertNever, InvariantError, invariant } from '../../shared/errors.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { OwnerMap } from '../../shared/metrics/owner-map.ts'
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { decodeCells, encodeCells } from '../../shared/protocol/cell-costs.ts'
import type { LeaseRecord, TracedPlan } from '../jobs/trace-frame.ts'
import type { Action, ClusterEvent } from '../scheduling/events.ts'
import { FrameSchedule } from '../scheduling/frame-schedule.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import type { AreaShare, Plan } from '../strategies/strategy.ts'
import type { ClusterSpec } from './cluster-spec.ts'
import { EventQueue } from './event-queue.ts'
import type { FrameCosts } from './frame-costs.ts'
import { answerBytes, NOTE_BYTES, orderBytes, pixelBytes } from './message-bytes.ts'
import { Network } from './network.ts'
import { tileWork } from './tile-work.ts'
import { type VirtualAnswer, type VirtualOrder, VirtualTracer } from './virtual-tracer.ts'

export interface SimulatedPlan {
  readonly cluster: ClusterSpec
  readonly costs: FrameCosts
  readonly plan: Plan
  readonly workers: readonly AreaShare[]
  readonly limits: SchedulerLimits
  readonly firstLease: number
  /** Side of the cells that costs are wanted for, px; 0: none. */
  readonly cell: number
  /** Who had the pixels in the frame before. */
  readonly owners: OwnerMap
  /** On the master's clock, ms. */
  readonly startAt: number
}

export interface SimulatedTrace extends TracedPlan {
  readonly messages: number
  readonly bytes: number
}

/** What may happen, and to whom; workers by their number. */
type SimulatedEvent =
  | { readonly type: 'order'; readonly worker: number; readonly order: VirtualOrder }
  | { readonly type: 'trim'; readonly worker: number; readonly lease: LeaseId; readonly rows: number }
  | { readonly type: 'cancel'; readonly worker: number; readonly lease: LeaseId }
  /** A worker has traced what it was about to answer, unless something came between. */
  | { readonly type: 'traced'; readonly worker: number }
  /** An answer reaches the master's link; is whole there. */
  | { readonly type: 'incoming'; readonly worker: number; readonly answer: VirtualAnswer }
  | { readonly type: 'arrived'; readonly worker: number; readonly answer: VirtualAnswer }
  /** The schedule asked to be woken; `number` tells its newest wish from those before. */
  | { readonly type: 'alarm'; readonly number: number }
  | { readonly type: 'tick' }
  /** Workers that are at a tile say so. */
  | { readonly type: 'signs' }

/** As live masters tick, ms. */
const TICK_MS = 250
/** As workers say that they advance, ms. */
const SIGN_MS = 2000
/** What engines count in a ms of a worker of speed 1. */
const WORK_PER_MS = 1e4
/** The shortest time that a timer of Node.js waits, ms. */
const LEAST_ALARM_MS = 1

export function simulatePlan(simulated: SimulatedPlan): SimulatedTrace {
  return new PlanSimulation(simulated).run()
}

class PlanSimulation {
  readonly #input: SimulatedPlan
  readonly #schedule: FrameSchedule
  readonly #queue = new EventQueue<SimulatedEvent>()
  readonly #network: Network
  readonly #tracers: VirtualTracer[]
  readonly #ids: readonly AreaId[]
  readonly #numbers: ReadonlyMap<AreaId, number>
  /** What each open lease was, and when it (or the newest part of it) was on its way. */
  readonly #sent = new Map<LeaseId, { readonly worker: AreaId; readonly tile: PixelSet; readonly sentAt: number }>()
  readonly #records: LeaseRecord[] = []
  /** The master does one thing after the other: what it is at, ms. */
  #now: number
  #alarm = 0
  #messages = 0
  #bytes = 0
  #repeatedPx = 0

  constructor(simulated: SimulatedPlan) {
    this.#input = simulated
    const { cluster, plan, workers, firstLease, limits, startAt } = simulated
    this.#ids = workers.map(({ id }) => id)
    this.#numbers = new Map(this.#ids.map((id, number) => [id, number]))
    this.#schedule = new FrameSchedule(plan, workers, firstLease, limits)
    this.#network = new Network(cluster.network, workers.length)
    this.#tracers = cluster.workers.map(worker => {
      const { pace, handOverMs } = cluster.tracing
      return new VirtualTracer(pace / worker.speed, handOverMs, order => tileWork(worker, order, simulated))
    })
    this.#now = startAt
  }

  run(): SimulatedTrace {
    this.#perform(this.#schedule.begin(this.#now))
    this.#queue.push(this.#now + TICK_MS, { type: 'tick' })
    this.#queue.push(this.#now + SIGN_MS, { type: 'signs' })
    while (this.#schedule.status === 'tracing') {
      const next = this.#queue.pop()
      invariant(next, 'a frame that is not complete has something to wait for')
      this.#happen(next.event, next.time)
    }
    const { rescued, stolen, nextLease } = this.#schedule
    return {
      ...{ records: this.#records, rescued, stolen, repeatedPx: this.#repeatedPx, nextLease, endedAt: this.#now },
      ...{ messages: this.#messages, bytes: this.#bytes },
    }
  }

  #happen(event: SimulatedEvent, time: number): void {
    switch (event.type) {
      case 'order':
        return this.#toTracer(event.worker, tracer => tracer.order(event.order, time))
      case 'trim':
        return this.#toTracer(event.worker, tracer => tracer.trim(event.lease, event.rows, time))
      case 'cancel':
        return this.#toTracer(event.worker, tracer => tracer.cancel(event.lease, time))
      case 'traced':
        return this.#traced(event.worker, time)
      case 'incoming': {
        const bytes = this.#answerBytes(event.answer)
        return this.#queue.push(this.#network.throughMasterLink(bytes, time), { ...event, type: 'arrived' })
      }
      case 'arrived':
        return this.#arrived(event, time)
      case 'alarm':
        if (event.number === this.#alarm) this.#tell({ type: 'tick' }, time)
        return
      case 'tick':
        this.#queue.push(time + TICK_MS, event)
        return this.#tell({ type: 'tick' }, time)
      case 'signs':
        this.#queue.push(time + SIGN_MS, event)
        for (const [number, { lease }] of this.#tracers.entries())
          if (lease !== undefined) this.#tell({ type: 'tile-progress', worker: this.#ids[number]!, lease }, time)
        return
      default:
        assertNever(event)
    }
  }

  #toTracer(worker: number, what: (tracer: VirtualTracer) => void): void {
    const tracer = this.#tracers[worker]!
    const before = tracer.wakeAt
    what(tracer)
    if (tracer.wakeAt !== before) this.#await(worker)
  }

  /** Looks after a worker when it will have something to say. */
  #await(worker: number): void {
    const { wakeAt } = this.#tracers[worker]!
    if (wakeAt !== undefined) this.#queue.push(wakeAt, { type: 'traced', worker })
  }

  #traced(worker: number, time: number): void {
    const tracer = this.#tracers[worker]!
    // What was trimmed or cancelled after its end was foretold ends at another time.
    if (tracer.wakeAt !== time) return
    const { tile, times, lease } = tracer.wake(time)
    this.#await(worker)
    const encodeMs = pixelBytes(tile) * this.#input.cluster.tracing.encodeMsPerByte
    const answer = { lease, tile, times: { ...times, encodeMs } }
    const at = this.#network.toMasterLink(worker, this.#answerBytes(answer), time + encodeMs)
    this.#queue.push(at, { type: 'incoming', worker, answer })
  }

  #arrived(
    { worker: number, answer }: { readonly worker: number; readonly answer: VirtualAnswer },
    time: number,
  ): void {
    const { receiveMs, decodeMsPerByte } = this.#input.cluster.master
    const { lease, tile, times } = answer
    const { y, h } = tile.rect
    this.#count(this.#answerBytes(answer))
    this.#now = Math.max(this.#now, time) + receiveMs + pixelBytes(tile) * decodeMsPerByte
    const tookMs = times.waitMs + times.renderMs
    const rows = { from: y, to: y + h, more: times.more === true, tookMs }
    this.#tell({ type: 'tile-done', worker: this.#ids[number]!, lease, ...rows }, this.#now, answer)
  }

  #tell(event: ClusterEvent, time: number, answer?: VirtualAnswer): void {
    this.#now = Math.max(this.#now, time)
    this.#perform(this.#schedule.happened(event, this.#now), answer)
  }

  #perform(actions: readonly Action[], answer?: VirtualAnswer): void {
    const arrivedAt = this.#now
    for (const action of actions) {
      switch (action.type) {
        case 'trace': {
          const { worker, lease, tile, part } = action
          this.#sent.set(lease, { worker, tile, sentAt: this.#now })
          const order = { lease, tile, ...(part ? { part } : {}) }
          this.#send(worker, orderBytes(tile), number => ({ type: 'order', worker: number, order }))
          break
        }
        case 'trim': {
          const { lease, rows } = action
          this.#send(action.worker, NOTE_BYTES, worker => ({ type: 'trim', worker, lease, rows }))
          break
        }
        case 'cancel': {
          const { lease } = action
          this.#send(action.worker, NOTE_BYTES, worker => ({ type: 'cancel', worker, lease }))
          break
        }
        case 'accept':
          invariant(answer, 'only what came can be accepted')
          this.#accept(action, answer, arrivedAt)
          break
        case 'drop':
        case 'set-aside':
        case 'frame-complete':
          break
        case 'frame-failed':
          throw new InvariantError(`a simulated frame failed: ${action.reason}`)
        default:
          assertNever(action)
      }
    }
    const { wakeAt } = this.#schedule
    this.#alarm++
    if (wakeAt !== undefined)
      this.#queue.push(Math.max(wakeAt, this.#now + LEAST_ALARM_MS), { type: 'alarm', number: this.#alarm })
  }

  #accept({ lease, tile }: Extract<Action, { type: 'accept' }>, answer: VirtualAnswer, arrivedAt: number): void {
    const sent = this.#sent.get(lease)
    invariant(sent, `lease ${lease} was accepted but never sent`)
    const { cell, costs, cluster } = this.#input
    this.#repeatedPx += pixelCount(answer.tile) - pixelCount(tile)
    this.#now += pixelBytes(tile) * cluster.master.stitchMsPerByte
    const { worker, sentAt } = sent
    const { times } = answer
    // What the wire does to costs, the simulator does, too.
    const cells =
      cell > 0
        ? decodeCells(encodeCells(costs.cells(answer.tile, cell)), answer.tile.rect, cell, times.cpuMs)
        : undefined
    // Whose costs are asked for counts its work, too, which is the same on every machine.
    const counted = cell > 0 ? { ...times, work: costs.sum(answer.tile) * WORK_PER_MS } : times
    this.#records.push({
      ...{ lease, worker, tile, sentAt, arrivedAt, stitchedAt: this.#now, times: counted },
      ...(cells ? { cells } : {}),
    })
    this.#sent.set(lease, { ...sent, sentAt: arrivedAt })
  }

  #send(worker: AreaId, bytes: number, event: (worker: number) => SimulatedEvent): void {
    const number = this.#numbers.get(worker)!
    this.#now += this.#input.cluster.master.sendMs
    this.#count(bytes)
    this.#queue.push(this.#network.toWorker(number, bytes, this.#now), event(number))
  }

  #count(bytes: number): void {
    this.#messages++
    this.#bytes += bytes
  }

  #answerBytes({ tile }: VirtualAnswer): number {
    return pixelBytes(tile) + answerBytes(tile, this.#input.cell)
  }
}
