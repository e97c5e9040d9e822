/**
 * Carries out one frame: feeds the scheduler with what happens, does what it answers, and notes when. The frame is done
 * when its last pixel is in place.
 */
import type { Clock } from '../../shared/clock.ts'
import { invariant } from '../../shared/errors.ts'
import type { LeaseId, WorkerId } from '../../shared/ids.ts'
import type { TileTimes } from '../../shared/protocol/codec.ts'
import type { TraceTile } from '../../shared/protocol/messages.ts'
import type { Rect } from '../../shared/rect.ts'
import type { View } from '../../shared/view.ts'
import { FrameBuffer } from '../assembly/frame-buffer.ts'
import type { ClusterObserver } from '../cluster/cluster.ts'
import type { ArrivedTile } from '../cluster/worker-link.ts'
import {
  type Action,
  beginFrame,
  type ClusterEvent,
  type SchedulerLimits,
  type SchedulerState,
  type Step,
  step,
} from '../scheduling/scheduler.ts'
import type { PlannedTile } from '../strategies/strategy.ts'
import { CancelledError, FrameFailedError, NoWorkersError } from './errors.ts'

/** What tracing a frame needs of the cluster; the real one is `Cluster`. */
export interface TileTracers {
  readyIds(): WorkerId[]
  /** How many workers are ready for the scene or on their way to it. */
  hopeful(): number
  trace(worker: WorkerId, order: Omit<TraceTile, 'type'>): void
  cancel(worker: WorkerId, lease: LeaseId): void
  observe(observer: ClusterObserver): () => void
}

/** Calls `tick` now and then until the answer is called. */
export type Ticker = (tick: () => void) => () => void

export interface TracePorts {
  readonly tracers: TileTracers
  readonly clock: Clock
  readonly ticker: Ticker
  readonly limits: SchedulerLimits
  /** How long a frame without any worker waits for one, ms. */
  readonly waitMs: number
}

/** One lease from its order to its pixels in place; times in ms on the master's clock. */
export interface LeaseRecord {
  readonly worker: WorkerId
  readonly rect: Rect
  readonly sentAt: number
  readonly arrivedAt: number
  readonly stitchedAt: number
  /** As measured where it was traced. */
  readonly times: TileTimes
}

export interface TracedFrame {
  readonly pixels: Uint8Array
  /** Leases whose pixels are in the frame, a partition of it, in order of arrival. */
  readonly records: readonly LeaseRecord[]
  readonly rescued: number
  /** First lease number that is still free. */
  readonly nextLease: number
  /** When the last pixel was in place. */
  readonly endedAt: number
}

/** Traces `view` of `scene` as planned. Rejects with FrameFailedError, NoWorkersError, CancelledError, or what stitching threw. */
export function traceFrame(
  order: { scene: string; view: View; plan: readonly PlannedTile[]; workers: readonly WorkerId[]; firstLease: number },
  { tracers, clock, ticker, limits, waitMs }: TracePorts,
  signal: AbortSignal,
): Promise<TracedFrame> {
  const { scene, view, plan, workers, firstLease } = order
  return new Promise((resolve, reject) => {
    const frame = new FrameBuffer(view.size)
    const sent = new Map<LeaseId, { worker: WorkerId; rect: Rect; sentAt: number }>()
    const records: LeaseRecord[] = []
    let state: SchedulerState
    /** Since when nobody is left to trace. */
    let aloneSince: number | undefined

    const perform = (action: Action, tile: { arrived: ArrivedTile; at: number } | undefined): void => {
      switch (action.type) {
        case 'trace':
          sent.set(action.lease, { worker: action.worker, rect: action.rect, sentAt: clock.now() })
          tracers.trace(action.worker, { lease: action.lease, scene, rect: action.rect, view })
          break
        case 'cancel':
          tracers.cancel(action.worker, action.lease)
          break
        case 'accept': {
          const lease = sent.get(action.lease)
          invariant(lease && tile, `lease ${action.lease} was accepted but never sent`)
          frame.blit(lease.rect, tile.arrived.pixels)
          records.push({ ...lease, arrivedAt: tile.at, stitchedAt: clock.now(), times: tile.arrived.times })
          break
        }
        case 'drop':
          break
        case 'frame-complete':
          invariant(frame.missing === 0, `frame ${view.frame} is complete but lacks ${frame.missing} pixels`)
          finish()
          resolve({
            pixels: frame.pixels,
            records,
            rescued: state.rescued,
            nextLease: state.nextLease,
            endedAt: clock.now(),
          })
          break
        case 'frame-failed':
          giveUp(new FrameFailedError(view.frame, action.reason))
      }
    }
    const apply = (next: Step, tile?: { arrived: ArrivedTile; at: number }): void => {
      state = next.state
      for (const action of next.actions) perform(action, tile)
    }
    const happened = (event: ClusterEvent, tile?: { arrived: ArrivedTile; at: number }): void => {
      try {
        apply(step(state, event, clock.now()), tile)
        lookAfterOrphans()
      } catch (error) {
        giveUp(error)
      }
    }
    /** When everyone the frame was planned for is gone, whoever is ready takes over; nobody does so for long ends the frame. */
    const lookAfterOrphans = (): void => {
      if (state.status === 'tracing' && state.live.size === 0)
        for (const worker of tracers.readyIds()) apply(step(state, { type: 'worker-ready', worker }, clock.now()))
      if (state.status !== 'tracing' || state.live.size > 0 || tracers.hopeful() > 0) {
        aloneSince = undefined
        return
      }
      aloneSince ??= clock.now()
      if (clock.now() - aloneSince >= waitMs) throw new NoWorkersError(1, 0, 0, waitMs)
    }
    const stopObserving = tracers.observe({
      ready: worker => happened({ type: 'worker-ready', worker }),
      lost: worker => happened({ type: 'worker-lost', worker }),
      tileFailed: (worker, lease, reason) => happened({ type: 'tile-failed', worker, lease, reason }),
      tileDone: (worker, arrived) => {
        const { lease } = arrived
        const promised = sent.get(lease)?.rect
        const honest =
          promised &&
          promised.x === arrived.rect.x &&
          promised.y === arrived.rect.y &&
          promised.w === arrived.rect.w &&
          promised.h === arrived.rect.h
        // Pixels of another rectangle than the lease's are a failure of that worker, not of the frame.
        if (promised && !honest)
          happened({ type: 'tile-failed', worker, lease, reason: 'sent another rectangle than asked for' })
        else happened({ type: 'tile-done', worker, lease }, { arrived, at: clock.now() })
      },
    })
    const stopTicking = ticker(() => happened({ type: 'tick' }))
    const finish = (): void => {
      stopObserving()
      stopTicking()
      signal.removeEventListener('abort', cancel)
    }
    const giveUp = (error: unknown): void => {
      finish()
      for (const [lease, { worker }] of state.leases) tracers.cancel(worker, lease)
      reject(error)
    }
    const cancel = (): void => giveUp(new CancelledError())

    state = beginFrame([], [], firstLease, clock.now(), limits).state
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel)
    try {
      apply(beginFrame(plan, workers, firstLease, clock.now(), limits))
    } catch (error) {
      giveUp(error)
    }
  })
}
