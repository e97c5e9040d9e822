/**
 * Gives tiles to areas, moves them and takes them back, with the bookkeeping that this takes: the queues of what waits, the leases of
 * what is in flight, and the predictions for rows. When to do what is decided by the frame's schedule.
 */
import { invariant } from '../../shared/errors.ts'
import { MOST_STEALS, type StealReport } from '../../shared/frame/frame-report.ts'
import { hasPixels, type PixelSet } from '../../shared/frame/pixel-set.ts'
import { splitRect } from '../../shared/frame/rect.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { Plan } from '../strategies/strategy.ts'
import type { Blame, Suspicion } from './blame.ts'
import type { Action } from './events.ts'
import type { Expectations } from './expectations.ts'
import type { LateCopy } from './late-copies.ts'
import type { LeaseNumbers } from './lease-numbers.ts'
import type { Lease, LeaseTable, LiveArea } from './lease-table.ts'
import type { SchedulerLimits } from './limits.ts'
import type { Outlook } from './outlook.ts'
import type { Stealing } from './own-row-stealing.ts'
import { TileChoice } from './tile-choice.ts'
import type { TileQueues } from './tile-queues.ts'

/** One event: when it happened, ms on the master's clock, and what is done about it so far. */
export interface Step {
  readonly now: number
  readonly actions: Action[]
}

export interface DispatchParts {
  readonly plan: Pick<Plan, 'ahead' | 'stealing'>
  readonly limits: Pick<SchedulerLimits, 'leasesPerWorker' | 'roundTripMs'>
  readonly numbers: LeaseNumbers
  readonly leases: LeaseTable
  readonly queues: TileQueues
  readonly suspicion: Suspicion
  readonly expectations: Expectations
  /** Set if the plan lets rows move. */
  readonly stealing: Stealing | undefined
  /** Set if the plan needs to know how long tiles take. */
  readonly outlook: Outlook | undefined
}

export class Dispatch {
  readonly #parts: DispatchParts
  readonly #choice: TileChoice
  /** Tiles that an area may hold at once. */
  readonly #depth: number
  /** Areas that lost a tile during the current event and may be idle; served at its end. */
  readonly #freed = new Set<LiveArea>()
  /** The event in which no tile was found that is worth taking over. */
  #fruitless: Step | undefined
  /** Areas that may be gone. */
  quiet: ReadonlySet<AreaId> = new Set()
  /** Whether idle areas have other work: then leased tiles and rows are no longer moved or copied. */
  isSettled = false
  /** Tiles that were returned to the queue. Nobody else writes to these. */
  rescued = 0
  /** How often an idle area took work from another. */
  stolen = 0
  /** The last of these. */
  readonly steals: StealReport[] = []
  /** How often rows of a late tile were given to a second area. */
  duplicated = 0

  constructor(parts: DispatchParts) {
    const { plan, limits } = parts
    this.#parts = parts
    this.#choice = new TileChoice(parts)
    this.#depth = plan.ahead === undefined ? limits.leasesPerWorker : 1 + plan.ahead
  }

  serveIdle(step: Step): void {
    const { leases, queues, outlook, suspicion } = this.#parts
    if (queues.size === 0 && !(outlook && leases.stocked.size > 0)) return
    // Of thousands that are suspected, none may have what waits unless it has failed on all others.
    const required = suspicion.requiredOfSuspects
    const isForSuspects = required === undefined || queues.hasFailedOn(required)
    this.serve(isForSuspects ? leases.idle : leases.idleTrusted, step)
  }

  /** Gives areas what waits, in turn, up to as many tiles as each may hold. */
  serve(areas: Iterable<LiveArea>, step: Step): void {
    const served = [...areas]
    for (let depth = 1; depth <= this.#depth; depth++) for (const area of served) this.#serveOne(area, depth, step)
  }

  /** Those that lost a tile during this event. */
  serveFreed(step: Step): void {
    if (this.#freed.size === 0) return
    const freed = [...this.#freed].filter(({ id }) => this.#parts.leases.areas.has(id))
    this.#freed.clear()
    this.serve(freed, step)
  }

  /** Gives an area that holds fewer than `depth` tiles one more. */
  #serveOne(area: LiveArea, depth: number, step: Step): void {
    const { id, held } = area
    if (held.length >= depth || this.quiet.has(id)) return
    const chosen = this.#choice.next(area, this.quiet)
    if (chosen) {
      if (chosen.isStolen) this.stolen++
      const { blames, worker: _, ...pixels } = chosen.tile
      this.#lease(area, pixels, blames, step)
    } else if (held.length === 0) this.#takeWaiting(area, step)
  }

  /** An idle area takes over a tile that waits at another, if it can start it sooner. */
  #takeWaiting(thief: LiveArea, step: Step): void {
    const { plan, leases, outlook, suspicion } = this.#parts
    if (!outlook || leases.stocked.size === 0 || this.isSettled) return
    // What no area is given now is not for the next one either. Pixels that have failed are given to idle areas only: they never wait behind others.
    if (this.#fruitless === step || !suspicion.mayTake(thief.id, [])) return
    const onlyLate = plan.ahead === undefined
    const lease = outlook.longestWaiting(leases.stocked, onlyLate, step.now, blames =>
      suspicion.mayTake(thief.id, blames),
    )
    if (!lease) {
      this.#fruitless = step
      return
    }
    this.#end(lease, step)
    this.#stole({ at: step.now, from: lease.area, to: thief.id, rect: lease.tile.rect })
    this.#lease(thief, lease.tile, lease.blames, step)
  }

  /** Lets areas that run dry take rows from those that will be late. */
  moveRows(step: Step): void {
    const { stealing, leases, queues, suspicion } = this.#parts
    // As long as tiles wait for any area, none runs dry.
    if (!stealing || this.isSettled || queues.hasCommon) return
    const able = (id: AreaId): boolean => suspicion.mayTake(id, [])
    for (let steal = stealing.next(step.now, able); steal; steal = stealing.next(step.now, able)) {
      const lease = leases.get(steal.lease)
      const thief = leases.areas.get(steal.thief)
      invariant(thief, 'only live areas can take rows')
      const { rect } = lease.tile
      const [kept, taken] = splitRect(rect, 'y', steal.row - rect.y)
      lease.tile = { ...lease.tile, rect: kept }
      step.actions.push({ type: 'trim', area: lease.area, lease: lease.id, rows: steal.row - steal.top })
      this.#stole({ at: step.now, from: lease.area, to: thief.id, rect: taken })
      this.#lease(thief, { ...lease.tile, rect: taken }, lease.blames, step, steal.factor)
    }
  }

  /** Has rows of leases traced a second time. */
  copy(copies: readonly LateCopy[], step: Step): void {
    const { leases, stealing } = this.#parts
    for (const { lease, area, tile } of copies) {
      const copy = this.#lease(leases.areas.get(area)!, tile, lease.blames, step, 1)
      leases.relate(copy, lease)
      stealing?.pin(copy.id)
      stealing?.pin(lease.id)
      this.duplicated++
    }
  }

  #stole(steal: StealReport): void {
    this.stolen++
    this.steals.push(steal)
    if (this.steals.length > MOST_STEALS) this.steals.shift()
  }

  /** Rows of a copy arrived or failed: the original is no longer wanted for them or for any rows below. */
  release(copy: Lease, step: Step): void {
    const { leases, queues, stealing } = this.#parts
    const released = leases.release(copy)
    if (!released) return
    const { original, rest, left } = released
    queues.giveToAnyone(left, original.blames)
    if (left.length > 0) for (const area of leases.idle) this.#freed.add(area)
    if (!rest) return this.cancel(original, step)
    const { y, h } = rest.rect
    step.actions.push({ type: 'trim', area: original.area, lease: original.id, rows: y + h - original.top })
    stealing?.shorten(original.id, y + h)
  }

  /** No rows of the lease are wanted any more. */
  cancel(lease: Lease, step: Step): void {
    this.#end(lease, step)
    const area = this.#parts.leases.areas.get(lease.area)
    if (area) this.#freed.add(area)
  }

  #end(lease: Lease, { actions, now }: Step): void {
    const { leases, stealing } = this.#parts
    actions.push({ type: 'cancel', area: lease.area, lease: lease.id })
    leases.close(lease, now)
    stealing?.dropped(lease.id, now)
  }

  /** A lease ended, and what no other area holds of it waits again. */
  giveBack(lease: Lease, blames: readonly Blame[], { now }: Step): void {
    const { leases, stealing } = this.#parts
    this.requeue(leases.alone(lease), blames)
    leases.close(lease, now)
    stealing?.dropped(lease.id, now)
  }

  /** Returns leased pixels to the queue, for all able areas to share. */
  requeue(pieces: readonly PixelSet[], blames: readonly Blame[]): void {
    this.#parts.queues.giveToAnyone(pieces.filter(hasPixels), blames, true)
    this.rescued++
  }

  #lease(area: LiveArea, tile: PixelSet, blames: readonly Blame[], { actions, now }: Step, factor?: number): Lease {
    const { leases, stealing } = this.#parts
    const id = this.#parts.numbers()
    const lease = leases.open(id, area, tile, blames, now)
    const part = stealing?.began(id, area.id, tile, now, factor)
    if (blames.length > 0) stealing?.pin(id)
    actions.push({ type: 'trace', area: area.id, lease: id, tile, ...(part ? { part } : {}) })
    return lease
  }
}
