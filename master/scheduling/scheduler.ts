/**
 * Who traces what, right now: the pure heart of a frame. It is told what happened and answers what to do; sockets,
 * pixels and clocks are elsewhere. Every pixel of the frame is at any time in exactly one of three places: waiting in
 * the queue, leased to a worker, or done. A tile whose worker is lost, fails or is far too late goes back to the queue
 * in strips, one for each worker that can take one, so that a rescue costs the frame a strip's time and not a tile's.
 */
import { invariant } from '../../shared/errors.ts'
import { type LeaseId, leaseId, type WorkerId } from '../../shared/ids.ts'
import { area, cutEvenly, extent, longerAxis, type Rect } from '../../shared/rect.ts'
import type { PlannedTile } from '../strategies/strategy.ts'

/** What may happen while a frame is traced. */
export type ClusterEvent =
  /** A worker that holds the scene came (back). It helps in this frame only after everybody it was planned for had gone. */
  | { readonly type: 'worker-ready'; readonly worker: WorkerId }
  | { readonly type: 'worker-lost'; readonly worker: WorkerId }
  | { readonly type: 'tile-done'; readonly worker: WorkerId; readonly lease: LeaseId }
  | { readonly type: 'tile-failed'; readonly worker: WorkerId; readonly lease: LeaseId; readonly reason: string }
  /** Time passed. */
  | { readonly type: 'tick' }

/** What to do about it, in this order. */
export type Action =
  | { readonly type: 'trace'; readonly worker: WorkerId; readonly lease: LeaseId; readonly rect: Rect }
  /** The tile that just came belongs into the frame. */
  | { readonly type: 'accept'; readonly lease: LeaseId }
  /** It does not: its lease was given up, or never was. */
  | { readonly type: 'drop'; readonly lease: LeaseId }
  | { readonly type: 'cancel'; readonly worker: WorkerId; readonly lease: LeaseId }
  | { readonly type: 'frame-complete' }
  | { readonly type: 'frame-failed'; readonly reason: string }

interface WaitingTile extends PlannedTile {
  /** How often the pixels failed to be traced (not: were lost with their worker). */
  readonly failures: number
}

interface Lease {
  readonly worker: WorkerId
  readonly rect: Rect
  readonly since: number
  readonly failures: number
}

/** Read it, never write it: `step` returns the next one. */
export interface SchedulerState {
  readonly waiting: readonly WaitingTile[]
  readonly leases: ReadonlyMap<LeaseId, Lease>
  /** Workers that may be given tiles of this frame. */
  readonly live: ReadonlySet<WorkerId>
  /** Everybody that the frame was planned for had gone: whoever comes may help. */
  readonly orphaned: boolean
  readonly nextLease: number
  /** Longest time a finished tile of this frame took, ms. */
  readonly longestMs: number
  /** Tiles that went back to the queue. */
  readonly rescued: number
  readonly status: 'tracing' | 'complete' | 'failed'
  readonly limits: SchedulerLimits
}

export interface SchedulerLimits {
  /** Tiles one worker may hold: the second travels while the first is traced. */
  readonly leasesPerWorker: number
  /** A tile is late when it is out for longer than this and than four times the longest finished one, ms. */
  readonly lateAfterMs: number
  /** How often the same pixels may fail before the frame is given up. */
  readonly maxFailures: number
}

export const DEFAULT_LIMITS: SchedulerLimits = { leasesPerWorker: 2, lateAfterMs: 15_000, maxFailures: 3 }

const LATE_FACTOR = 4

export interface Step {
  readonly state: SchedulerState
  readonly actions: readonly Action[]
}

/** Starts a frame. `firstLease` is higher than any lease of earlier frames, so that stragglers are recognised. */
export function beginFrame(
  plan: readonly PlannedTile[],
  workers: Iterable<WorkerId>,
  firstLease: number,
  now: number,
  limits: SchedulerLimits = DEFAULT_LIMITS,
): Step {
  const state: SchedulerState = {
    waiting: plan.map(tile => ({ ...tile, failures: 0 })),
    leases: new Map(),
    live: new Set(workers),
    orphaned: false,
    nextLease: firstLease,
    longestMs: 0,
    rescued: 0,
    status: 'tracing',
    limits,
  }
  return handOut(state, [], now)
}

/** What happened → what to do. `now` in ms on the master's clock. */
export function step(state: SchedulerState, event: ClusterEvent, now: number): Step {
  if (state.status !== 'tracing') {
    return { state, actions: event.type === 'tile-done' ? [{ type: 'drop', lease: event.lease }] : [] }
  }
  switch (event.type) {
    case 'worker-ready':
      if (!state.orphaned) return { state, actions: [] }
      return handOut({ ...state, live: new Set([...state.live, event.worker]) }, [], now)
    case 'worker-lost': {
      const live = new Set([...state.live].filter(worker => worker !== event.worker))
      const lost = [...state.leases].filter(([, lease]) => lease.worker === event.worker).map(([id]) => id)
      return handOut(giveUp({ ...state, live, orphaned: state.orphaned || live.size === 0 }, lost), [], now)
    }
    case 'tile-done': {
      const lease = state.leases.get(event.lease)
      if (lease?.worker !== event.worker) return { state, actions: [{ type: 'drop', lease: event.lease }] }
      const next = {
        ...state,
        leases: without(state.leases, [event.lease]),
        longestMs: Math.max(state.longestMs, now - lease.since),
      }
      return handOut(next, [{ type: 'accept', lease: event.lease }], now)
    }
    case 'tile-failed': {
      const lease = state.leases.get(event.lease)
      if (lease?.worker !== event.worker) return { state, actions: [] }
      if (lease.failures + 1 >= state.limits.maxFailures)
        return {
          state: { ...state, status: 'failed' },
          actions: [
            {
              type: 'frame-failed',
              reason: `tile ${lease.rect.x},${lease.rect.y} ${lease.rect.w}x${lease.rect.h} failed ${state.limits.maxFailures} times, last on ${event.worker}: ${event.reason}`,
            },
          ],
        }
      const failed = { rect: lease.rect, failures: lease.failures + 1 }
      return handOut(
        {
          ...state,
          leases: without(state.leases, [event.lease]),
          waiting: [...state.waiting, failed],
          rescued: state.rescued + 1,
        },
        [],
        now,
      )
    }
    case 'tick':
      return rescueLate(state, now)
  }
}

/** Takes tiles back from workers that are far too late, as long as there is an idle worker to do better. */
function rescueLate(state: SchedulerState, now: number): Step {
  const patience = Math.max(state.limits.lateAfterMs, LATE_FACTOR * state.longestMs)
  const late = [...state.leases].filter(([, lease]) => now - lease.since > patience)
  const busy = new Set([...state.leases.values()].map(lease => lease.worker))
  const idle = [...state.live].filter(worker => !busy.has(worker))
  if (late.length === 0 || idle.length === 0 || state.waiting.length > 0) return { state, actions: [] }
  const cancels = late.map(([lease, { worker }]): Action => ({ type: 'cancel', worker, lease }))
  // Who was late gets nothing more of this frame: its strips would be late too.
  const live = new Set([...state.live].filter(worker => !late.some(([, lease]) => lease.worker === worker)))
  const rescued = giveUp(
    { ...state, live },
    late.map(([id]) => id),
  )
  return handOut(rescued, cancels, now)
}

/** Puts leased pixels back into the queue, in strips that all live workers can share, open to anyone. */
function giveUp(state: SchedulerState, ids: readonly LeaseId[]): SchedulerState {
  const back = ids.flatMap(id => {
    const lease = state.leases.get(id)
    invariant(lease, `lease ${id} is not open`)
    return strips(lease.rect, Math.max(1, state.live.size)).map(rect => ({ rect, failures: lease.failures }))
  })
  // Tiles planned for a worker that is gone are anyone's now.
  const waiting = state.waiting.map(tile =>
    tile.worker && state.live.has(tile.worker) ? tile : { rect: tile.rect, failures: tile.failures },
  )
  return {
    ...state,
    leases: without(state.leases, ids),
    waiting: [...waiting, ...back],
    rescued: state.rescued + ids.length,
  }
}

/** Gives waiting tiles to workers with room, its own first, and sees whether the frame is whole. */
function handOut(state: SchedulerState, actions: readonly Action[], now: number): Step {
  const waiting = [...state.waiting]
  const leases = new Map(state.leases)
  const orders: Action[] = []
  let nextLease = state.nextLease
  for (let depth = 1; depth <= state.limits.leasesPerWorker; depth++) {
    for (const worker of state.live) {
      const held = [...leases.values()].filter(lease => lease.worker === worker).length
      if (held >= depth) continue
      let at = waiting.findIndex(tile => tile.worker === worker)
      // What is open to anyone goes to idle workers only; who is busy would just let it wait.
      if (at < 0 && held === 0) at = waiting.findIndex(tile => !tile.worker || !state.live.has(tile.worker))
      const [tile] = at < 0 ? [] : waiting.splice(at, 1)
      if (!tile) continue
      const lease = leaseId(nextLease++)
      leases.set(lease, { worker, rect: tile.rect, since: now, failures: tile.failures })
      orders.push({ type: 'trace', worker, lease, rect: tile.rect })
    }
  }
  const complete = waiting.length === 0 && leases.size === 0
  return {
    state: { ...state, waiting, leases, nextLease, status: complete ? 'complete' : 'tracing' },
    actions: [...actions, ...orders, ...(complete ? [{ type: 'frame-complete' } as const] : [])],
  }
}

/** Cuts a rectangle into at most `count` pieces along its longer side, their lengths equal within a pixel. */
function strips(rect: Rect, count: number): Rect[] {
  const axis = longerAxis(rect)
  // A strip of a handful of pixels costs more to send than to trace.
  const pieces = Math.max(1, Math.min(count, extent(rect, axis), Math.floor(area(rect) / 64)))
  return cutEvenly(rect, axis, pieces)
}

function without<K, V>(map: ReadonlyMap<K, V>, keys: readonly K[]): Map<K, V> {
  const rest = new Map(map)
  for (const key of keys) rest.delete(key)
  return rest
}
