/**
 * Decides which area traces what: the heart of a frame. It receives events and returns actions; sockets, pixels and
 * clocks are elsewhere, so the simulator runs the same schedule. At any time, every pixel of the plan is waiting in a
 * queue, leased to an area (or to two if the first is late), or done. A tile whose area is lost, hangs or fails goes
 * back to the queue, and is cut into strips for all areas that can take one. Every event but a tick costs time in proportion to
 * what it changes, never to the size of the plan or the cluster; row stealing looks at all areas now and then (`finish-survey.ts`).
 */

import type { StealReport } from '../../shared/frame/frame-report.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import { formatRect } from '../../shared/frame/rect.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { AreaShare, Plan } from '../strategies/strategy.ts'
import { type Identify, Suspicion } from './blame.ts'
import { Dispatch, type Step } from './dispatch.ts'
import type { Action, ClusterEvent, Keeps } from './events.ts'
import { Expectations } from './expectations.ts'
import { KnownAreas } from './known-areas.ts'
import { LateCopies } from './late-copies.ts'
import type { LeaseNumbers } from './lease-numbers.ts'
import { type Lease, LeaseTable, type LiveArea } from './lease-table.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from './limits.ts'
import { Outlook } from './outlook.ts'
import { OwnRowStealing, type Stealing } from './own-row-stealing.ts'
import { RowStealing } from './row-stealing.ts'
import { Silence } from './silence.ts'
import { TileQueues } from './tile-queues.ts'

export class FrameSchedule {
  readonly #limits: SchedulerLimits
  readonly #plan: Pick<Plan, 'ahead' | 'stealing'>
  readonly #known: KnownAreas
  readonly #expectations: Expectations
  readonly #silence: Silence
  readonly #queues: TileQueues
  readonly #leases = new LeaseTable()
  readonly #stealing: Stealing | undefined
  /** Set if the plan needs to know how long tiles take. */
  readonly #outlook: Outlook | undefined
  readonly #suspicion: Suspicion
  readonly #copies: LateCopies
  readonly #dispatch: Dispatch
  /** Areas that are gone, and that no newcomer has made up for. */
  #missing = 0
  #status: 'tracing' | 'complete' | 'failed' = 'tracing'

  /**
   * @param areas those that may be given tiles, in the order in which they are served; those of speed 0 get none
   * @param numbers source of lease numbers, never reused, so that stragglers are recognised
   * @param identify says who an area is @default it is new, and so is its worker
   */
  constructor(
    plan: Plan,
    areas: readonly AreaShare[],
    numbers: LeaseNumbers,
    limits: SchedulerLimits = DEFAULT_LIMITS,
    identify?: Identify,
  ) {
    this.#limits = limits
    this.#plan = plan
    this.#known = new KnownAreas(plan, identify)
    const awake = areas.map(share => this.#known.planned(share)).filter(share => this.#known.isAwake(share))
    for (const { id } of awake) this.#leases.welcome(id, 0)
    this.#suspicion = new Suspicion(this.#leases, this.#known.identify)
    this.#copies = new LateCopies(plan.duplicates, this.#known, this.#suspicion, this.#leases)
    this.#queues = new TileQueues(plan.tiles, id => this.#leases.areas.has(id))
    const costs = plan.predicted?.field()
    if (plan.stealing === 'rows') this.#stealing = new RowStealing(plan, awake, limits, costs)
    if (plan.stealing === 'own-rows') this.#stealing = new OwnRowStealing(plan, awake, limits, costs)
    this.#expectations = new Expectations(costs, this.#known)
    this.#silence = new Silence(this.#leases, this.#expectations, this.#known, limits.silentAfterMs)
    if (plan.duplicates || plan.ahead !== undefined) this.#outlook = new Outlook(this.#expectations, limits)
    this.#dispatch = new Dispatch({
      plan,
      limits,
      numbers,
      leases: this.#leases,
      queues: this.#queues,
      suspicion: this.#suspicion,
      stealing: this.#stealing,
      expectations: this.#expectations,
      outlook: this.#outlook,
    })
  }

  get status(): 'tracing' | 'complete' | 'failed' {
    return this.#status
  }

  /** How long its areas may be silent, by what it has seen of them, ms. */
  get patienceMs(): number {
    return this.#silence.patienceMs
  }

  /** Tiles that were returned to the queue. */
  get rescued(): number {
    return this.#dispatch.rescued
  }

  /** How often an idle area took work from another. */
  get stolen(): number {
    return this.#dispatch.stolen
  }

  /** The last of these. */
  get steals(): readonly StealReport[] {
    return this.#dispatch.steals
  }

  /** What is predicted of these pixels, for a worker of speed 1, in the unit of the plan's predictions; nothing without any. */
  predicted(pixels: PixelSet): { readonly predicted?: number } {
    const predicted = this.#expectations.predicted(pixels)
    return predicted === undefined ? {} : { predicted }
  }

  /** How often rows of a late tile were given to a second area. */
  get duplicated(): number {
    return this.#dispatch.duplicated
  }

  /** Areas that may be given tiles: a live view. */
  get live(): ReadonlySet<AreaId> {
    return this.#leases.live
  }

  /** Whether any area is idle, or will be before an order could reach it. */
  isSpare(now: number): boolean {
    return this.#queues.size === 0 && (this.#stealing?.isDry(now) || this.#leases.idle.size > 0)
  }

  /** Idle areas now have other work: leased tiles and rows are no longer moved or copied. */
  settle(): void {
    this.#dispatch.isSettled = true
  }

  /** Those of them that hold no tile. */
  *idle(): Generator<AreaId> {
    for (const { id } of this.#leases.idle) yield id
  }

  /** Open leases with their areas. */
  *open(): Generator<readonly [LeaseId, AreaId]> {
    for (const { id, area } of this.#leases.all()) yield [id, area]
  }

  /** When it needs a tick even if nothing happens before, ms on the clock of `now`. */
  get wakeAt(): number | undefined {
    return this.#status === 'tracing' ? this.#stealing?.wakeAt : undefined
  }

  /** Hands out the first tiles. Called once, before any event. @param quiet as in the event */
  begin(now: number, quiet: ReadonlySet<AreaId> = new Set()): Action[] {
    this.#dispatch.quiet = quiet
    const step = { now, actions: [] }
    this.#dispatch.serve(this.#leases.areas.values(), step)
    return this.#conclude(step)
  }

  /** Maps an event to actions. `now` in ms on the master's clock. */
  happened(event: ClusterEvent, now: number): Action[] {
    if (this.#status !== 'tracing') return event.type === 'tile-done' ? [{ type: 'drop', lease: event.lease }] : []
    const step: Step = { now, actions: [] }
    const area = 'area' in event ? this.#leases.present(event.area) : undefined
    if (area) this.#leases.heard(area, now)
    switch (event.type) {
      case 'tile-progress':
        if (!area) this.#heardAfterAll(event.area, step)
        return step.actions
      case 'area-ready':
        // One that rests is better than none.
        if (area || (this.#leases.areas.size > 0 && !this.#known.isAwake(event.share))) return []
        this.#giveUp(event.area, this.#silence.forget(event.area), step)
        this.#welcome(event.share, step)
        break
      case 'area-lost':
      case 'area-leaving':
        this.#silence.forget(event.area)
        if (!area) return []
        this.#dismiss(area, false, step, event.type === 'area-leaving' ? event.keeps : undefined)
        this.#dispatch.serveIdle(step)
        break
      case 'area-quarantined':
        if (!this.#leases.isOneOfSeveral(area)) return []
        this.#dismiss(area, true, step)
        this.#dispatch.serveIdle(step)
        break
      case 'tile-done':
        this.#done(event, step)
        break
      case 'tile-failed': {
        const lease = this.#leases.find(event.lease, event.area)
        if (lease) this.#failed(lease, event.reason, step)
        else if (!area) this.#heardAfterAll(event.area, step)
        break
      }
      case 'quiet':
        this.#helpQuiet(event.areas, step)
        break
      case 'tick':
        this.#lookAround(step)
    }
    return this.#conclude(step)
  }

  #done(
    { area: holder, lease: id, from, to, more, tookMs, tracedMs }: Extract<ClusterEvent, { type: 'tile-done' }>,
    step: Step,
  ): void {
    const { now, actions } = step
    const lease = this.#leases.find(id, holder)
    if (!lease) {
      actions.push({ type: 'drop', lease: id })
      if (!this.#leases.present(holder)) this.#heardAfterAll(holder, step, more ? undefined : id)
      return
    }
    const area = this.#leases.present(holder)!
    const { rect } = lease.tile
    const end = rect.y + rect.h
    if (from !== rect.y || (to < end && !more))
      return this.#failed(lease, `sent rows ${from} to ${to} of rows ${rect.y} to ${end}`, step)
    // Rows that were given away while being traced arrive twice: the frame takes the other area's copy.
    const tile = { ...lease.tile, rect: { ...rect, h: Math.min(to, end) - from } }
    actions.push({ type: 'accept', lease: id, tile })
    if (area.held[0] === lease)
      this.#expectations.traced(holder, tile, Math.min(now - area.begunAt, tookMs ?? Infinity))
    this.#dispatch.release(lease, step)
    for (const copy of lease.copies) if (copy.tile.rect.y < to) this.#dispatch.cancel(copy, step)
    if (more && to < end) {
      lease.tile = { ...lease.tile, rect: { ...rect, y: to, h: end - to } }
      if (area.held[0] === lease) area.begunAt = now
      this.#stealing?.progressed(id, to, now, tookMs, tracedMs)
      return
    }
    this.#leases.close(lease, now)
    this.#stealing?.ended(id, now, tookMs, tracedMs)
    for (const { area: id, who, reason, isGuilty } of this.#suspicion.traced(lease.blames, holder)) {
      actions.push({ type: 'blame', who: who.area, reason })
      if (isGuilty) this.#accuse(id, reason, step)
    }
    // Areas may have been cleared of suspicion.
    if (lease.blames.length > 0) this.#dispatch.serveIdle(step)
    if (this.#leases.areas.has(holder)) this.#dispatch.serve([area], step)
  }

  #failed(lease: Lease, reason: string, step: Step): void {
    const { area, tile } = lease
    this.#dispatch.release(lease, step)
    const blames = this.#suspicion.failed(lease.blames, area, reason)
    const failure = this.#suspicion.verdict(blames, this.#limits.maxFailures)
    if (failure !== undefined) {
      this.#status = 'failed'
      const what = `tile ${formatRect(tile.rect)} ${failure}, last on ${area}: ${reason}`
      return void step.actions.push({ type: 'frame-failed', reason: what, tile })
    }
    // The failing row is unknown.
    for (const copy of lease.copies) copy.blames = blames
    this.#dispatch.giveBack(lease, blames, step)
    this.#dispatch.serveIdle(step)
    const live = this.#leases.areas.get(area)
    if (live) this.#dispatch.serve([live], step)
  }

  /** Other areas have traced too many of the tiles that this one failed. */
  #accuse(id: AreaId, reason: string, step: Step): void {
    const area = this.#leases.areas.get(id)
    if (!this.#leases.isOneOfSeveral(area)) return
    const what = `it failed tiles that others traced, most recently: ${reason}`
    step.actions.push({ type: 'quarantine', area: id, reason: what, cause: 'failures' })
    this.#dismiss(area, true, step)
  }

  /** An area that was quarantined for its silence is alive. @param done what it has no more of */
  #heardAfterAll(area: AreaId, step: Step, done?: LeaseId): void {
    const leases = this.#silence.answered(area, step.now)
    if (!leases) return
    step.actions.push({ type: 'lift-quarantine', area })
    this.#giveUp(
      area,
      leases.filter(lease => lease !== done),
      step,
    )
  }

  /** What an area may be at was given to others. */
  #giveUp(area: AreaId, leases: readonly LeaseId[], { actions }: Step): void {
    for (const lease of leases) actions.push({ type: 'cancel', area, lease })
  }

  /**
   * An area joined or returned. It takes what waits; rows, or half of the tiles of another, if the plan lets areas steal. Any other plan has
   * nothing for it but what others cannot start yet; if areas are gone, one newcomer for each of them copies half of a tile in flight.
   */
  #welcome(share: AreaShare, step: Step): void {
    const area = this.#leases.welcome(share.id, step.now, true)
    const known = this.#known.welcome(share)
    this.#suspicion.joined(share.id)
    this.#stealing?.joined(known, step.now)
    this.#dispatch.serveIdle(step)
    this.#dispatch.moveRows(step)
    if (this.#missing === 0) return
    this.#missing--
    const { ahead, stealing } = this.#plan
    if (area.held.length > 0 || ahead !== undefined || (stealing && stealing !== 'own-rows')) return
    const copy = this.#copies.ofLargest(share.id)
    if (copy) this.#dispatch.copy([copy], step)
  }

  /**
   * Removes an area and frees its tiles, but for the rows above those of `keeps`. Returns its leases that ended.
   * @param isTold whether it is there, and told what it need not answer; of what it was to keep always
   */
  #dismiss(area: LiveArea, isTold: boolean, step: Step, keeps?: Keeps): LeaseId[] {
    if (this.#leases.areas.has(area.id)) this.#missing++
    const { ended, back } = this.#leases.dismiss(area, step.now, keeps)
    const leases = ended.map(({ id }) => id)
    this.#suspicion.left(area.id)
    this.#queues.orphan(area.id)
    this.#stealing?.lost(area.id)
    this.#giveUp(
      area.id,
      leases.filter(id => isTold || keeps?.has(id)),
      step,
    )
    for (const { pieces, blames } of back) this.#dispatch.requeue(pieces, blames)
    return leases
  }

  /** Time passed: hung areas are quarantined, and idle ones help those that are late. */
  #lookAround(step: Step): void {
    const { now, actions } = step
    const hanging = this.#silence.hanging(now)
    for (const area of hanging) {
      const reason = `it reported no progress on its tile for ${(now - area.signAt) / 1000} s`
      actions.push({ type: 'quarantine', area: area.id, reason, cause: 'silence' })
      this.#silence.quarantined(area, this.#dismiss(area, false, step))
    }
    if (hanging.length > 0 || this.#outlook) this.#dispatch.serveIdle(step)
    if (this.#outlook && !this.#dispatch.isSettled) this.#dispatch.copy(this.#copies.ofLate(this.#outlook, now), step)
  }

  /** Areas that may be gone get nothing more: idle areas take what waits for them, and copy what they hold. */
  #helpQuiet(quiet: ReadonlySet<AreaId>, step: Step): void {
    this.#dispatch.quiet = quiet
    this.#dispatch.serveIdle(step)
    this.#dispatch.copy(this.#copies.ofQuiet(quiet), step)
  }

  /** Serves who became idle, and checks whether the frame is complete. */
  #conclude(step: Step): Action[] {
    const { actions } = step
    if (this.#status !== 'tracing') return actions
    this.#dispatch.serveFreed(step)
    this.#dispatch.moveRows(step)
    if (this.#leases.size === 0 && this.#queues.size === 0) {
      this.#status = 'complete'
      for (const [area, lease] of this.#silence.left()) actions.push({ type: 'cancel', area, lease })
      actions.push({ type: 'frame-complete' })
    }
    return actions
  }
}
