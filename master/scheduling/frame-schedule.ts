/**
 * Decides which worker traces what: the heart of a frame. It receives events and returns actions; sockets, pixels and
 * clocks are elsewhere, so the simulator runs the same schedule. At any time, every pixel of the plan is waiting in a
 * queue, leased to a worker (or to two if the first is late), or done. A tile whose worker is lost, hangs or fails goes
 * back to the queue in strips, one for each worker that can take one. Every event but a tick costs time in proportion to
 * what it changes, never to the size of the plan.
 */
import { invariant } from '../../shared/errors.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { PixelSet } from '../../shared/pixel-set.ts'
import { formatRect, splitRect } from '../../shared/rect.ts'
import { type AreaShare, type Plan, workingShares } from '../strategies/strategy.ts'
import { type Blame, type Identify, newcomers, Suspicion } from './blame.ts'
import type { Action, AsideCause, ClusterEvent, Keeps } from './events.ts'
import { Expectations } from './expectations.ts'
import { LateCopies, type LateCopy } from './late-copies.ts'
import type { LeaseNumbers } from './lease-numbers.ts'
import { type Lease, LeaseTable, type LiveArea } from './lease-table.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from './limits.ts'
import { Outlook } from './outlook.ts'
import { OwnRowStealing, type Stealing } from './own-row-stealing.ts'
import { RowStealing } from './row-stealing.ts'
import { strips } from './strips.ts'
import { TileQueues } from './tile-queues.ts'

export class FrameSchedule {
  readonly #limits: SchedulerLimits
  readonly #plan: Pick<Plan, 'ahead' | 'duplicates' | 'stealing'>
  readonly #queues: TileQueues
  readonly #stealing: Stealing | undefined
  /** Set if the plan needs to know how long tiles take. */
  readonly #outlook: Outlook | undefined
  readonly #leases = new LeaseTable()
  readonly #copies: LateCopies
  readonly #suspicion: Suspicion
  readonly #aside = new Set<AreaId>()
  /** Areas that may be gone. */
  #quiet: ReadonlySet<AreaId> = new Set()
  /** Areas that lost a tile during the current event and may be idle; served at its end. */
  readonly #freed = new Set<LiveArea>()
  #orphaned = false
  #settled = false
  readonly #numbers: LeaseNumbers
  /** Tiles that were returned to the queue. Nobody else writes to these three. */
  rescued = 0
  /** How often an idle worker took work from another. */
  stolen = 0
  /** How often rows of a late tile were given to a second worker. */
  duplicated = 0
  #status: 'tracing' | 'complete' | 'failed' = 'tracing'

  /**
   * @param workers areas that may be given tiles, in the order in which they are served; those of speed 0 get none
   * @param numbers source of lease numbers, never reused, so that stragglers are recognised
   * @param identify says who an area is @default it is new, and so is its worker
   */
  constructor(
    plan: Plan,
    workers: readonly AreaShare[],
    numbers: LeaseNumbers,
    limits: SchedulerLimits = DEFAULT_LIMITS,
    identify?: Identify,
  ) {
    this.#limits = limits
    this.#plan = plan
    this.#numbers = numbers
    const awake = workingShares(workers).filter(({ id }) => !plan.resting?.includes(id))
    for (const { id } of awake) this.#leases.welcome(id, 0)
    const workersOf = new Map(workers.flatMap(({ id, workerId }) => (workerId ? [[id, workerId] as const] : [])))
    this.#suspicion = new Suspicion(this.#leases.areas, identify ?? newcomers(workersOf))
    this.#copies = new LateCopies(plan.duplicates, workersOf, this.#suspicion, this.#leases)
    this.#queues = new TileQueues(plan.tiles, id => this.#leases.areas.has(id))
    if (plan.stealing === 'rows') this.#stealing = new RowStealing(plan, awake, limits)
    if (plan.stealing === 'own-rows') this.#stealing = new OwnRowStealing(plan, awake, limits)
    if (plan.duplicates || plan.ahead !== undefined)
      this.#outlook = new Outlook(new Expectations(plan, workers), limits)
  }

  get status(): 'tracing' | 'complete' | 'failed' {
    return this.#status
  }

  /** Workers that may be given tiles. */
  get live(): ReadonlySet<AreaId> {
    return new Set(this.#leases.areas.keys())
  }

  /** Whether any area is idle, or will be before an order could reach it. */
  isSpare(now: number): boolean {
    return this.#queues.size === 0 && (this.#stealing?.isDry(now) || this.#leases.idle().length > 0)
  }

  /** Idle areas now have other work: leased tiles and rows are no longer moved or copied. */
  settle(): void {
    this.#settled = true
  }

  /** Open leases with their workers. */
  *open(): Generator<readonly [LeaseId, AreaId]> {
    for (const { id, area } of this.#leases.all()) yield [id, area]
  }

  /** When it needs a tick even if nothing happens before, ms on the clock of `now`. */
  get wakeAt(): number | undefined {
    return this.#status === 'tracing' ? this.#stealing?.wakeAt : undefined
  }

  /** Hands out the first tiles. Called once, before any event. @param quiet as in the event */
  begin(now: number, quiet: ReadonlySet<AreaId> = new Set()): Action[] {
    this.#quiet = quiet
    const actions: Action[] = []
    this.#serveAll(this.#leases.areas.values(), actions, now)
    return this.#settle(actions, now)
  }

  /** Maps an event to actions. `now` in ms on the master's clock. */
  happened(event: ClusterEvent, now: number): Action[] {
    if (this.#status !== 'tracing') return event.type === 'tile-done' ? [{ type: 'drop', lease: event.lease }] : []
    const actions: Action[] = []
    const area = 'worker' in event ? this.#leases.present(event.worker) : undefined
    if (area) area.signAt = now
    switch (event.type) {
      case 'tile-progress':
        return []
      case 'worker-ready':
        if (!this.#orphaned || area) return []
        // Better one that has failed than none.
        if (this.#leases.areas.size > 0 && this.#aside.has(event.worker)) return []
        this.#aside.delete(event.worker)
        this.#leases.welcome(event.worker, now)
        this.#serveIdle(actions, now)
        break
      case 'worker-lost':
      case 'worker-leaving':
        if (!area) return []
        this.#dismiss(area, false, actions, now, event.type === 'worker-leaving' ? event.keeps : undefined)
        this.#serveIdle(actions, now)
        break
      case 'worker-aside':
        if (!this.#leases.isOneOfSeveral(area)) return []
        this.#dismiss(area, true, actions, now)
        this.#serveIdle(actions, now)
        break
      case 'tile-done':
        this.#done(event, actions, now)
        break
      case 'tile-failed': {
        const lease = this.#leases.find(event.lease, event.worker)
        if (lease) this.#failed(lease, event.reason, actions, now)
        break
      }
      case 'quiet':
        this.#helpQuiet(event.areas, actions, now)
        break
      case 'tick':
        this.#lookAround(actions, now)
    }
    return this.#settle(actions, now)
  }

  #done(
    { worker, lease: id, from, to, more, tookMs, tracedMs }: Extract<ClusterEvent, { type: 'tile-done' }>,
    actions: Action[],
    now: number,
  ): void {
    const lease = this.#leases.find(id, worker)
    if (!lease) {
      actions.push({ type: 'drop', lease: id })
      return
    }
    const area = this.#leases.present(worker)!
    const { rect } = lease.tile
    const end = rect.y + rect.h
    if (from !== rect.y || (to < end && !more))
      return this.#failed(lease, `sent rows ${from} to ${to} of rows ${rect.y} to ${end}`, actions, now)
    // Rows that were given away while being traced arrive twice: the frame takes the other worker's copy.
    const tile = { ...lease.tile, rect: { ...rect, h: Math.min(to, end) - from } }
    actions.push({ type: 'accept', lease: id, tile })
    if (area.held[0] === lease) this.#outlook?.traced(area, tile, now, tookMs)
    this.#release(lease, actions, now)
    for (const copy of lease.copies) if (copy.tile.rect.y < to) this.#cancel(copy, actions, now)
    if (more && to < end) {
      lease.tile = { ...lease.tile, rect: { ...rect, y: to, h: end - to } }
      if (area.held[0] === lease) area.begunAt = now
      this.#stealing?.progressed(id, to, now, tookMs, tracedMs)
      return
    }
    this.#leases.close(lease, now)
    this.#stealing?.ended(id, now, tookMs, tracedMs)
    for (const { area: id, who, reason, isGuilty } of this.#suspicion.traced(lease.blames, worker)) {
      actions.push({ type: 'blame', who: who.area, reason })
      if (isGuilty) this.#accuse(id, reason, actions, now)
    }
    // Areas may have been cleared of suspicion.
    if (lease.blames.length > 0) this.#serveIdle(actions, now)
    if (this.#leases.areas.has(worker)) this.#serveAll([area], actions, now)
  }

  #failed(lease: Lease, reason: string, actions: Action[], now: number): void {
    const { area, tile } = lease
    this.#release(lease, actions, now)
    const blames = this.#suspicion.failed(lease.blames, area, reason)
    const failure = this.#suspicion.verdict(blames, this.#limits.maxFailures)
    if (failure !== undefined) {
      this.#status = 'failed'
      const what = `tile ${formatRect(tile.rect)} ${failure}, last on ${area}: ${reason}`
      return void actions.push({ type: 'frame-failed', reason: what, tile })
    }
    // The failing row is unknown.
    for (const copy of lease.copies) copy.blames = blames
    this.#giveBack(lease, blames, now)
    this.#serveIdle(actions, now)
    const live = this.#leases.areas.get(area)
    if (live) this.#serveAll([live], actions, now)
  }

  /** Other areas have traced too many of the tiles that this one failed. */
  #accuse(id: AreaId, reason: string, actions: Action[], now: number): void {
    const area = this.#leases.areas.get(id)
    if (!this.#leases.isOneOfSeveral(area)) return
    this.#setAside(area, `it failed tiles that others traced, most recently: ${reason}`, 'failures', actions, now)
  }

  #setAside(area: LiveArea, reason: string, cause: AsideCause, actions: Action[], now: number): void {
    actions.push({ type: 'set-aside', area: area.id, reason, cause })
    this.#dismiss(area, true, actions, now)
  }

  /** Removes an area and frees its tiles, but for the rows above those of `keeps`. `aside`: it is connected, and told; of copies always. */
  #dismiss(area: LiveArea, aside: boolean, actions: Action[], now: number, keeps?: Keeps): void {
    if (aside) this.#aside.add(area.id)
    const { ended, back } = this.#leases.dismiss(area, now, keeps)
    this.#queues.orphan(area.id)
    this.#stealing?.lost(area.id)
    this.#orphaned ||= this.#leases.areas.size === 0
    for (const { id } of ended)
      if (aside || keeps?.has(id)) actions.push({ type: 'cancel', worker: area.id, lease: id })
    for (const { pieces, blames } of back) this.#requeue(pieces, blames)
  }

  #giveBack(lease: Lease, blames: readonly Blame[], now: number): void {
    this.#requeue(this.#leases.alone(lease), blames)
    this.#leases.close(lease, now)
    this.#stealing?.dropped(lease.id, now)
  }

  /** Returns leased pixels to the queue, in strips that all able live workers can share, open to any area. */
  #requeue(pieces: readonly PixelSet[], blames: readonly Blame[]): void {
    const able = [...this.#leases.areas.keys()].filter(id => this.#suspicion.mayTrace(blames, id)).length
    for (const piece of pieces)
      this.#queues.giveToAnyone(strips(piece, Math.max(1, able)).map(strip => ({ ...strip, blames })))
    this.rescued++
  }

  /** Rows of a copy arrived or failed: the original is no longer wanted for them or for any rows below. */
  #release(copy: Lease, actions: Action[], now: number): void {
    const released = this.#leases.release(copy)
    if (!released) return
    const { original, rest, left } = released
    this.#queues.giveToAnyone(left.map(tile => ({ ...tile, blames: original.blames })))
    if (left.length > 0) for (const area of this.#leases.idle()) this.#freed.add(area)
    if (!rest) return this.#cancel(original, actions, now)
    const { y, h } = rest.rect
    actions.push({ type: 'trim', worker: original.area, lease: original.id, rows: y + h - original.top })
    this.#stealing?.shorten(original.id, y + h)
  }

  /** No rows of the lease are wanted any more. */
  #cancel(lease: Lease, actions: Action[], now: number): void {
    actions.push({ type: 'cancel', worker: lease.area, lease: lease.id })
    this.#leases.close(lease, now)
    this.#stealing?.dropped(lease.id, now)
    const area = this.#leases.areas.get(lease.area)
    if (area) this.#freed.add(area)
  }

  /** Time passed: hung areas are set aside, and idle ones help those that are late. */
  #lookAround(actions: Action[], now: number): void {
    const hung = this.#leases.silent(now, this.#limits.silentAfterMs)
    for (const area of hung) {
      const reason = `it reported no progress on its tile for ${(now - area.signAt) / 1000} s`
      this.#setAside(area, reason, 'silence', actions, now)
    }
    if (hung.length > 0 || this.#outlook) this.#serveIdle(actions, now)
    if (this.#outlook && !this.#settled) this.#copy(this.#copies.ofLate(this.#outlook, now), actions, now)
  }

  /** Areas that may be gone get nothing more: whoever is idle takes what waits for them, and copies what they hold. */
  #helpQuiet(quiet: ReadonlySet<AreaId>, actions: Action[], now: number): void {
    this.#quiet = quiet
    this.#serveIdle(actions, now)
    this.#copy(this.#copies.ofQuiet(quiet), actions, now)
  }

  /** Has rows of leases traced a second time. */
  #copy(copies: readonly LateCopy[], actions: Action[], now: number): void {
    for (const { lease, area, tile } of copies) {
      const copy = this.#lease(this.#leases.areas.get(area)!, tile, lease.blames, actions, now, 1)
      this.#leases.relate(copy, lease)
      this.#stealing?.pin(copy.id)
      this.#stealing?.pin(lease.id)
      this.duplicated++
    }
  }

  #serveIdle(actions: Action[], now: number): void {
    this.#serveAll(this.#leases.idle(), actions, now)
  }

  #serveAll(areas: Iterable<LiveArea>, actions: Action[], now: number): void {
    const served = [...areas]
    const { ahead } = this.#plan
    const most = ahead === undefined ? this.#limits.leasesPerWorker : 1 + ahead
    for (let depth = 1; depth <= most; depth++) for (const area of served) this.#serve(area, depth, actions, now)
  }

  /** Gives an area that holds fewer than `depth` tiles one more, preferring those planned for it. */
  #serve(area: LiveArea, depth: number, actions: Action[], now: number): void {
    const { id, held } = area
    if (held.length >= depth || this.#quiet.has(id)) return
    const isIdle = held.length === 0
    const { ahead, stealing } = this.#plan
    const isTrusted = this.#suspicion.mayTake(id, [])
    // Unless the plan sets `ahead`, unowned tiles go to idle workers only: they would just wait at a busy one.
    const takesOthers = isTrusted && (isIdle || ahead !== undefined)
    let tile = isTrusted ? this.#queues.nextOf(id) : undefined
    if (!tile && takesOthers) tile = this.#queues.nextForAnyone()
    if (!tile && isIdle) tile = this.#queues.nextReturned(blames => this.#suspicion.mayTake(id, blames))
    if (!tile && takesOthers && stealing && stealing !== 'own-rows' && this.#queues.shareOfBusiest(id)) {
      this.stolen++
      tile = this.#queues.nextOf(id)
    }
    if (!tile && isIdle && isTrusted) tile = this.#queues.lastOf(this.#quiet)
    if (tile) {
      const { blames, worker: _, ...pixels } = tile
      this.#lease(area, pixels, blames, actions, now)
    } else if (isIdle) this.#takeWaiting(area, actions, now)
  }

  /** An idle area takes over a tile that waits at another, if it can start it sooner. */
  #takeWaiting(thief: LiveArea, actions: Action[], now: number): void {
    if (!this.#outlook || !this.#leases.stocked || this.#settled) return
    const onlyLate = this.#plan.ahead === undefined
    const lease = this.#outlook.longestWaiting(this.#leases.areas.values(), onlyLate, now, blames =>
      this.#suspicion.mayTake(thief.id, blames),
    )
    if (!lease) return
    actions.push({ type: 'cancel', worker: lease.area, lease: lease.id })
    this.#leases.close(lease, now)
    this.#stealing?.dropped(lease.id, now)
    this.stolen++
    this.#lease(thief, lease.tile, lease.blames, actions, now)
  }

  #lease(
    area: LiveArea,
    tile: PixelSet,
    blames: readonly Blame[],
    actions: Action[],
    now: number,
    factor?: number,
  ): Lease {
    const id = this.#numbers()
    const lease = this.#leases.open(id, area, tile, blames, now)
    const part = this.#stealing?.began(id, area.id, tile, now, factor)
    if (blames.length > 0) this.#stealing?.pin(id)
    actions.push({ type: 'trace', worker: area.id, lease: id, tile, ...(part ? { part } : {}) })
    return lease
  }

  /** Lets workers that run dry steal rows, and checks whether the frame is complete. */
  #settle(actions: Action[], now: number): Action[] {
    if (this.#status !== 'tracing') return actions
    if (this.#freed.size > 0) {
      const freed = [...this.#freed].filter(({ id }) => this.#leases.areas.has(id))
      this.#freed.clear()
      this.#serveAll(freed, actions, now)
    }
    const able = (id: AreaId): boolean => this.#suspicion.mayTake(id, [])
    const next = () => (this.#settled ? undefined : this.#stealing?.next(now, able))
    for (let steal = next(); steal; steal = next()) {
      const lease = this.#leases.get(steal.lease)
      const thief = this.#leases.areas.get(steal.thief)
      invariant(thief, 'only live workers can take rows')
      const { rect } = lease.tile
      const [kept, taken] = splitRect(rect, 'y', steal.row - rect.y)
      lease.tile = { ...lease.tile, rect: kept }
      actions.push({ type: 'trim', worker: lease.area, lease: lease.id, rows: steal.row - steal.top })
      this.stolen++
      this.#lease(thief, { ...lease.tile, rect: taken }, lease.blames, actions, now, steal.factor)
    }
    if (this.#leases.size === 0 && this.#queues.size === 0) {
      this.#status = 'complete'
      actions.push({ type: 'frame-complete' })
    }
    return actions
  }
}
