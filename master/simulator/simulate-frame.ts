/**
 * One simulated frame from start to finish: the same frame as in live runs, on a simulated cluster. Its orders travel,
 * are traced, travel back and are stitched in simulated time.
 */
import { assertNever, InvariantError } from '../../shared/errors.ts'
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { type AreaId, areaId, type LeaseId } from '../../shared/ids.ts'
import type { OwnerMap } from '../../shared/metrics/owner-map.ts'
import { decodeCells, encodeCells } from '../../shared/protocol/cell-costs.ts'
import type { Traffic } from '../../shared/protocol/channel.ts'
import type { Bodies } from '../../shared/scene/bodies.ts'
import type { CostMap } from '../costs/cost-map.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import { driveFrame, type FrameWorld, type Happening, type MasterWork, type Message } from '../frames/drive-frame.ts'
import { type Answer, Frame } from '../frames/frame.ts'
import type { FrameFacts } from '../frames/frame-facts.ts'
import type { Planning } from '../frames/frame-order.ts'
import type { ClusterEvent } from '../scheduling/events.ts'
import type { LeaseNumbers } from '../scheduling/lease-numbers.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import type { AreaShare } from '../strategies/strategy.ts'
import type { ClusterSpec } from './cluster-spec.ts'
import { EventQueue } from './event-queue.ts'
import { FrameCosts } from './frame-costs.ts'
import { answerBytes, NOTE_BYTES, orderBytes, pixelBytes } from './message-bytes.ts'
import { Network } from './network.ts'
import type { SentCosts } from './sent-costs.ts'
import { tileWork } from './tile-work.ts'
import { type VirtualAnswer, type VirtualOrder, VirtualTracer } from './virtual-tracer.ts'

/** A frame that could be traced, and its costs. */
export interface FrameWorkload {
  readonly frame: number
  readonly camera: Camera
  /** Where things are; absent if nothing moves. */
  readonly bodies?: Bodies
  /** ms of a worker of speed 1. */
  readonly costs: CostMap
  /** In how many passes it is made, each of the same cost. @default one */
  readonly passes?: number
}

/** Runs what the master does itself, and measures how long it took, ms: the simulator itself reads no clock. */
export type Stopwatch = <T>(work: () => T, kind: MasterWork) => { readonly result: T; readonly ms: number }

/** What traces orders: a worker, or a rack of them. */
export interface Tracer {
  /** When its next answer is ready if nothing arrives before; undefined: never. */
  readonly wakeAt: number | undefined
  /** The lease that it is tracing. */
  readonly lease: LeaseId | undefined
  order(order: VirtualOrder, now: number): void
  /** Only the first `rows` rows of a lease are still wanted. */
  trim(lease: LeaseId, rows: number, now: number): void
  cancel(lease: LeaseId, now: number): void
  /** Called when its wake-up time has come; returns its answer. */
  wake(now: number): VirtualAnswer
}

/** The racks of a frame whose workers are racks. */
export interface RacksBelow {
  tracer(rack: number, costs: FrameCosts): Tracer
  /** What a rack has to know of its tile, if anything is known. */
  costsOf(tile: PixelSet): SentCosts | undefined
}

export interface SimulatedOrder {
  readonly truth: FrameWorkload
  readonly size: Size
  readonly workers: readonly WorkerInfo[]
  readonly limits: SchedulerLimits
  readonly numbers: LeaseNumbers
  /** Owners of the pixels in the previous frame. */
  readonly owners: OwnerMap
  /** On the master's clock, ms. */
  readonly startAt: number
  /** Told of every event that the frame is told of, and when, ms. */
  readonly hear?: (event: ClusterEvent, now: number) => void
  /** The costs of `truth`, if they have been summed already. */
  readonly costs?: FrameCosts
  /** Of a frame that is a tile of a larger one: its pixels as those of the larger one, whose costs and owners these are. */
  readonly place?: (tile: PixelSet) => PixelSet
  /** If the workers are racks. */
  readonly below?: RacksBelow
}

export interface SimulatedFrame {
  readonly facts: FrameFacts
  readonly traffic: Traffic
  readonly frame: Frame
}

export function simulateFrame(
  order: SimulatedOrder,
  planning: Planning,
  cluster: ClusterSpec,
  stopwatch: Stopwatch,
): SimulatedFrame {
  return new FrameSimulation(order, planning, cluster, stopwatch).run()
}

/** Simulated events and the workers they concern, by number. */
type SimulatedEvent =
  | { readonly type: 'order'; readonly worker: number; readonly order: VirtualOrder }
  | { readonly type: 'trim'; readonly worker: number; readonly lease: LeaseId; readonly rows: number }
  | { readonly type: 'cancel'; readonly worker: number; readonly lease: LeaseId }
  /** A worker has traced its next answer, unless something intervened. */
  | { readonly type: 'traced'; readonly worker: number }
  /** An answer reaches the master's link; has fully arrived there. */
  | { readonly type: 'incoming'; readonly worker: number; readonly answer: VirtualAnswer }
  | { readonly type: 'arrived'; readonly worker: number; readonly answer: VirtualAnswer }
  /** A wake-up that the frame requested; `number` distinguishes the newest request from earlier ones. */
  | { readonly type: 'alarm'; readonly number: number }
  | { readonly type: 'tick' }
  /** Workers that are tracing a tile report progress. */
  | { readonly type: 'signs' }
  | { readonly type: 'gone'; readonly worker: number }
  | { readonly type: 'back'; readonly worker: number }

/** Tick interval of live masters, ms. */
const TICK_MS = 250
/** Interval between a worker's progress reports, ms. */
const SIGN_MS = 2000
/** Work that engines count per ms of a worker of speed 1. */
const WORK_PER_MS = 1e4
/** Shortest delay of a Node.js timer, ms. */
const MIN_ALARM_MS = 1

const same = (tile: PixelSet): PixelSet => tile

class FrameSimulation implements FrameWorld {
  readonly #cluster: ClusterSpec
  readonly #stopwatch: Stopwatch
  readonly #costs: FrameCosts
  readonly #cell: number
  readonly #frame: Frame
  readonly #queue = new EventQueue<SimulatedEvent>()
  readonly #happenings: Iterator<Happening, undefined>
  readonly #network: Network
  readonly #tracers: Tracer[]
  readonly #hear: SimulatedOrder['hear']
  readonly #tracerOf: (worker: number) => Tracer
  readonly #place: (tile: PixelSet) => PixelSet
  readonly #below: RacksBelow | undefined
  /** Workers that are away, by number. */
  readonly #absent = new Set<number>()
  readonly #areas: readonly AreaShare[]
  readonly #ids: readonly AreaId[]
  readonly #numbers: ReadonlyMap<AreaId, number>
  /** The master does one thing at a time; this is its current time, ms. */
  #now: number
  #alarm = 0
  #messages = 0
  #bytes = 0

  constructor(order: SimulatedOrder, planning: Planning, cluster: ClusterSpec, stopwatch: Stopwatch) {
    const { truth, size, workers, limits, numbers, owners, startAt, hear, below, place = same } = order
    const { frame, camera, bodies, passes = 1 } = truth
    const grain = { rows: cluster.tracing.grainRows }
    const areas = workers.map(({ id, speed, workerId }) => ({
      id: areaId(id),
      speed,
      grain,
      ...(workerId === undefined ? {} : { workerId: areaId(workerId) }),
    }))
    const costs = order.costs ?? new FrameCosts(passes === 1 ? truth.costs : truth.costs.times(1 / passes))
    const sight = { camera, ...(bodies ? { bodies } : {}) }
    for (const [number, { absent }] of cluster.workers.entries()) {
      if (!absent || absent.toMs <= startAt) continue
      if (absent.fromMs <= startAt) this.#absent.add(number)
      else this.#queue.push(absent.fromMs, { type: 'gone', worker: number })
      this.#queue.push(absent.toMs, { type: 'back', worker: number })
    }
    const present = areas.filter((_, number) => !this.#absent.has(number))
    const quality = { samples: passes, passes }
    this.#frame = new Frame(
      { frame, ...sight, size, areas: present, ...quality, limits, numbers, beganAt: startAt },
      planning,
    )
    this.#place = place
    this.#below = below
    this.#hear = hear
    this.#cluster = cluster
    this.#stopwatch = stopwatch
    this.#costs = costs
    this.#cell = planning.cellFor(areas)
    this.#areas = areas
    this.#ids = areas.map(({ id }) => id)
    this.#numbers = new Map(this.#ids.map((id, number) => [id, number]))
    this.#network = new Network(cluster.network, workers.length)
    this.#tracerOf = number => {
      if (below) return below.tracer(number, costs)
      const worker = cluster.workers[number]!
      const { pace, handOverMs } = cluster.tracing
      return new VirtualTracer(pace / worker.speed, handOverMs, ({ lease, tile }) =>
        tileWork(worker, { lease, tile: place(tile) }, { cluster, costs, owners }),
      )
    }
    this.#tracers = cluster.workers.map((_, number) => this.#tracerOf(number))
    this.#now = startAt
    this.#queue.push(startAt + TICK_MS, { type: 'tick' })
    this.#queue.push(startAt + SIGN_MS, { type: 'signs' })
    this.#happenings = this.#happen()
  }

  run(): SimulatedFrame {
    driveFrame(this.#frame, this, () => {
      const { value } = this.#happenings.next()
      if (value) this.#hear?.(value.event, this.#now)
      return value
    })
    const traffic = { messages: this.#messages, bytes: this.#bytes }
    return { facts: this.#frame.facts, traffic, frame: this.#frame }
  }

  get now(): number {
    return this.#now
  }

  work(step: () => void, kind: MasterWork): void {
    this.#now += this.#stopwatch(step, kind).ms
  }

  pauses(): boolean {
    return false
  }

  coverage(): CoverageMask {
    return this.#costs.coverage()
  }

  send(message: Message): void {
    const { area: worker, lease } = message
    switch (message.type) {
      case 'trace': {
        const { tile, part } = message
        const costs = this.#costsBelow(tile)
        const order = { lease, tile, ...(part ? { part } : {}), ...(costs ? { costs } : {}) }
        const bytes = orderBytes(tile, costs?.cell ?? 0)
        return this.#send(worker, bytes, number => ({ type: 'order', worker: number, order }))
      }
      case 'trim': {
        const { rows } = message
        return this.#send(worker, NOTE_BYTES, number => ({ type: 'trim', worker: number, lease, rows }))
      }
      case 'cancel':
        return this.#send(worker, NOTE_BYTES, number => ({ type: 'cancel', worker: number, lease }))
      default:
        assertNever(message)
    }
  }

  stitch(tile: PixelSet): void {
    this.#now += pixelBytes(tile) * this.#cluster.master.stitchMsPerByte
  }

  wake(at: number | undefined): void {
    this.#alarm++
    if (at === undefined) return
    this.#queue.push(Math.max(at, this.#now + MIN_ALARM_MS), { type: 'alarm', number: this.#alarm })
  }

  blame(): void {}

  quarantine(): void {}

  passDone(): void {}

  assembled(): boolean {
    return true
  }

  cells(): never {
    throw new InvariantError('a simulated frame has no light to judge its noise by')
  }

  beginCells(): void {}

  failed(reason: string): never {
    throw new InvariantError(`a simulated frame failed: ${reason}`)
  }

  /** Processes events in order and yields those that the frame is told about. */
  *#happen(): Generator<Happening, undefined> {
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
      const { event, time } = next
      switch (event.type) {
        case 'order':
          this.#toTracer(event.worker, tracer => tracer.order(event.order, time))
          break
        case 'trim':
          this.#toTracer(event.worker, tracer => tracer.trim(event.lease, event.rows, time))
          break
        case 'cancel':
          this.#toTracer(event.worker, tracer => tracer.cancel(event.lease, time))
          break
        case 'traced':
          this.#traced(event.worker, time)
          break
        case 'incoming': {
          if (this.#absent.has(event.worker)) break
          const bytes = this.#answerBytes(event.answer)
          this.#queue.push(this.#network.throughMasterLink(bytes, time), { ...event, type: 'arrived' })
          break
        }
        case 'arrived':
          yield this.#arrived(event, time)
          break
        case 'alarm':
          if (event.number === this.#alarm) yield this.#heard({ type: 'tick' }, time)
          break
        case 'tick':
          this.#queue.push(time + TICK_MS, event)
          yield this.#heard({ type: 'tick' }, time)
          break
        case 'signs':
          this.#queue.push(time + SIGN_MS, event)
          for (const [number, { lease }] of this.#tracers.entries())
            if (lease !== undefined) yield this.#heard({ type: 'tile-progress', area: this.#ids[number]!, lease }, time)
          break
        case 'gone':
          this.#absent.add(event.worker)
          this.#tracers[event.worker] = this.#tracerOf(event.worker)
          yield this.#heard({ type: 'area-lost', area: this.#ids[event.worker]! }, time)
          break
        case 'back': {
          this.#absent.delete(event.worker)
          const share = this.#areas[event.worker]!
          yield this.#heard({ type: 'area-ready', area: share.id, share }, time)
          break
        }
        default:
          assertNever(event)
      }
    }
    return undefined
  }

  #toTracer(worker: number, what: (tracer: Tracer) => void): void {
    if (this.#absent.has(worker)) return
    const tracer = this.#tracers[worker]!
    const before = tracer.wakeAt
    what(tracer)
    if (tracer.wakeAt !== before) this.#await(worker)
  }

  /** Schedules a visit to a worker for when its next answer is ready. */
  #await(worker: number): void {
    const { wakeAt } = this.#tracers[worker]!
    if (wakeAt !== undefined) this.#queue.push(wakeAt, { type: 'traced', worker })
  }

  #traced(worker: number, time: number): void {
    const tracer = this.#tracers[worker]!
    // Trimmed or cancelled since its end was predicted.
    if (tracer.wakeAt !== time) return
    const { tile, times, lease } = tracer.wake(time)
    this.#await(worker)
    const encodeMs = pixelBytes(tile) * this.#cluster.tracing.encodeMsPerByte
    const answer = { lease, tile, times: { ...times, encodeMs } }
    const at = this.#network.toMasterLink(worker, this.#answerBytes(answer), time + encodeMs)
    this.#queue.push(at, { type: 'incoming', worker, answer })
  }

  #arrived(
    { worker: number, answer }: { readonly worker: number; readonly answer: VirtualAnswer },
    time: number,
  ): Happening {
    const { receiveMs, decodeMsPerByte } = this.#cluster.master
    const { lease, tile, times } = answer
    const { y, h } = tile.rect
    this.#count(this.#answerBytes(answer))
    this.#now = Math.max(this.#now, time) + receiveMs + pixelBytes(tile) * decodeMsPerByte
    const took = { tookMs: times.waitMs + times.wallMs, tracedMs: times.wallMs }
    const rows = { from: y, to: y + h, more: times.more === true, ...took }
    const event: ClusterEvent = { type: 'tile-done', area: this.#ids[number]!, lease, ...rows }
    return { event, came: this.#opened(answer) }
  }

  /** An answer as the master decodes it: costs as the wire format preserves them, and the counted work. */
  #opened({ tile, times }: VirtualAnswer): Answer {
    const cell = this.#cell
    if (cell === 0) return { tile, times, arrivedAt: this.#now }
    const placed = this.#place(tile)
    const work = this.#costs.sum(placed) * WORK_PER_MS
    const cells = decodeCells(encodeCells(this.#costs.cells(placed, cell)), placed.rect, cell, times.cpuMs)
    return { tile, times: { ...times, work }, cells, arrivedAt: this.#now }
  }

  /** The master handles the event as soon as it has finished its current task. */
  #heard(event: ClusterEvent, time: number): Happening {
    this.#now = Math.max(this.#now, time)
    return { event }
  }

  /** What is sent along to a rack; packing it takes the master time. */
  #costsBelow(tile: PixelSet): SentCosts | undefined {
    const below = this.#below
    if (!below) return undefined
    const { result, ms } = this.#stopwatch(() => below.costsOf(tile), 'events')
    this.#now += ms
    return result
  }

  #send(worker: AreaId, bytes: number, event: (worker: number) => SimulatedEvent): void {
    const number = this.#numbers.get(worker)!
    this.#now += this.#cluster.master.sendMs
    this.#count(bytes)
    this.#queue.push(this.#network.toWorker(number, bytes, this.#now), event(number))
  }

  #count(bytes: number): void {
    this.#messages++
    this.#bytes += bytes
  }

  #answerBytes({ tile }: VirtualAnswer): number {
    return pixelBytes(tile) + answerBytes(tile, this.#cell)
  }
}
