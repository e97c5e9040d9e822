/**
 * A frame of a session in the making: it is traced, from its start again if somebody wants that, and with `--verify` traced again, or repaired,
 * until no liar has a part in it. Everything that is the same for each of these is set up once.
 */

import { invariant } from '../../shared/errors.ts'
import { bytesPerPixelOf } from '../../shared/frame/channels.ts'
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import { type FrameState, isBegun } from '../../shared/frame/frame-state.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { MAX_PLANES_BYTES } from '../../shared/protocol/version.ts'
import type { Bodies } from '../../shared/scene/bodies.ts'
import { MAX_QUOTED, shortened } from '../../shared/text/printable.ts'
import { forUpTo } from '../../shared/time/duration.ts'
import { assemble } from '../assembly/assemble.ts'
import { channelsFor } from '../assembly/finish-frame.ts'
import { assemblyOrder, type FrameAssembly } from '../assembly/frame-assembly.ts'
import { Frame } from '../frames/frame.ts'
import { DEPTH_CELL } from '../frames/frame-depths.ts'
import type { FramePlanner } from '../frames/frame-planner.ts'
import { resumedAt, shotOf } from '../frames/resumed.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import { hooked } from '../sessions/aborting.ts'
import type { NextFrame } from '../sessions/frame-scenes.ts'
import { inSteps } from '../sessions/in-steps.ts'
import type { Previews } from '../sessions/previews.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import type { Turn } from '../sessions/turns.ts'
import type { AreaShare } from '../strategies/strategy.ts'
import { JoinedAreas, type MadeFrame, repairOf } from './repair-frame.ts'
import { type FrameListener, type FrameWork, traceFrame } from './trace-frame.ts'
import type { Verification } from './verification.ts'
import { type Attempt, type FrameVerification, type Verified, verified } from './verify-frame.ts'
import { rerunOf, shotsOf } from './view-of.ts'

export interface AttemptPorts {
  readonly session: Pick<SessionPorts, 'cluster' | 'numbers' | 'planes'>
  readonly planner: FramePlanner
  readonly turn: Turn
  readonly previews: Previews | undefined
  /** Areas as a pass sees them. */
  shares(workers: readonly WorkerInfo[]): AreaShare[]
  /** Areas that are ready now; at least one. */
  areasNow(signal: AbortSignal): Promise<readonly WorkerInfo[]>
  /** It waits for a worker, and has said so. */
  alone(): void
  /** Tells the client what is being done, or what has happened. */
  say(text: string, isEvent?: boolean): void
  /** Tells it how far the frame has come. */
  progress(progress: FrameProgress): void
  /** A pass is done, and others are to come. */
  readonly passDone?: (() => void) | undefined
  /** Calls `listen` when the frame is to be traced again from its start. @returns what unsubscribes it */
  onRetry(listen: () => void): (() => void) | undefined
  /** The most samples of a tile, so that little is lost with those that are being traced. @default no limit */
  readonly mostTileSamples?: number | undefined
}

/** What the frame is. */
export interface AttemptedFrame extends Pick<NextFrame, 'request' | 'at'> {
  readonly bodies: Bodies | undefined
  /** Name of the session's scene. */
  readonly scene: string
  /** Areas that were ready when it began, and when that was, ms. */
  readonly present: readonly WorkerInfo[]
  readonly beganAt: number
  readonly limits: SchedulerLimits
}

interface Attempted {
  readonly made: MadeFrame
  readonly verification?: Verified
}

export class FrameAttempt {
  readonly #order: SessionOrder
  readonly #frame: AttemptedFrame
  readonly #ports: AttemptPorts
  readonly #work: Omit<FrameWork, 'assembly' | 'cell' | 'verification' | 'firstShot'>
  readonly #listener: FrameListener
  #assembly: FrameAssembly | undefined
  /** The newest that was begun. */
  #traced: Frame | undefined
  /** Whether what there was of it has been given up. */
  #isRetried = false

  constructor(order: SessionOrder, frame: AttemptedFrame, ports: AttemptPorts) {
    this.#order = order
    this.#frame = frame
    this.#ports = ports
    const { request, at } = frame
    const { shares, say, turn, session, progress } = ports
    this.#work = {
      shots: shotsOf(order, request, frame.scene),
      coverage: () => at.scene.coverage(request.camera, order.size),
      rerun: rerunOf(order, request),
      shares,
    }
    const nameOf = (area: AreaId) => session.cluster.workers().find(({ id }) => id === area)?.name ?? area
    this.#listener = {
      alone: waitMs => {
        say(`no worker is left; waiting for one${forUpTo(waitMs)}`)
        ports.alone()
      },
      stranded: isStranded => turn.strand(isStranded),
      spare: () => turn.spare(),
      progress,
      ...(ports.passDone ? { passDone: ports.passDone } : {}),
      helps: area => say(`worker ${nameOf(area)} helps with the frame in progress`, true),
      tileFailed: (area, reason) =>
        say(`worker ${nameOf(area)} failed a tile (${shortened(reason, MAX_QUOTED)}); the tile is traced again`, true),
    }
  }

  /** Makes it. Rejects as `traceFrame` does, and with WorkersDisagreeError. */
  async make(verification: Verification | undefined, signal: AbortSignal): Promise<Attempted> {
    let stop = new AbortController()
    const unlisten = this.#ports.onRetry(() => stop.abort())
    try {
      for (;;) {
        const unhook = hooked(signal, stop)
        try {
          return await this.#make(verification, stop.signal)
        } catch (error) {
          if (!stop.signal.aborted || signal.aborted) throw error
          stop = new AbortController()
          this.#isRetried = true
          this.#ports.turn.strand(false)
        } finally {
          unhook()
        }
      }
    } finally {
      unlisten?.()
    }
  }

  #make(verification: Verification | undefined, signal: AbortSignal): Promise<Attempted> {
    const { request, at, limits } = this.#frame
    const { areasNow, shares } = this.#ports
    const { shots, rerun } = this.#work
    const alone = this.#listener.alone!
    const order = this.#frameOrder()
    const repair = repairOf(this.#order, { areasNow, shares, order, tracing: at.tracing, shots, rerun: rerun!, alone })
    const attempt: Attempt<MadeFrame> = {
      trace: (checks, signal) => this.#trace(checks, signal),
      ...repair,
      frame: request.frame,
      tracing: at.tracing,
      silentAfterMs: limits.silentAfterMs,
    }
    return verified(attempt, verification, signal)
  }

  /** What it has so far; undefined if that is nothing, or it has ended. */
  async state(): Promise<FrameState | undefined> {
    const point = this.#traced?.point
    if (!point || !this.#assembly) return undefined
    const state = await this.#assembly.state(point)
    return state && isBegun(state) ? state : undefined
  }

  /** Frees its planes. */
  end(): void {
    this.#assembly?.end()
  }

  async #trace(verification: FrameVerification | undefined, signal: AbortSignal): Promise<MadeFrame> {
    const { request, at, present, beganAt } = this.#frame
    const { planner, shares, areasNow, turn, session } = this.#ports
    // A worker may have been expelled since, or be gone.
    const workers = verification || this.#isRetried ? await areasNow(signal) : present
    const areas = shares(workers)
    const { passes, noise, timeMs: cap } = this.#order
    const from = this.#isRetried ? undefined : request.from
    const resumed = from && resumedAt(from)
    // A frame that is made again has its time again.
    const timeMs = cap === undefined ? cap : at.tracing.clock.now() - beganAt + cap
    const order = { ...this.#frameOrder(), areas, passes, adaptive: noise !== undefined, timeMs, beganAt, resumed }
    const frame = new Frame(order, planner)
    turn.onOvertaken(() => frame.settle())
    this.end()
    const assembly = assemble(assemblyOrder(this.#order, { preview: this.#preview(), from }), session.planes, inSteps)
    this.#assembly = assembly
    this.#traced = frame
    // A single worker has no use for cell costs; once another joins, a probe provides them. Depths come with them.
    const isCosted = workers.length > 1 || this.#order.record
    const cell = (isCosted && planner.cellFor(areas)) || (this.#order.kind === 'viewer' ? DEPTH_CELL : 0)
    const joined = new JoinedAreas()
    const listener = { ...this.#listener, joined: joined.note }
    const firstShot = from && request.moments ? shotOf(this.#order, from) : 0
    await traceFrame(frame, { ...this.#work, firstShot, assembly, cell, verification }, at.tracing, signal, listener)
    invariant(assembly.missing === 0, `frame ${request.frame} is complete but lacks ${assembly.missing} pixels`)
    const { facts } = frame
    return { frame, facts, assembly, workers: joined.added(workers, facts) }
  }

  #frameOrder() {
    const { request, at, bodies, limits } = this.#frame
    const { size, quality } = this.#order
    const { identify } = at.tracing.tracers
    const { mostTileSamples } = this.#ports
    const mostTilePx = Math.floor(MAX_PLANES_BYTES / bytesPerPixelOf(channelsFor(this.#order)))
    return {
      frame: request.frame,
      camera: request.camera,
      ...(bodies ? { bodies } : {}),
      size,
      mostTilePx,
      mostTileSamples,
      samples: quality.samples,
      limits,
      numbers: this.#ports.session.numbers,
      identify,
    }
  }

  #preview(): ((pixels: Uint8Array, samples: number) => void) | undefined {
    const { frame } = this.#frame.request
    const { previews } = this.#ports
    return previews && ((pixels, samples) => previews.offer({ frame, samples, pixels }))
  }
}
