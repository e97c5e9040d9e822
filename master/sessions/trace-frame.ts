/**
 * The live driver of frames: gives a frame what it needs, tells it what happens in the cluster and when, and does what it answers.
 * The frame is made when its last pixel is in place.
 */
import type { Clock } from '../../shared/clock.ts'
import { assertNever, CancelledError, invariant } from '../../shared/errors.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { View } from '../../shared/view.ts'
import type { FrameBuffer } from '../assembly/frame-buffer.ts'
import type { ClusterObserver } from '../cluster/cluster.ts'
import type { TileRequest } from '../cluster/open-leases.ts'
import type { ArrivedTile } from '../cluster/worker-link.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import type { Answer, Frame } from '../frames/frame.ts'
import type { Action, ClusterEvent } from '../scheduling/events.ts'
import { FrameFailedError, NoWorkersError } from './errors.ts'

/** What can be asked of areas, whatever the scene. */
export interface Tracers {
  /** A number for a frame in the making, unique for the cluster's life. */
  nextWork(): number
  trace(area: AreaId, order: TileRequest): void
  trim(area: AreaId, lease: LeaseId, rows: number): void
  cancel(area: AreaId, lease: LeaseId): void
  /** Gives an area no more frames until it proves itself. */
  setAside(area: AreaId, reason: string): void
  /** Gives up all tiles of a frame. */
  cancelWork(work: number): void
  observe(observer: ClusterObserver): () => void
  /** Bytes that came so far from the worker of an area for answers, whole or not. */
  received(area: AreaId): number
}

/** What tracing a frame needs of the cluster. */
export interface TileTracers extends Tracers {
  readyIds(): AreaId[]
  /** How many areas are ready for the scene or on their way to it. */
  expectedAreas(): number
}

/** Calls `tick` now and then until the answer is called. */
export type Ticker = (tick: () => void) => () => void

/** Calls `wake` once, in so many ms, unless the answer is called before. */
export type Alarm = (wake: () => void, inMs: number) => () => void

export interface TracePorts {
  readonly tracers: TileTracers
  readonly clock: Clock
  readonly ticker: Ticker
  readonly alarm: Alarm
  /** How long a frame without any area waits for one, ms. */
  readonly waitMs: number
}

/** What a frame is made of, and where it goes. */
export interface FrameWork {
  readonly scene: string
  readonly view: View
  readonly buffer: FrameBuffer
  /** Where geometry projects; asked for at most once. */
  readonly coverage: () => CoverageMask
  /** Side of the cells that costs are wanted for, px; 0: none. */
  readonly cell: number
  /** Whether areas that come may take the place of those that are all gone. A frame made for one area alone ends with it. */
  readonly adopts: boolean
}

/** Hears how far a frame is. */
export interface FrameListener {
  /** An area has nothing left to do for it, or will not have before an order could reach it. Called once. */
  spare?(): void
  /** All samples up to this one are in place, and others are still to come. */
  passDone?(samples: number): void
}

/** Makes a frame. Rejects with FrameFailedError, NoWorkersError, CancelledError, or what assembling threw. */
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

class LiveFrame {
  readonly #frame: Frame
  readonly #work: FrameWork
  readonly #ports: TracePorts
  readonly #listener: FrameListener
  /** Under which the cluster knows it. */
  readonly #number: number
  readonly #settled: { readonly resolve: () => void; readonly reject: (error: unknown) => void }
  /** Bytes that had come from each area at the last tick. */
  readonly #received = new Map<AreaId, number>()
  /** Since when nobody is left to trace. */
  #aloneSince: number | undefined
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
    this.#number = ports.tracers.nextWork()
    this.#settled = { resolve, reject }
  }

  begin(signal: AbortSignal): void {
    if (signal.aborted) return this.#settled.reject(new CancelledError())
    const { tracers, ticker } = this.#ports
    const cancel = () => this.#giveUp(new CancelledError())
    signal.addEventListener('abort', cancel)
    const stopObserving = tracers.observe({
      ready: (worker, scene) => {
        if (scene === this.#work.scene) this.#happened({ type: 'worker-ready', worker })
      },
      lost: worker => this.#happened({ type: 'worker-lost', worker }),
      tileFailed: (worker, lease, reason) => {
        if (this.#frame.tileOf(lease)) this.#happened({ type: 'tile-failed', worker, lease, reason })
      },
      tileDone: (worker, tile) => this.#arrived(worker, tile),
      tileProgress: (worker, lease) => this.#happened({ type: 'tile-progress', worker, lease }),
    })
    const stopTicking = ticker(() => this.#tick())
    this.#stop = () => {
      stopObserving()
      stopTicking()
      this.#stopAlarm()
      signal.removeEventListener('abort', cancel)
    }
    this.#guarded(() => this.#provide())
  }

  /** Gives the frame what it needs, until that is events. */
  #provide(): void {
    const frame = this.#frame
    const { clock } = this.#ports
    for (;;) {
      switch (frame.need) {
        case 'statistics':
          this.#spend('stats', () => frame.learn())
          break
        case 'coverage':
          this.#spend('stats', () => frame.cover(this.#work.coverage()))
          break
        case 'decision':
          this.#spend('decide', () => frame.decide())
          break
        case 'dispatch':
          this.#perform(frame.begin(clock.now()))
          break
        case 'events':
          if (!this.#saidSpare && frame.isSpare(clock.now())) {
            this.#saidSpare = true
            this.#listener.spare?.()
          }
          return this.#sleep()
        case 'nothing':
          this.#stop()
          return this.#settled.resolve()
        default:
          assertNever(frame.need)
      }
    }
  }

  #spend(kind: 'stats' | 'decide', step: () => void): void {
    const { clock } = this.#ports
    const start = clock.now()
    step()
    this.#frame.spent(kind, start, clock.now())
  }

  #happened(event: ClusterEvent, answer?: Answer & { readonly pixels: Uint8Array }): void {
    this.#guarded(() => {
      const { clock } = this.#ports
      if (!this.#perform(this.#frame.happened(event, clock.now()), answer)) return
      this.#provide()
      this.#lookAfterOrphans()
    })
  }

  /** Does what the frame asks for; false when that was to end. */
  #perform(actions: readonly Action[], answer?: Answer & { readonly pixels: Uint8Array }): boolean {
    const { tracers, clock } = this.#ports
    const { scene, view, cell, buffer } = this.#work
    const frame = this.#frame
    for (const action of actions) {
      switch (action.type) {
        case 'trace': {
          const { worker, lease, tile, part } = action
          frame.sent(action, clock.now())
          const asked = { ...(cell ? { cell } : {}), ...(part ? { part } : {}), ...this.#pass() }
          tracers.trace(worker, { lease, work: this.#number, scene, view, ...tile, ...asked })
          break
        }
        case 'trim':
          tracers.trim(action.worker, action.lease, action.rows)
          break
        case 'cancel':
          tracers.cancel(action.worker, action.lease)
          break
        case 'accept':
          invariant(answer, 'only what came can be accepted')
          buffer.put(action.tile, answer.pixels)
          frame.placed(action, answer, clock.now())
          break
        case 'drop':
          if (answer) frame.dropped(action.lease, answer)
          break
        case 'set-aside':
          tracers.setAside(action.area, action.reason)
          break
        case 'frame-complete':
          this.#passComplete()
          break
        case 'frame-failed':
          this.#giveUp(new FrameFailedError(view.frame, action.reason))
          return false
        default:
          assertNever(action)
      }
    }
    return true
  }

  /** A large answer on a slow line takes long, and its worker has nothing to say meanwhile: who sends it is not silent. */
  #tick(): void {
    for (const worker of this.#frame.live) {
      const bytes = this.#ports.tracers.received(worker)
      if (bytes > (this.#received.get(worker) ?? bytes)) this.#happened({ type: 'tile-progress', worker })
      this.#received.set(worker, bytes)
    }
    this.#happened({ type: 'tick' })
  }

  /** What a tile of the pass at hand carries, where that is not finished colour of all samples. */
  #pass(): Pick<TileRequest, 'channel' | 'samples'> {
    const { channel } = this.#work.buffer
    return channel === 'rgb' ? {} : { channel, samples: this.#frame.pass.samples }
  }

  #passComplete(): void {
    const { pixels, samples } = this.#frame.pass
    this.#frame.passComplete()
    if (pixels === 'probe' || this.#frame.need === 'nothing') return
    this.#work.buffer.nextRange()
    this.#listener.passDone?.(samples.to)
  }

  #arrived(worker: AreaId, tile: ArrivedTile): void {
    const { lease, rect, times, cells } = tile
    const promised = this.#frame.tileOf(lease)
    if (!promised || tile.work !== this.#number) return
    const { more = false, waitMs, renderMs } = times
    const rows = { from: rect.y, to: rect.y + rect.h, more, tookMs: waitMs + renderMs }
    const answer = { tile: { ...promised, rect }, times, arrivedAt: this.#ports.clock.now(), pixels: tile.pixels }
    this.#happened({ type: 'tile-done', worker, lease, ...rows }, { ...answer, ...(cells ? { cells } : {}) })
  }

  /** Has itself woken when the frame wants to be. */
  #sleep(): void {
    const { alarm, clock } = this.#ports
    const { wakeAt } = this.#frame
    this.#stopAlarm()
    this.#stopAlarm =
      wakeAt === undefined ? () => {} : alarm(() => this.#happened({ type: 'tick' }), wakeAt - clock.now())
  }

  /** When everyone the frame was planned for is gone, whoever is ready takes over; nobody does so for long ends the frame. */
  #lookAfterOrphans(): void {
    const { tracers, clock, waitMs } = this.#ports
    const frame = this.#frame
    if (frame.need !== 'events' || frame.live.size > 0) {
      this.#aloneSince = undefined
      return
    }
    if (!this.#work.adopts) throw new NoWorkersError(1, 0, 0, 0)
    for (const worker of tracers.readyIds())
      this.#perform(frame.happened({ type: 'worker-ready', worker }, clock.now()))
    if (frame.live.size > 0 || tracers.expectedAreas() > 0) {
      this.#aloneSince = undefined
      return
    }
    this.#aloneSince ??= clock.now()
    if (clock.now() - this.#aloneSince >= waitMs) throw new NoWorkersError(1, 0, 0, waitMs)
  }

  #guarded(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#giveUp(error)
    }
  }

  #giveUp(error: unknown): void {
    this.#stop()
    this.#ports.tracers.cancelWork(this.#number)
    this.#settled.reject(error)
  }
}
