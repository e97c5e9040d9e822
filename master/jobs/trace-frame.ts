/**
 * Carries out one frame: feeds the scheduler with what happens, does what it answers, and notes when. The frame is done
 * when its last pixel is in place.
 */
import type { Clock } from '../../shared/clock.ts'
import { invariant } from '../../shared/errors.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import type { TileCells } from '../../shared/protocol/cell-costs.ts'
import type { TileTimes } from '../../shared/protocol/codec.ts'
import type { TraceTile } from '../../shared/protocol/messages.ts'
import type { View } from '../../shared/view.ts'
import type { FrameBuffer } from '../assembly/frame-buffer.ts'
import type { ClusterObserver } from '../cluster/cluster.ts'
import type { ArrivedTile } from '../cluster/worker-link.ts'
import type { Action, ClusterEvent } from '../scheduling/events.ts'
import { FrameSchedule } from '../scheduling/frame-schedule.ts'
import type { SchedulerLimits } from '../scheduling/limits.ts'
import type { AreaShare, Plan } from '../strategies/strategy.ts'
import { CancelledError, FrameFailedError, NoWorkersError } from './errors.ts'

/** What tracing a frame needs of the cluster; the real one is `Cluster`. */
export interface TileTracers {
  readyIds(): AreaId[]
  /** How many workers are ready for the scene or on their way to it. */
  hopeful(): number
  trace(worker: AreaId, order: Omit<TraceTile, 'type'>): void
  trim(worker: AreaId, lease: LeaseId, rows: number): void
  cancel(worker: AreaId, lease: LeaseId): void
  observe(observer: ClusterObserver): () => void
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
  readonly limits: SchedulerLimits
  /** How long a frame without any worker waits for one, ms. */
  readonly waitMs: number
}

/** What one answer to a lease brought, from its order to its pixels in place; times in ms on the master's clock. */
export interface LeaseRecord {
  readonly lease: LeaseId
  readonly worker: AreaId
  /** The pixels that went into the frame. */
  readonly tile: PixelSet
  /** When its order was sent, or, where parts of the lease had come before, when the last of those came. */
  readonly sentAt: number
  readonly arrivedAt: number
  readonly stitchedAt: number
  /** As measured where it was traced. */
  readonly times: TileTimes
  /** Costs of the cells of all pixels that were traced, those among them that did not go into the frame. */
  readonly cells?: TileCells
}

/** What to trace of which frame. */
export interface TraceOrder {
  readonly scene: string
  readonly view: View
  readonly plan: Plan
  readonly workers: readonly AreaShare[]
  /** Higher than any lease before. */
  readonly firstLease: number
  /** Side of the cells that costs are wanted for, px; 0: none. */
  readonly cell: number
  /** Where the pixels go. */
  readonly frame: FrameBuffer
}

export interface TracedPlan {
  /** What went into the frame, a partition of the plan's tiles, in order of arrival. */
  readonly records: readonly LeaseRecord[]
  readonly rescued: number
  readonly stolen: number
  /** Pixels that were traced by two workers and thrown away once. */
  readonly repeatedPx: number
  /** First lease number that is still free. */
  readonly nextLease: number
  /** When the last pixel was in place. */
  readonly endedAt: number
}

/** Traces a plan's tiles. Rejects with FrameFailedError, NoWorkersError, CancelledError, or what stitching threw. */
export function tracePlan(
  order: TraceOrder,
  { tracers, clock, ticker, alarm, limits, waitMs }: TracePorts,
  signal: AbortSignal,
): Promise<TracedPlan> {
  const { scene, view, plan, workers, firstLease, cell, frame } = order
  return new Promise((resolve, reject) => {
    const sent = new Map<LeaseId, SentLease>()
    const records: LeaseRecord[] = []
    const schedule = new FrameSchedule(plan, workers, firstLease, limits)
    let repeatedPx = 0
    /** Since when nobody is left to trace. */
    let aloneSince: number | undefined
    let stopAlarm = () => {}

    const perform = (action: Action, arrival: Arrival | undefined): void => {
      switch (action.type) {
        case 'trace': {
          const { worker, lease, tile, part } = action
          sent.set(lease, { worker, tile, sentAt: clock.now() })
          tracers.trace(worker, { lease, scene, ...tile, view, ...(cell ? { cell } : {}), ...(part ? { part } : {}) })
          break
        }
        case 'trim':
          tracers.trim(action.worker, action.lease, action.rows)
          break
        case 'cancel':
          tracers.cancel(action.worker, action.lease)
          break
        case 'accept': {
          const lease = sent.get(action.lease)
          invariant(lease && arrival, `lease ${action.lease} was accepted but never sent`)
          const { times, cells } = arrival.tile
          const bytes = pixelCount(action.tile) * 3
          // Rows that somebody else has, too, are the last ones.
          repeatedPx += (arrival.tile.pixels.length - bytes) / 3
          frame.blit(action.tile, arrival.tile.pixels.subarray(0, bytes))
          const { worker, sentAt } = lease
          const { tile } = action
          records.push({
            ...{ lease: action.lease, worker, tile, sentAt, arrivedAt: arrival.at, stitchedAt: clock.now(), times },
            ...(cells ? { cells } : {}),
          })
          sent.set(action.lease, { ...lease, sentAt: arrival.at })
          break
        }
        case 'drop':
          break
        case 'frame-complete': {
          finish()
          const { rescued, stolen, nextLease } = schedule
          resolve({ records, rescued, stolen, repeatedPx, nextLease, endedAt: clock.now() })
          break
        }
        case 'frame-failed':
          giveUp(new FrameFailedError(view.frame, action.reason))
      }
    }
    const apply = (actions: readonly Action[], arrival?: Arrival): void => {
      for (const action of actions) perform(action, arrival)
      stopAlarm()
      const { wakeAt } = schedule
      stopAlarm = wakeAt === undefined ? () => {} : alarm(() => happened({ type: 'tick' }), wakeAt - clock.now())
    }
    const happened = (event: ClusterEvent, arrival?: Arrival): void => {
      try {
        apply(schedule.happened(event, clock.now()), arrival)
        lookAfterOrphans()
      } catch (error) {
        giveUp(error)
      }
    }
    /** When everyone the frame was planned for is gone, whoever is ready takes over; nobody does so for long ends the frame. */
    const lookAfterOrphans = (): void => {
      if (schedule.status === 'tracing' && schedule.live.size === 0)
        for (const worker of tracers.readyIds()) apply(schedule.happened({ type: 'worker-ready', worker }, clock.now()))
      if (schedule.status !== 'tracing' || schedule.live.size > 0 || tracers.hopeful() > 0) {
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
      tileDone: (worker, tile) => {
        const { lease, rect } = tile
        const promised = sent.get(lease)?.tile
        // Pixels of other rows than the lease's are a failure of that worker, not of the frame.
        if (promised && !isPartOf(promised, tile)) {
          const reason = 'sent other pixels than asked for'
          return happened({ type: 'tile-failed', worker, lease, reason })
        }
        const { more = false, waitMs, renderMs } = tile.times
        const rows = { from: rect.y, to: rect.y + rect.h, more, tookMs: waitMs + renderMs }
        happened({ type: 'tile-done', worker, lease, ...rows }, { tile, at: clock.now() })
      },
    })
    const stopTicking = ticker(() => happened({ type: 'tick' }))
    const finish = (): void => {
      stopObserving()
      stopTicking()
      stopAlarm()
      signal.removeEventListener('abort', cancel)
    }
    const giveUp = (error: unknown): void => {
      finish()
      for (const [lease, worker] of schedule.open()) tracers.cancel(worker, lease)
      reject(error)
    }
    const cancel = (): void => giveUp(new CancelledError())

    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel)
    try {
      apply(schedule.begin(clock.now()))
    } catch (error) {
      giveUp(error)
    }
  })
}

interface SentLease {
  readonly worker: AreaId
  readonly tile: PixelSet
  readonly sentAt: number
}

/** Pixels that came, and when. */
interface Arrival {
  readonly tile: ArrivedTile
  readonly at: number
}

/** Whether what came is some whole rows of what was asked for, with as many pixels as they have. */
function isPartOf(promised: PixelSet, { rect, pixels }: ArrivedTile): boolean {
  const { x, y, w, h } = promised.rect
  if (rect.x !== x || rect.w !== w || rect.y < y || rect.y + rect.h > y + h) return false
  return pixels.length === pixelCount({ ...promised, rect }) * 3
}
