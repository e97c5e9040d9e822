/**
 * Row stealing: within a frame, workers that will end early take rows from those that will end late. Every row of a tile has an
 * expected cost, and workers report when they finish the first part of a tile; together these predict when each worker will
 * finish. Rows move once all first parts have arrived, while there is still time to correct a mistake, and again shortly before
 * a worker runs dry, so that the order travels while it is still working. No thief is given more than it can finish by the
 * common end. Expectations are imperfect, or no worker would end early: the ratio of actual to expected cost of a part is
 * applied to the rows below it, including those that are given away; and a worker that is late is expected to be later still.
 */

import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import { area } from '../../shared/frame/rect.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import { type CostField, uniformCosts } from '../costs/cost-field.ts'
import type { AreaShare, Plan } from '../strategies/strategy.ts'
import { batchRows } from './batch-rows.ts'
import { FinishForecast } from './finish-forecast.ts'
import { FinishSurvey, type Survey } from './finish-survey.ts'
import type { SchedulerLimits } from './limits.ts'
import { remaining, type TrackedLease, type TrackedWorker } from './tracked-workers.ts'

/** Rows `row` and below of a lease go to `thief`. `top` is the lease's first row, px of the frame. */
export interface Steal {
  readonly lease: LeaseId
  readonly thief: AreaId
  readonly row: number
  readonly top: number
  /** Ratio of the actual to the expected cost of these rows. */
  readonly factor: number
}

/**
 * What is left of a tile after its first part: this share of its cost, or more for tiles so small that it would be less
 * than `REST_PX` pixels, which workers trace in a handful of batches.
 */
const MIN_REST = 0.2
const MAX_REST = 5 / 16
const REST_PX = 8000
/** Tiles with fewer rows than this are not sent in parts. */
const MIN_PART_ROWS = 8
/** Lead time of a steal before a worker runs dry: this share of the frame so far, at least one round trip. */
const LEAD_SHARE = 0.01
/** Minimum gain for rows to move: this share of the frame's time so far and this many round trips; half of it for the thief. */
const MIN_GAIN_SHARE = 0.004
const MIN_GAIN_TRIPS = 0.1
/**
 * If the next frame may begin before this one is complete, idle workers need not wait for the end: the minimum gain is
 * then this share, and the next frame begins this share of the time so far before a worker runs dry.
 */
const MIN_OVERLAP_GAIN_SHARE = 0.05
const OVERLAP_SHARE = 0.1
/** A newcomer that would have nothing to do for this share of the time so far is given rows whatever that gains. */
const IDLE_SHARE = 0.05
/** After a fruitless search, the next one waits for this share of the minimum gain. */
const REST_SHARE = 0.25
/** If a round trip takes more than this share of the frame so far, a steal would arrive too late. */
const MAX_TRIP_SHARE = 0.2
/** Limit on the factor that a part applies to the rows below it. */
const MAX_FACTOR = 8
/** Limit on steals per frame and worker, beyond which the expectations must be wrong. */
const STEALS_PER_WORKER = 4

/** Rows that are worth moving. */
interface Worth {
  readonly thief: TrackedWorker
  readonly victim: TrackedWorker
  /** Their expected cost. */
  readonly cost: number
  readonly slowdown: number
  /** When to look again if they cannot be moved, ms. */
  readonly lookAt: number
}

export class RowStealing {
  readonly #costs: CostField
  readonly #workers = new Map<AreaId, TrackedWorker>()
  readonly #leases = new Map<LeaseId, TrackedLease>()
  readonly #limits: SchedulerLimits
  #mostSteals = 0
  readonly #partShare: number
  #startedAt: number | undefined
  readonly #forecast: FinishForecast
  readonly #survey: FinishSurvey
  readonly #newcomers = new Set<TrackedWorker>()
  #steals = 0
  #wakeAt: number | undefined
  /** When the next frame may begin, so that its orders reach the first worker to run dry in time, once the load is balanced. */
  #dryAt = Number.POSITIVE_INFINITY
  /** No search before this time. */
  #restUntil = Number.NEGATIVE_INFINITY

  /**
   * @param workers with the speeds that they have
   * @param costs as predicted @default every pixel costs the same
   */
  constructor(
    { tiles }: Pick<Plan, 'tiles'>,
    workers: readonly AreaShare[],
    limits: SchedulerLimits,
    costs: CostField = uniformCosts,
  ) {
    this.#costs = costs
    this.#limits = limits
    this.#forecast = new FinishForecast(limits.roundTripMs)
    this.#survey = new FinishSurvey(this.#forecast, limits.leasesPerWorker)
    const tilePx = tiles.reduce((sum, { rect }) => sum + area(rect), 0) / tiles.length
    this.#partShare = 1 - Math.min(MAX_REST, Math.max(MIN_REST, REST_PX / tilePx))
    for (const worker of workers) this.#add(worker, 0, false)
  }

  /** A worker joined or returned: it has nothing to do yet. */
  joined(worker: AreaShare, now: number): void {
    this.#add(worker, now, true)
    this.#restUntil = now
  }

  #add({ id, speed, grain }: AreaShare, since: number, isNewcomer: boolean): void {
    if (!(speed > 0)) return
    const nothing = { leases: [], since, assignedCost: 0, pendingCost: 0, robbed: false }
    const worker = { id, speed, grain, isNewcomer, ...nothing }
    this.#workers.set(id, worker)
    this.#survey.update(worker)
    if (isNewcomer) this.#newcomers.add(worker)
    this.#mostSteals += STEALS_PER_WORKER
  }

  /** When a worker will be about to run dry, ms. */
  get wakeAt(): number | undefined {
    return this.#wakeAt
  }

  /** Whether a worker is about to run dry and nothing can be given to it. */
  isDry(now: number): boolean {
    return now >= this.#dryAt
  }

  /**
   * A tile is on its way to a worker. Returns how many of its rows should come first if it should be sent in parts.
   * @param factor of stolen rows: see `Steal`
   */
  began(id: LeaseId, areaId: AreaId, { rect }: PixelSet, now: number, factor?: number): number | undefined {
    this.#startedAt ??= now
    const worker = this.#workers.get(areaId)
    if (!worker) return undefined
    const above = runningSums(this.#costs.profile(rect, 'y'))
    const lease = {
      worker,
      id,
      above,
      top: rect.y,
      bottom: rect.y + rect.h,
      doneRow: rect.y,
      batchRows: batchRows(worker.grain, rect.w),
      factor: factor ?? 1,
      pinned: false,
    }
    this.#leases.set(id, lease)
    worker.leases.push(lease)
    if (worker.leases.length === 1) {
      worker.since = now + this.#limits.roundTripMs / 2
      worker.assignedCost = 0
    }
    worker.assignedCost += above[rect.h]! * lease.factor
    // Stolen pieces are small and soon done.
    const rows = factor === undefined ? this.#partOf(above, rect.h) : undefined
    if (rows !== undefined && worker.leases.length === 1) worker.pendingCost = above[rows]!
    this.#survey.update(worker)
    return rows
  }

  /** How many rows of a tile should come first. */
  #partOf(above: Float64Array, h: number): number | undefined {
    if (h < MIN_PART_ROWS) return undefined
    const goal = above[h]! * this.#partShare
    let rows = 1
    while (rows < h && above[rows]! < goal) rows++
    return rows < h ? rows : undefined
  }

  /** Rows above `row` of a lease have arrived; `tookMs` and `tracedMs` as in the event. */
  progressed(id: LeaseId, row: number, now: number, tookMs?: number, tracedMs?: number): void {
    const lease = this.#leases.get(id)
    if (!lease) return
    this.#mark(lease, row, now, tookMs, tracedMs)
    lease.worker.assignedCost = remaining(lease.worker)
    this.#survey.update(lease.worker)
  }

  /** A lease has ended. */
  ended(id: LeaseId, now: number, tookMs?: number, tracedMs?: number): void {
    const lease = this.#leases.get(id)
    if (!lease) return
    this.#mark(lease, lease.bottom, now, tookMs, tracedMs)
    this.#remove(lease)
  }

  /** A lease has ended, but how much of it was traced is unknown. */
  dropped(id: LeaseId, now: number): void {
    const lease = this.#leases.get(id)
    if (!lease) return
    if (lease.worker.leases[0] === lease) {
      lease.worker.since = now
      lease.worker.pendingCost = 0
    }
    this.#remove(lease)
  }

  /** No more rows of a lease may be taken. */
  pin(id: LeaseId): void {
    const lease = this.#leases.get(id)
    if (lease) lease.pinned = true
  }

  /** Rows `bottom` and below of a lease are no longer wanted. */
  shorten(id: LeaseId, bottom: number): void {
    const lease = this.#leases.get(id)
    if (!lease) return
    lease.bottom = bottom
    lease.worker.assignedCost = remaining(lease.worker)
    this.#survey.update(lease.worker)
  }

  /** A worker gets nothing more of this frame; its tiles are reassigned. */
  lost(worker: AreaId): void {
    const tracked = this.#workers.get(worker)
    if (!tracked) return
    for (const { id } of tracked.leases) this.#leases.delete(id)
    this.#workers.delete(worker)
    this.#newcomers.delete(tracked)
    this.#survey.remove(tracked)
  }

  /**
   * The next steal that shortens the frame, recorded as carried out; undefined if none does.
   * @param able whether a worker may be given rows at all
   */
  next(now: number, able: (area: AreaId) => boolean): Steal | undefined {
    this.#wakeAt = undefined
    if (now < this.#restUntil) {
      this.#wakeAt = this.#restUntil
      return undefined
    }
    const seen = this.#lookAround(now, able)
    const worth = seen && this.#worthOf(seen)
    return worth && this.#cut(worth, now)
  }

  /** Who will be done first, and who last; nothing if it is too early to say. */
  #lookAround(now: number, able: (area: AreaId) => boolean): Survey | undefined {
    if (this.#startedAt === undefined || this.#steals >= this.#mostSteals) return undefined
    const { roundTripMs } = this.#limits
    const spent = now - this.#startedAt
    const isTooEarly = roundTripMs > MAX_TRIP_SHARE * spent
    // Until the first answer arrives, the pace is unknown, and only newcomers that have nothing take rows.
    const { isKnown } = this.#forecast
    const mayTake = ({ isNewcomer, leases }: TrackedWorker) => isKnown || (isNewcomer && leases.length === 0)
    if (!isKnown) {
      if (![...this.#newcomers].some(mayTake)) return undefined
      if (isTooEarly) this.#wakeAt = this.#startedAt + roundTripMs / MAX_TRIP_SHARE
      this.#forecast.guess(this.#workers.values(), spent)
    }
    if (isTooEarly) return undefined
    const soonest = now + roundTripMs / 2
    const seen = this.#survey.at(now, soonest, worker => mayTake(worker) && able(worker.id))
    if (seen.sparedUntil < Infinity) this.#wakeAt = seen.sparedUntil
    return seen
  }

  /** Whether it pays to move rows, and how many. If not, says when to look again. */
  #worthOf({ now, thief, victim, earliest, latest, end, awaiting, sparedUntil }: Survey): Worth | undefined {
    if (!thief || !victim || thief === victim) return undefined
    const { roundTripMs, nextFrameMs } = this.#limits
    const spent = now - this.#startedAt!
    const gainShare = nextFrameMs === undefined ? MIN_GAIN_SHARE : MIN_OVERLAP_GAIN_SHARE
    const leastGain = Math.max(gainShare * spent, MIN_GAIN_TRIPS * roundTripMs)
    // With thousands of workers, many answer at once: nothing is lost by searching slightly later for all of them together.
    this.#restUntil = now + REST_SHARE * leastGain
    const lead = Math.max(roundTripMs, LEAD_SHARE * spent)
    const isGain = latest - end >= leastGain && end - earliest >= leastGain / 2
    // Among many, a newcomer that shares with one of them shortens the frame by next to nothing; idle it would not at all.
    const isIdleForLong =
      thief.isNewcomer && thief.leases.length === 0 && end - earliest > Math.max(leastGain, IDLE_SHARE * spent)
    this.#dryAt = Number.POSITIVE_INFINITY
    if (!isGain && !isIdleForLong) {
      // All should have ended shortly after that; if not, the situation has changed.
      this.#wakeAt = Math.min(sparedUntil, latest + leastGain)
      if (!awaiting) {
        const lookAt = earliest - lead
        this.#dryAt = lookAt - (nextFrameMs === undefined ? 0 : nextFrameMs + OVERLAP_SHARE * spent)
        this.#wakeAt = Math.min(sparedUntil, [this.#dryAt, lookAt].find(at => at > now) ?? latest + leastGain)
      }
      return undefined
    }
    // Early answers come from fast workers: while only some have answered, the end seems nearer than it is.
    if (awaiting && earliest - lead > now) {
      this.#wakeAt = Math.min(sparedUntil, earliest - lead)
      return undefined
    }
    const slowdown = this.#forecast.slowdown(victim, now)
    const [rate, thiefRate] = [victim.speed / slowdown, thief.speed]
    const toEnd = Math.min((latest - end) * rate, (end - earliest) * thiefRate)
    // So that both end together.
    const toMeet = ((latest - earliest) * rate * thiefRate) / (rate + thiefRate)
    const cost = (latest - end >= leastGain ? toEnd : toMeet) / this.#forecast.msPerCost
    const veryLateAt = this.#forecast.veryLateAt(victim)
    const lookAt = Math.min(sparedUntil, veryLateAt > now ? veryLateAt : latest + leastGain)
    return { thief, victim, cost, slowdown, lookAt }
  }

  /** Takes rows of a victim, unless all that are left have been started. */
  #cut({ thief, victim, cost, slowdown, lookAt }: Worth, now: number): Steal | undefined {
    // It starts its newest lease last, but that may be a single row, which cannot be cut.
    for (const lease of victim.leases.toReversed()) {
      if (lease.pinned) continue
      const row = this.#rowFor(lease, cost / lease.factor, now)
      if (row === undefined) continue
      lease.bottom = row
      victim.pendingCost = Math.min(victim.pendingCost, remaining(victim))
      victim.robbed = slowdown > 1
      this.#survey.update(victim)
      this.#restUntil = now
      this.#steals++
      return { lease: lease.id, thief: thief.id, row, top: lease.top, factor: lease.factor * slowdown }
    }
    this.#wakeAt = lookAt
    return undefined
  }

  /** Where to cut a lease so that about `moved` of its expected cost lies below, among rows not yet started. */
  #rowFor(lease: TrackedLease, moved: number, now: number): number | undefined {
    const { above, top, bottom } = lease
    const goal = above[bottom - top]! - moved
    let row = bottom
    while (row - 1 > lease.doneRow && above[row - 1 - top]! >= goal) row--
    // The nearer of the two rows.
    if (row - 1 > lease.doneRow && goal - above[row - 1 - top]! < above[row - top]! - goal) row--
    row = Math.max(row, this.#forecast.firstFree(lease, now))
    return row < bottom ? row : undefined
  }

  #remove(lease: TrackedLease): void {
    const { worker } = lease
    this.#leases.delete(lease.id)
    worker.leases.splice(worker.leases.indexOf(lease), 1)
    worker.assignedCost = remaining(worker)
    this.#survey.update(worker)
  }

  /** All rows of a lease above `row` are done. */
  #mark(lease: TrackedLease, row: number, now: number, tookMs = Infinity, tracedMs = Infinity): void {
    const { worker, above, top, doneRow, factor } = lease
    const until = Math.min(row, lease.bottom)
    const expected = above[until - top]! - above[doneRow - top]!
    // It happened half a round trip ago, or earlier: a busy master learns of it late, as the worker's own clock shows.
    const then = Math.min(now - this.#limits.roundTripMs / 2, worker.since + tookMs)
    // Before its first row, the worker may have been busy with another frame.
    const elapsed = Math.max(0, Math.min(tracedMs, then - worker.since)) * worker.speed
    this.#forecast.took(expected * factor, elapsed)
    lease.doneRow = until
    worker.since = then
    worker.pendingCost = 0
    worker.robbed = false
    if (expected > 0 && elapsed > 0)
      lease.factor = Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, elapsed / (expected * this.#forecast.msPerCost)))
  }
}

function runningSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1)
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i]! + values[i]!
  return sums
}
