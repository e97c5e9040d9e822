/**
 * The world of a live frame: the cluster that traces it, its clock and its pixels. The frame is complete when its last
 * pixel is in place.
 */

import { assertNever, CancelledError } from '../../shared/errors.ts'
import type { CellMask } from '../../shared/frame/cell-mask.ts'
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { Rect } from '../../shared/frame/rect.ts'
import type { SampleRange } from '../../shared/frame/view.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { FrameAssembly } from '../assembly/frame-assembly.ts'
import type { ArrivedTile, LeaseHolder, TileRequest } from '../cluster/open-leases.ts'
import type { Transition } from '../cluster/roster.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import { type FrameWorld, type Happening, type Message, provide, tell } from '../frames/drive-frame.ts'
import type { Answer, Frame } from '../frames/frame.ts'
import type { ClusterEvent, QuarantineCause } from '../scheduling/events.ts'
import { FrameFailedError } from '../sessions/errors.ts'
import type { AreaShare } from '../strategies/strategy.ts'
import { Breaks } from './breaks.ts'
import type { TracePorts, Tracers } from './tracers.ts'
import type { Shot } from './view-of.ts'

/** The inputs of a frame, and its destination. */
export interface FrameWork {
  /** For each range of samples, or one for all of them. */
  readonly shots: readonly Shot[]
  /** The shot that it begins with. @default the first */
  readonly firstShot?: number | undefined
  readonly assembly: FrameAssembly
  /** Where geometry projects; called at most once. */
  readonly coverage: () => CoverageMask
  /** Has rows traced twice. @default none */
  readonly verification?: Checking | undefined
  /** Side of the cells for which costs are wanted, px; 0: none. */
  readonly cell: number
  /** The command line that traces these pixels alone, if there is one. */
  readonly rerun?: (rect: Rect) => string | undefined
  /** Areas as its passes see them: those that come help. */
  readonly shares: (areas: readonly WorkerInfo[]) => readonly AreaShare[]
}

/** How rows are traced. */
export type RowsOrder = Omit<TileRequest, 'lease' | 'part' | keyof PixelSet>

/** Has rows of a frame traced twice; the real one is `FrameVerification`. */
export interface Checking {
  /** Accepted pixels are in the frame. */
  placed(area: AreaId, set: PixelSet, order: RowsOrder, pixels: Uint8Array, cpuMs: number): void
  /** Whether any rows wait to be traced again. */
  readonly isWaiting: boolean
  /** These areas have nothing to do. */
  fill(idle: Iterable<AreaId>): void
}

/** Listens to the progress of a frame. */
export interface FrameListener {
  /** An area has nothing left to do for it, or will not by the time an order could reach it. Called once. */
  spare?(): void
  /** No area is left to trace it, or there is one again. */
  stranded?(isStranded: boolean): void
  /** No worker is left; the frame waits for another one, for at most `waitMs`. */
  alone?(waitMs: number): void
  /** Areas may help with it from now on. They may be gone before it is complete. */
  joined?(areas: readonly WorkerInfo[]): void
  /** One of these was given its first tile. */
  helps?(area: AreaId): void
  /** How far it has come, from time to time. */
  progress?(progress: FrameProgress): void
  /** All of its pixels, or of its cells that need more, have another range of samples, and more are to come. */
  passDone?(): void
  /** An area failed a tile, which is traced again. */
  tileFailed?(area: AreaId, reason: string): void
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
  readonly area: AreaId
  readonly arrived: ArrivedTile
}

/** How often it is said how far a frame has come, ms. */
const PROGRESS_EVERY_MS = 500

const TICK: Happening<never> = { event: { type: 'tick' } }

class LiveFrame implements FrameWorld<LiveAnswer>, LeaseHolder {
  readonly #frame: Frame
  readonly #work: FrameWork
  readonly #ports: TracePorts
  readonly #listener: FrameListener
  /** The numbers of its shots in the cluster: a worker's first tile of a number carries scene and view. */
  readonly #numbers: readonly number[]
  /** Names of the scenes of its shots. */
  readonly #scenes: ReadonlySet<string>
  /** The index of the current shot. */
  #shot: number
  readonly #settled: { readonly resolve: () => void; readonly reject: (error: unknown) => void }
  /** Bytes received from each area as of the last tick. */
  readonly #received = new Map<AreaId, number>()
  /** Since when no area is left to trace. */
  #aloneSince: number | undefined
  /** Areas that joined, and were given nothing yet. */
  readonly #newcomers = new Set<AreaId>()
  /** What is to be said of areas. All frames hear of it, this one too: not before it has carried out what led to it. */
  readonly #verdicts: ((tracers: Tracers) => void)[] = []
  #stopAlarm = () => {}
  #stop = () => {}
  readonly #breaks: Breaks
  #saidSpare = false
  /** When it was last said how far it has come; at first, when it was begun, ms. */
  #progressAt = 0
  #isStranded = false
  #isOver = false

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
    this.#shot = work.firstShot ?? 0
    this.#numbers = work.shots.map(() => ports.tracers.nextWork())
    this.#scenes = new Set(work.shots.map(({ scene }) => scene))
    this.#settled = { resolve, reject }
    this.#breaks = new Breaks(ports, () => this.#goOn())
  }

  begin(signal: AbortSignal): void {
    if (signal.aborted) return this.#settled.reject(new CancelledError())
    const { tracers, ticker } = this.#ports
    this.#progressAt = this.now
    const cancel = () => this.#giveUp(new CancelledError())
    signal.addEventListener('abort', cancel)
    const stopHearing = tracers.subscribe({
      moved: change => this.#moved(change),
      // Of several scenes, the last one makes it ready; and it may be quarantined.
      ready: (area, scene) => {
        if (this.#scenes.has(scene)) this.#welcome(area)
      },
    })
    const stopTicking = ticker(() => this.#tick())
    const stopListening = this.#work.assembly.listen(
      () => this.#goOn(),
      error => this.#giveUp(error),
    )
    this.#stop = () => {
      this.#isOver = true
      stopListening()
      stopHearing()
      stopTicking()
      this.#stopAlarm()
      this.#breaks.end()
      signal.removeEventListener('abort', cancel)
    }
    this.#goOn()
  }

  get now(): number {
    return this.#ports.clock.now()
  }

  tileDone(area: AreaId, tile: ArrivedTile): void {
    this.#arrived(area, tile)
  }

  tileFailed(area: AreaId, lease: LeaseId, reason: string): void {
    this.#listener.tileFailed?.(area, reason)
    this.#happened({ event: { type: 'tile-failed', area, lease, reason } })
  }

  tileLost(_: AreaId, lease: LeaseId, error: unknown): void {
    if (this.#frame.tileOf(lease)) this.#giveUp(error)
  }

  tileProgress(area: AreaId, lease: LeaseId, rows: number): void {
    this.#happened({ event: { type: 'tile-progress', area, lease, rows } })
  }

  work(step: () => void): void {
    step()
  }

  pauses(): boolean {
    return this.#breaks.take()
  }

  coverage(): CoverageMask {
    return this.#work.coverage()
  }

  send(message: Message): void {
    const { tracers } = this.#ports
    const { area, lease } = message
    switch (message.type) {
      case 'trace': {
        const { tile, part } = message
        tracers.trace(area, { lease, ...this.#rowsOrder(), ...tile, ...(part ? { part } : {}) }, this)
        if (this.#newcomers.delete(area)) this.#listener.helps?.(area)
        break
      }
      case 'trim':
        tracers.trim(area, lease, message.rows)
        break
      case 'cancel':
        tracers.cancel(area, lease)
        break
      default:
        assertNever(message)
    }
  }

  stitch(tile: PixelSet, { arrived, area, times }: LiveAnswer): void {
    const { assembly, verification } = this.#work
    const { pixels } = arrived
    // Its memory is handed over with it.
    verification?.placed(area, tile, this.#rowsOrder(), pixels, times.cpuMs)
    const placed = assembly.put(tile, pixels)
    if (placed) arrived.hold(placed)
  }

  blame(who: string, reason: string): void {
    this.#verdicts.push(tracers => tracers.blame(who, reason))
  }

  quarantine(area: AreaId, reason: string, cause: QuarantineCause): void {
    this.#verdicts.push(tracers => tracers.quarantine(area, reason, cause))
  }

  liftQuarantine(area: AreaId): void {
    this.#verdicts.push(tracers => tracers.liftQuarantine(area))
  }

  passDone(range: SampleRange, more: false | 'all' | 'cells'): void {
    this.#work.assembly.passDone(range, more)
    if (more === false) return
    if (this.#work.shots.length > 1) this.#shot++
    this.#listener.passDone?.()
  }

  cells(): CellMask | undefined {
    return this.#work.assembly.cells()
  }

  beginCells(cells: CellMask | undefined): void {
    this.#work.assembly.begin(cells)
  }

  assembled(): boolean {
    return this.#work.assembly.isComplete
  }

  wake(at: number | undefined): void {
    this.#stopAlarm()
    this.#stopAlarm = at === undefined ? () => {} : this.#ports.alarm(() => this.#happened(TICK), at - this.now)
  }

  failed(reason: string, { rect }: PixelSet): never {
    throw new FrameFailedError(this.#frame.order.frame, reason, this.#work.rerun?.(rect))
  }

  #moved({ area: { id: area }, from, to, keeps = new Map() }: Transition): void {
    if (to === 'quiet' || from === 'quiet') this.#heedQuiet()
    if (to === 'gone') this.#happened({ event: { type: 'area-lost', area } })
    else if (to === 'quarantined') this.#happened({ event: { type: 'area-quarantined', area } })
    // Of one that is withdrawn, what it holds is answered.
    else if (to === 'leaving' || to === 'withdrawn') this.#happened({ event: { type: 'area-leaving', area, keeps } })
    else if (to === 'serving' && from !== 'quiet') this.#welcome(area)
  }

  /** An area may help from now on, if it can. */
  #welcome(area: AreaId): void {
    const info = this.#ports.tracers.readyArea(area)
    for (const event of info ? this.#joined([info]) : []) this.#happened({ event })
  }

  #joined(areas: readonly WorkerInfo[]): ClusterEvent[] {
    this.#listener.joined?.(areas)
    const shares = this.#work.shares(areas)
    for (const { id } of shares) this.#newcomers.add(id)
    return shares.map(share => ({ type: 'area-ready', area: share.id, share }))
  }

  /** Areas became quiet, are still so, or are heard of again. */
  #heedQuiet(): void {
    const event = { type: 'quiet', areas: this.#ports.tracers.quiet } as const
    // Before it is planned, it only takes note.
    if (this.#frame.need === 'events') this.#happened({ event })
    else this.#heard(event)
  }

  /** The frame takes note of something that calls for no action. */
  #heard(event: ClusterEvent): void {
    this.#frame.happened(event, this.now)
  }

  #goOn(): void {
    this.#advance(() => provide(this.#frame, this))
  }

  #happened(happening: Happening<LiveAnswer>): void {
    if (this.#isOver) return
    this.#advance(() => {
      tell(this.#frame, this, happening)
      this.#recruitReplacements()
    })
  }

  /** Advances the frame, reports the result, and gives the frame up if it cannot continue. */
  #advance(step: () => void): void {
    const frame = this.#frame
    this.#breaks.begin()
    try {
      step()
      if (frame.need === 'nothing') {
        this.#stop()
        this.#sayVerdicts()
        this.#settled.resolve()
        return
      }
      // Before another frame gets them, and not while the next pass is planned.
      const { verification } = this.#work
      const isTracing = frame.need === 'events' || frame.need === 'assembly'
      if (isTracing && verification?.isWaiting) verification.fill(frame.idle)
      if (!this.#saidSpare && (frame.need === 'assembly' || frame.isSpare(this.now))) {
        this.#saidSpare = true
        this.#listener.spare?.()
      }
      this.#sayVerdicts()
    } catch (error) {
      this.#giveUp(error)
    }
  }

  #sayVerdicts(): void {
    for (const say of this.#verdicts.splice(0)) say(this.#ports.tracers)
  }

  /**
   * A large answer on a slow line takes long, and its worker sends nothing else meanwhile: incoming bytes count as a sign
   * of life.
   */
  #tick(): void {
    const { tracers } = this.#ports
    for (const area of this.#frame.live) {
      const bytes = tracers.received(area)
      if (bytes > (this.#received.get(area) ?? bytes)) this.#heard({ type: 'tile-progress', area })
      this.#received.set(area, bytes)
    }
    if (tracers.quiet.size > 0) this.#heedQuiet()
    this.#happened(TICK)
    this.#sayProgress()
  }

  #sayProgress(): void {
    const { progress } = this.#listener
    if (!progress || this.#isOver || this.now - this.#progressAt < PROGRESS_EVERY_MS) return
    this.#progressAt = this.now
    const so = this.#frame.progress(this.now)
    if (so) progress(so)
  }

  /** How rows of the current pass are traced. */
  #rowsOrder(): RowsOrder {
    const { shots, cell } = this.#work
    const work = this.#numbers[this.#shot]!
    return { work, ...shots[this.#shot]!, ...(cell ? { cell } : {}), ...this.#pass() }
  }

  /** Channels and samples of the current pass's tiles, unless they are finished colour alone. */
  #pass(): Pick<TileRequest, 'channels' | 'samples'> {
    const { channels } = this.#work.assembly
    return channels.join() === 'rgb' ? {} : { channels, samples: this.#frame.pass.samples }
  }

  #arrived(area: AreaId, tile: ArrivedTile): void {
    const { lease, rect, times, cells } = tile
    const promised = this.#frame.tileOf(lease)
    if (!promised) return
    const { more = false, waitMs, wallMs } = times
    const rows = { from: rect.y, to: rect.y + rect.h, more, tookMs: waitMs + wallMs, tracedMs: wallMs }
    const came = { area, tile: { ...promised, rect }, times, arrivedAt: this.now, arrived: tile }
    const event: ClusterEvent = { type: 'tile-done', area, lease, ...rows }
    this.#happened({ event, came: { ...came, ...(cells ? { cells } : {}) } })
  }

  /** If no area is left, any that is ready will do, tried or not; if none comes for too long, the frame ends. */
  #recruitReplacements(): void {
    const { tracers, waitMs } = this.#ports
    const frame = this.#frame
    const isLeft = () => frame.need !== 'events' || frame.live.size > 0
    if (!isLeft()) for (const event of this.#joined(tracers.ready())) tell(frame, this, { event })
    if (this.#isStranded === isLeft()) {
      this.#isStranded = !this.#isStranded
      this.#listener.stranded?.(this.#isStranded)
    }
    if (isLeft() || tracers.expectedWorkers() > 0) {
      this.#aloneSince = undefined
      return
    }
    if (this.#aloneSince === undefined) {
      this.#aloneSince = this.now
      this.#listener.alone?.(waitMs)
    }
    if (this.now - this.#aloneSince >= waitMs) throw tracers.tooFew(1, waitMs)
  }

  #giveUp(error: unknown): void {
    this.#stop()
    for (const number of this.#numbers) this.#ports.tracers.cancelWork(number)
    this.#settled.reject(error)
  }
}
