/**
 * Who traces what, right now: the heart of a frame. It is told what happened and answers what to do; sockets, pixels and
 * clocks are elsewhere, so that the simulator runs the very same schedule. Every pixel of the plan is at any time in
 * exactly one of three places: waiting in a queue, leased to a worker, or done. A tile whose worker is lost, fails or is
 * far too late goes back to the queue in strips, one for each worker that can take one, so that a rescue costs the frame a
 * strip's time and not a tile's. Every event costs time in proportion to what it changes, never to the size of the plan.
 */
import { invariant } from '../../shared/errors.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { area, cutEvenly, extent, formatRect, longerAxis, splitRect } from '../../shared/rect.ts'
import { type AreaShare, type Plan, workingShares } from '../strategies/strategy.ts'
import type { Action, ClusterEvent } from './events.ts'
import type { LeaseNumbers } from './lease-numbers.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from './limits.ts'
import { RowStealing } from './row-stealing.ts'
import { TileQueues, type WaitingTile } from './tile-queues.ts'

/** Tiles in flight. */
export interface Lease {
  readonly worker: AreaId
  /** What is still to come of it; grows shorter as parts come and rows are given away. */
  tile: PixelSet
  readonly since: number
  readonly failures: number
}

const LATE_FACTOR = 4

export class FrameSchedule {
  readonly #limits: SchedulerLimits
  readonly #queues: TileQueues
  readonly #stealing: RowStealing | undefined
  readonly #leases = new Map<LeaseId, Lease>()
  /** Leases of each worker that may be given tiles of this frame, oldest first. */
  readonly #held = new Map<AreaId, Set<LeaseId>>()
  readonly #tileStealing: boolean
  #orphaned = false
  readonly #numbers: LeaseNumbers
  #longestMs = 0
  #rescued = 0
  #stolen = 0
  #status: 'tracing' | 'complete' | 'failed' = 'tracing'

  /**
   * @param workers those that may be given tiles, in the order in which they are served; of speed 0: none
   * @param numbers those of its leases, never given before, so that stragglers are recognised
   */
  constructor(
    plan: Plan,
    workers: readonly AreaShare[],
    numbers: LeaseNumbers,
    limits: SchedulerLimits = DEFAULT_LIMITS,
  ) {
    this.#limits = limits
    this.#numbers = numbers
    for (const { id } of workingShares(workers)) this.#held.set(id, new Set())
    this.#queues = new TileQueues(plan.tiles, id => this.#held.has(id))
    this.#tileStealing = plan.stealing !== undefined
    if (plan.stealing === 'rows') this.#stealing = new RowStealing(plan, workers, limits)
  }

  get status(): 'tracing' | 'complete' | 'failed' {
    return this.#status
  }

  /** Tiles that went back to the queue. */
  get rescued(): number {
    return this.#rescued
  }

  /** How often an idle worker took work from another. */
  get stolen(): number {
    return this.#stolen
  }

  /** Workers that may be given tiles. */
  get live(): ReadonlySet<AreaId> {
    return new Set(this.#held.keys())
  }

  /** Leases that are open, with their workers. */
  *open(): Generator<readonly [LeaseId, AreaId]> {
    for (const [id, { worker }] of this.#leases) yield [id, worker]
  }

  /** When it wants to hear a tick even if nothing happens before, ms on the clock of `now`. */
  get wakeAt(): number | undefined {
    return this.#status === 'tracing' ? this.#stealing?.wakeAt : undefined
  }

  /** Hands the first tiles out. Called once, before anything happens. */
  begin(now: number): Action[] {
    const actions: Action[] = []
    for (let depth = 1; depth <= this.#limits.leasesPerWorker; depth++)
      for (const worker of this.#held.keys()) this.#serve(worker, depth, actions, now)
    return this.#settle(actions, now)
  }

  /** What happened → what to do. `now` in ms on the master's clock. */
  happened(event: ClusterEvent, now: number): Action[] {
    if (this.#status !== 'tracing') return event.type === 'tile-done' ? [{ type: 'drop', lease: event.lease }] : []
    const actions: Action[] = []
    switch (event.type) {
      case 'worker-ready':
        if (!this.#orphaned || this.#held.has(event.worker)) return []
        this.#held.set(event.worker, new Set())
        this.#serveAll([event.worker], actions, now)
        break
      case 'worker-lost':
        this.#lose(event.worker, actions, now)
        break
      case 'tile-done':
        this.#done(event, actions, now)
        break
      case 'tile-failed':
        this.#failed(event, actions, now)
        break
      case 'tick':
        this.#rescueLate(actions, now)
    }
    return this.#settle(actions, now)
  }

  #done(
    { worker, lease: id, from, to, more, tookMs }: Extract<ClusterEvent, { type: 'tile-done' }>,
    actions: Action[],
    now: number,
  ): void {
    const lease = this.#leases.get(id)
    if (lease?.worker !== worker) {
      actions.push({ type: 'drop', lease: id })
      return
    }
    const { rect } = lease.tile
    const end = rect.y + rect.h
    if (from !== rect.y || (to < end && !more)) {
      const reason = `sent rows ${from} to ${to} of rows ${rect.y} to ${end}`
      return this.#failed({ type: 'tile-failed', worker, lease: id, reason }, actions, now)
    }
    // Rows that were given away while they were being traced came from two workers: the frame takes them from the other.
    const h = Math.min(to, end) - from
    actions.push({ type: 'accept', lease: id, tile: { ...lease.tile, rect: { ...rect, h } } })
    if (more && to < end) {
      lease.tile = { ...lease.tile, rect: { ...rect, y: to, h: end - to } }
      this.#stealing?.progressed(id, to, now, tookMs)
      return
    }
    this.#longestMs = Math.max(this.#longestMs, now - lease.since)
    this.#close(id)
    this.#stealing?.ended(id, now, tookMs)
    this.#serveAll([worker], actions, now)
  }

  #failed(
    { worker, lease: id, reason }: Extract<ClusterEvent, { type: 'tile-failed' }>,
    actions: Action[],
    now: number,
  ): void {
    const lease = this.#leases.get(id)
    if (lease?.worker !== worker) return
    const failures = lease.failures + 1
    if (failures >= this.#limits.maxFailures) {
      this.#status = 'failed'
      const what = `tile ${formatRect(lease.tile.rect)} failed ${failures} times, last on ${worker}: ${reason}`
      actions.push({ type: 'frame-failed', reason: what })
      return
    }
    this.#close(id)
    this.#stealing?.ended(id, now)
    this.#queues.giveToAnyone([{ ...lease.tile, failures }])
    this.#rescued++
    this.#serveAll(this.#idle(), actions, now)
    this.#serveAll([worker], actions, now)
  }

  #lose(worker: AreaId, actions: Action[], now: number): void {
    const held = this.#held.get(worker)
    if (!held) return
    this.#dismiss(worker)
    this.#orphaned ||= this.#held.size === 0
    this.#giveUp([...held])
    this.#serveAll(this.#held.keys(), actions, now)
  }

  /** Takes tiles back from workers that are far too late, as long as there is an idle worker to do better. */
  #rescueLate(actions: Action[], now: number): void {
    const patience = Math.max(this.#limits.lateAfterMs, LATE_FACTOR * this.#longestMs)
    const isLate = ({ since }: Lease) => now - since > patience
    // Leases are in the order in which they were given: where the first is not late none is.
    const [oldest] = this.#leases.values()
    if (!oldest || !isLate(oldest) || this.#queues.forAnyone > 0 || this.#idle().length === 0) return
    const slow = new Set([...this.#leases.values()].filter(isLate).map(({ worker }) => worker))
    const ids = [...slow].flatMap(worker => [...(this.#held.get(worker) ?? [])])
    for (const id of ids) actions.push({ type: 'cancel', worker: this.#leases.get(id)!.worker, lease: id })
    // Who was late gets nothing more of this frame: its strips would be late too.
    for (const worker of slow) this.#dismiss(worker)
    this.#giveUp(ids)
    this.#serveAll(this.#held.keys(), actions, now)
  }

  /** Puts leased pixels back into the queue, in strips that all live workers can share, open to anyone. */
  #giveUp(ids: readonly LeaseId[]): void {
    for (const id of ids) {
      const lease = this.#leases.get(id)
      invariant(lease, `lease ${id} is not open`)
      this.#close(id)
      const { tile, failures } = lease
      this.#queues.giveToAnyone(strips(tile, Math.max(1, this.#held.size)).map(strip => ({ ...strip, failures })))
    }
    this.#rescued += ids.length
  }

  /** A worker gets nothing more of this frame. */
  #dismiss(worker: AreaId): void {
    this.#held.delete(worker)
    this.#queues.orphan(worker)
    this.#stealing?.lost(worker)
  }

  #close(id: LeaseId): void {
    const lease = this.#leases.get(id)!
    this.#leases.delete(id)
    this.#held.get(lease.worker)?.delete(id)
  }

  #idle(): AreaId[] {
    return [...this.#held].filter(([, held]) => held.size === 0).map(([worker]) => worker)
  }

  #serveAll(workers: Iterable<AreaId>, actions: Action[], now: number): void {
    const served = [...workers]
    for (let depth = 1; depth <= this.#limits.leasesPerWorker; depth++)
      for (const worker of served) this.#serve(worker, depth, actions, now)
  }

  /** Gives a worker that holds fewer than `depth` tiles one more, its own first. */
  #serve(worker: AreaId, depth: number, actions: Action[], now: number): void {
    const held = this.#held.get(worker)
    if (!held || held.size >= depth) return
    let tile = this.#queues.nextOf(worker)
    // What is open to anyone goes to idle workers only; who is busy would just let it wait.
    if (!tile && held.size === 0) tile = this.#queues.nextForAnyone()
    if (!tile && held.size === 0 && this.#tileStealing && this.#queues.shareOfBusiest(worker)) {
      this.#stolen++
      tile = this.#queues.nextOf(worker)
    }
    if (tile) this.#lease(worker, held, tile, actions, now)
  }

  #lease(
    worker: AreaId,
    held: Set<LeaseId>,
    { failures, worker: _, ...tile }: WaitingTile,
    actions: Action[],
    now: number,
    factor?: number,
  ): void {
    const lease = this.#numbers()
    this.#leases.set(lease, { worker, tile, since: now, failures })
    held.add(lease)
    const part = this.#stealing?.began(lease, worker, tile, now, factor)
    actions.push({ type: 'trace', worker, lease, tile, ...(part ? { part } : {}) })
  }

  /** Lets workers that run dry take rows of others, and sees whether the frame is whole. */
  #settle(actions: Action[], now: number): Action[] {
    if (this.#status !== 'tracing') return actions
    for (let steal = this.#stealing?.next(now); steal; steal = this.#stealing?.next(now)) {
      const lease = this.#leases.get(steal.lease)
      const held = this.#held.get(steal.thief)
      invariant(lease && held, 'rows can be taken from open leases only, by live workers only')
      const { rect } = lease.tile
      const [kept, taken] = splitRect(rect, 'y', steal.row - rect.y)
      lease.tile = { ...lease.tile, rect: kept }
      actions.push({ type: 'trim', worker: lease.worker, lease: steal.lease, rows: steal.row - steal.top })
      this.#stolen++
      const tile = { ...lease.tile, rect: taken, failures: lease.failures }
      this.#lease(steal.thief, held, tile, actions, now, steal.factor)
    }
    if (this.#leases.size === 0 && this.#queues.size === 0) {
      this.#status = 'complete'
      actions.push({ type: 'frame-complete' })
    }
    return actions
  }
}

/** Cuts a tile into at most `count` pieces along its longer side, their lengths equal within a pixel. */
function strips(tile: PixelSet, count: number): PixelSet[] {
  const { rect } = tile
  const axis = longerAxis(rect)
  // A strip of a handful of pixels costs more to send than to trace.
  const pieces = Math.max(1, Math.min(count, extent(rect, axis), Math.floor(area(rect) / 64)))
  const cut = cutEvenly(rect, axis, pieces).map(strip => ({ ...tile, rect: strip }))
  return tile.pattern ? cut.filter(strip => pixelCount(strip) > 0) : cut
}
