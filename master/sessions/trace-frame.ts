/**
 * The world of a live frame: the cluster that traces it, its clock and its pixels. The frame is complete when its last
 * pixel is in place.
 */
import type { CellMask } from '../../shared/cell-mask.ts'
import type { Clock } from '../../shared/clock.ts'
import { assertNever, CancelledError, invariant } from '../../shared/errors.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { PixelSet } from '../../shared/pixel-set.ts'
import type { Rect } from '../../shared/rect.ts'
import type { SampleRange } from '../../shared/view.ts'
import type { AdaptiveSamples } from '../assembly/adaptive-samples.ts'
import type { FrameBuffer } from '../assembly/frame-buffer.ts'
import type { SampleCounts } from '../assembly/sample-counts.ts'
import type { ClusterObserver } from '../cluster/cluster.ts'
import type { TileRequest } from '../cluster/open-leases.ts'
import type { ArrivedTile } from '../cluster/worker-link.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import { type FrameWorld, type Happening, type Message, provide, tell } from '../frames/drive-frame.ts'
import type { Answer, Frame } from '../frames/frame.ts'
import type { Identity } from '../scheduling/blame.ts'
import type { AsideCause, ClusterEvent } from '../scheduling/events.ts'
import { FrameFailedError, NoWorkersError } from './errors.ts'
import type { Shot } from './view-of.ts'

/** Operations on areas, for any scene. */
export interface Tracers {
  /** A number for a frame in progress, or a moment of one, unique for the cluster's lifetime. */
  nextWork(): number
  trace(area: AreaId, order: TileRequest): void
  trim(area: AreaId, lease: LeaseId, rows: number): void
  cancel(area: AreaId, lease: LeaseId): void
  /** An area traced what this one, by its identity, failed. */
  blame(who: string, reason: string): void
  /** Excludes an area from further frames for a while. */
  setAside(area: AreaId, reason: string, cause: AsideCause): void
  /** Gives up all tiles with a number. */
  cancelWork(work: number): void
  /** Who an area is, whatever its id. */
  identify(area: AreaId): Identity
  observe(observer: ClusterObserver): () => void
  /** Bytes of answers received so far from an area's worker, complete or not. */
  received(area: AreaId): number
}

/** The operations alone, of an object that has more. */
export const tracersOf = (cluster: Tracers): Tracers => ({
  nextWork: cluster.nextWork.bind(cluster),
  trace: cluster.trace.bind(cluster),
  trim: cluster.trim.bind(cluster),
  cancel: cluster.cancel.bind(cluster),
  blame: cluster.blame.bind(cluster),
  setAside: cluster.setAside.bind(cluster),
  cancelWork: cluster.cancelWork.bind(cluster),
  identify: cluster.identify.bind(cluster),
  observe: cluster.observe.bind(cluster),
  received: cluster.received.bind(cluster),
})

/** What tracing a frame needs from the cluster. */
export interface TileTracers extends Tracers {
  readyIds(): AreaId[]
  /** Number of areas that are ready for the scene or on their way to it. */
  expectedWorkers(): number
}

/** Calls `tick` periodically until the returned function is called. */
export type Ticker = (tick: () => void) => () => void

/** Calls `wake` once after `inMs` unless the returned function is called first. */
export type Alarm = (wake: () => void, inMs: number) => () => void

export interface TracePorts {
  readonly tracers: TileTracers
  readonly clock: Clock
  readonly ticker: Ticker
  readonly alarm: Alarm
  /** How long a frame without any area waits for one, ms. */
  readonly waitMs: number
}

/** The inputs of a frame, and its destination. */
export interface FrameWork {
  /** For each range of samples, or one for all of them. */
  readonly shots: readonly Shot[]
  readonly buffer: FrameBuffer
  /** Counts the samples that are in place, and decides about those of an adaptive frame. */
  readonly samples?: { readonly counts: SampleCounts; readonly adaptive?: AdaptiveSamples }
  /** Where geometry projects; called at most once. */
  readonly coverage: () => CoverageMask
  /** Has rows traced twice. @default none */
  readonly verification?: Checking | undefined
  /** Side of the cells for which costs are wanted, px; 0: none. */
  readonly cell: number
  /** The command line that traces these pixels alone, if there is one. */
  readonly rerun?: (rect: Rect) => string | undefined
  /**
   * Whether newly ready areas may replace the planned ones once all of those are gone. A frame made for a single area
   * ends with it.
   */
  readonly adopts: boolean
}

/** How rows are traced. */
export type RowsOrder = Omit<TileRequest, 'lease' | 'part' | keyof PixelSet>

/** Has rows of a frame traced twice; the real one is `FrameVerification`. */
export interface Checking {
  /** Accepted pixels are in the frame. */
  placed(area: AreaId, set: PixelSet, order: RowsOrder, pixels: Uint8Array, cpuMs: number): void
  /** These areas have nothing to do. */
  fill(idle: Iterable<AreaId>): void
}

/** Listens to the progress of a frame. */
export interface FrameListener {
  /** An area has nothing left to do for it, or will not by the time an order could reach it. Called once. */
  spare?(): void
  /** All samples up to this one are in place; more are still to come. */
  passDone?(samples: number): void
  /** No worker is left; the frame waits for another one, for at most `waitMs`. */
  alone?(waitMs: number): void
}

/** Makes a frame. Rejects with FrameFailedError, NoWorkersError, CancelledError, or whatever assembly threw. */
export function traceFrame(
  frame: Frame,
  work: FrameWork,
  ports: TracePorts,
  signal: AbortSignal,
  listener: FrameListener = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    new LiveFrame(frame, work, ports, listener, resolve, reject).begin(signal)
  })
}

/** An answer to a lease, with its pixels. */
interface LiveAnswer extends Answer {
  readonly worker: AreaId
  readonly pixels: Uint8Array
}

const TICK: Happening<never> = { event: { type: 'tick' } }

class LiveFrame implements FrameWorld<LiveAnswer> {
  readonly #frame: Frame
  readonly #work: FrameWork
  readonly #ports: TracePorts
  readonly #listener: FrameListener
  /** The numbers of its shots in the cluster: a worker's first tile of a number carries scene and view. */
  readonly #numbers: readonly number[]
  /** Names of the scenes of its shots. */
  readonly #scenes: ReadonlySet<string>
  /** The index of the current shot. */
  #shot = 0
  readonly #settled: { readonly resolve: () => void; readonly reject: (error: unknown) => void }
  /** Bytes received from each area as of the last tick. */
  readonly #received = new Map<AreaId, number>()
  /** Since when no area is left to trace. */
  #aloneSince: number | undefined
  /** Samples of the newest complete pass. */
  #newest: SampleRange | undefined
  /** What is to be said of areas. All frames hear of it, this one too: not before it has carried out what led to it. */
  readonly #accusations: ((tracers: Tracers) => void)[] = []
  #stopAlarm = () => {}
  #stop = () => {}
  #saidSpare = false

  constructor(
    frame: Frame,
    work: FrameWork,
    ports: TracePorts,
    listener: FrameListener,
    resolve: () => void,
    reject: (error: unknown) => void,
  ) {
    this.#frame = frame
    this.#work = work
    this.#ports = ports
    this.#listener = listener
    this.#numbers = work.shots.map(() => ports.tracers.nextWork())
    this.#scenes = new Set(work.shots.map(({ scene }) => scene))
    this.#settled = { resolve, reject }
  }

  begin(signal: AbortSignal): void {
    if (signal.aborted) return this.#settled.reject(new CancelledError())
    const { tracers, ticker } = this.#ports
    const cancel = () => this.#giveUp(new CancelledError())
    signal.addEventListener('abort', cancel)
    const stopObserving = tracers.observe({
      ready: (worker, scene) => {
        // Of several scenes, the last one makes it ready; and it may be set aside.
        if (this.#scenes.has(scene) && tracers.readyIds().includes(worker))
          this.#happened({ event: { type: 'worker-ready', worker } })
      },
      leaving: (worker, keeps) => this.#happened({ event: { type: 'worker-leaving', worker, keeps } }),
      quiet: areas => {
        const event = { type: 'quiet', areas } as const
        // Before it is planned, it only takes note.
        if (this.#frame.need === 'events') this.#happened({ event })
        else this.#frame.happened(event, this.now)
      },
      lost: worker => this.#happened({ event: { type: 'worker-lost', worker } }),
      aside: (worker, pause) => {
        if (pause) this.#happened({ event: { type: 'worker-aside', worker } })
      },
      tileFailed: (worker, lease, reason) => {
        if (this.#frame.tileOf(lease)) this.#happened({ event: { type: 'tile-failed', worker, lease, reason } })
      },
      tileDone: (worker, tile) => this.#arrived(worker, tile),
      tileProgress: (worker, lease) => this.#happened({ event: { type: 'tile-progress', worker, lease } }),
    })
    const stopTicking = ticker(() => this.#tick())
    this.#stop = () => {
      stopObserving()
      stopTicking()
      this.#stopAlarm()
      signal.removeEventListener('abort', cancel)
    }
    this.#advance(() => provide(this.#frame, this))
  }

  get now(): number {
    return this.#ports.clock.now()
  }

  work(step: () => void): void {
    step()
  }

  coverage(): CoverageMask {
    return this.#work.coverage()
  }

  send(message: Message): void {
    const { tracers } = this.#ports
    const { worker, lease } = message
    switch (message.type) {
      case 'trace': {
        const { tile, part } = message
        tracers.trace(worker, { lease, ...this.#rowsOrder(), ...tile, ...(part ? { part } : {}) })
        break
      }
      case 'trim':
        tracers.trim(worker, lease, message.rows)
        break
      case 'cancel':
        tracers.cancel(worker, lease)
        break
      default:
        assertNever(message)
    }
  }

  stitch(tile: PixelSet, { pixels, worker, times }: LiveAnswer): void {
    const { buffer, verification } = this.#work
    buffer.put(tile, pixels)
    verification?.placed(worker, tile, this.#rowsOrder(), pixels, times.cpuMs)
  }

  blame(who: string, reason: string): void {
    this.#accusations.push(tracers => tracers.blame(who, reason))
  }

  setAside(area: AreaId, reason: string, cause: AsideCause): void {
    this.#accusations.push(tracers => tracers.setAside(area, reason, cause))
  }

  passDone(range: SampleRange, more: false | 'all' | 'cells'): void {
    const { buffer, samples, shots } = this.#work
    samples?.counts.add(range.to - range.from, samples.adaptive?.open)
    if (more === false) return
    this.#newest = range
    if (more === 'all') buffer.nextRange()
    if (shots.length > 1) this.#shot++
    this.#listener.passDone?.(range.to)
  }

  cells(): CellMask {
    const { buffer, samples } = this.#work
    invariant(samples?.adaptive && this.#newest, 'only the passes of an adaptive frame are about cells')
    const cells = samples.adaptive.passDone(this.#newest, buffer.plane('light'))
    if (!cells.isEmpty) buffer.nextRange(cells)
    return cells
  }

  wake(at: number | undefined): void {
    this.#stopAlarm()
    this.#stopAlarm = at === undefined ? () => {} : this.#ports.alarm(() => this.#happened(TICK), at - this.now)
  }

  failed(reason: string, { rect }: PixelSet): never {
    throw new FrameFailedError(this.#frame.order.frame, reason, this.#work.rerun?.(rect))
  }

  #happened(happening: Happening<LiveAnswer>): void {
    this.#advance(() => {
      tell(this.#frame, this, happening)
      this.#recruitReplacements()
    })
  }

  /** Advances the frame, reports the result, and gives the frame up if it cannot continue. */
  #advance(step: () => void): void {
    const frame = this.#frame
    try {
      step()
      if (frame.need === 'nothing') {
        this.#stop()
        this.#accuse()
        this.#settled.resolve()
        return
      }
      // Before anybody else's frame gets them.
      this.#work.verification?.fill(frame.idle)
      if (!this.#saidSpare && frame.isSpare(this.now)) {
        this.#saidSpare = true
        this.#listener.spare?.()
      }
      this.#accuse()
    } catch (error) {
      this.#giveUp(error)
    }
  }

  #accuse(): void {
    for (const accuse of this.#accusations.splice(0)) accuse(this.#ports.tracers)
  }

  /**
   * A large answer on a slow line takes long, and its worker sends nothing else meanwhile: incoming bytes count as a sign
   * of life.
   */
  #tick(): void {
    for (const worker of this.#frame.live) {
      const bytes = this.#ports.tracers.received(worker)
      if (bytes > (this.#received.get(worker) ?? bytes)) this.#happened({ event: { type: 'tile-progress', worker } })
      this.#received.set(worker, bytes)
    }
    this.#happened(TICK)
  }

  /** How rows of the current pass are traced. */
  #rowsOrder(): RowsOrder {
    const { shots, cell } = this.#work
    const work = this.#numbers[this.#shot]!
    return { work, ...shots[this.#shot]!, ...(cell ? { cell } : {}), ...this.#pass() }
  }

  /** Channels and samples of the current pass's tiles, unless they are finished colour alone. */
  #pass(): Pick<TileRequest, 'channels' | 'samples'> {
    const { channels } = this.#work.buffer
    return channels.join() === 'rgb' ? {} : { channels, samples: this.#frame.pass.samples }
  }

  #arrived(worker: AreaId, tile: ArrivedTile): void {
    const { lease, rect, times, cells } = tile
    const promised = this.#frame.tileOf(lease)
    if (!promised || !this.#numbers.includes(tile.work)) return
    const { more = false, waitMs, renderMs } = times
    const rows = { from: rect.y, to: rect.y + rect.h, more, tookMs: waitMs + renderMs, tracedMs: renderMs }
    const came = { worker, tile: { ...promised, rect }, times, arrivedAt: this.now, pixels: tile.pixels }
    const event: ClusterEvent = { type: 'tile-done', worker, lease, ...rows }
    this.#happened({ event, came: { ...came, ...(cells ? { cells } : {}) } })
  }

  /** When all planned areas are gone, any ready area takes over; if none does for too long, the frame ends. */
  #recruitReplacements(): void {
    const { tracers, waitMs } = this.#ports
    const frame = this.#frame
    if (frame.need !== 'events' || frame.live.size > 0) {
      this.#aloneSince = undefined
      return
    }
    if (!this.#work.adopts) throw new NoWorkersError(1, 0, 0, 0)
    for (const worker of tracers.readyIds()) tell(frame, this, { event: { type: 'worker-ready', worker } })
    if (frame.live.size > 0 || tracers.expectedWorkers() > 0) {
      this.#aloneSince = undefined
      return
    }
    if (this.#aloneSince === undefined) {
      this.#aloneSince = this.now
      this.#listener.alone?.(waitMs)
    }
    if (this.now - this.#aloneSince >= waitMs) throw new NoWorkersError(1, 0, 0, waitMs)
  }

  #giveUp(error: unknown): void {
    this.#stop()
    for (const number of this.#numbers) this.#ports.tracers.cancelWork(number)
    this.#settled.reject(error)
  }
}
