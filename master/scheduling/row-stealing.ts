/**
 * Row stealing: within a frame, workers that will end early take rows from those that will end late. Every row of a tile has an
 * expected cost, and workers report when they finish the first part of a tile; together these predict when each worker will
 * finish. Rows move once all first parts have arrived, while there is still time to correct a mistake, and again shortly before
 * a worker runs dry, so that the order travels while it is still working. No thief is given more than it can finish by the
 * common end. Expectations are imperfect, or no worker would end early: the ratio of actual to expected cost of a part is
 * applied to the rows below it, including those that are given away; and a worker that is late is expected to be later still.
 */
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { PixelSet } from '../../shared/pixel-set.ts'
import { area } from '../../shared/rect.ts'
import type { CostField } from '../costs/cost-field.ts'
import { uniformCosts } from '../costs/uniform-costs.ts'
import type { AreaShare, Plan } from '../strategies/strategy.ts'
import { AnswerPace } from './answer-pace.ts'
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
/** After a fruitless search, the next one waits for this share of the minimum gain. */
const REST_SHARE = 0.25
/** If a round trip takes more than this share of the frame so far, a steal would arrive too late. */
const MAX_TRIP_SHARE = 0.2
/** Rows that an area starts at once if it does not declare a grain. */
const BATCH_ROWS = 8
/** Limit on the factor that a part applies to the rows below it. */
const MAX_FACTOR = 8
/** A worker late by more than this many standard deviations of past answers is no longer assumed to be about to answer. */
const MAX_CHANCE = 4
/** Limit on steals per frame and worker, beyond which the expectations must be wrong. */
const STEALS_PER_WORKER = 4

export class RowStealing {
  readonly #costs: CostField
  readonly #workers = new Map<AreaId, TrackedWorker>()
  readonly #leases = new Map<LeaseId, TrackedLease>()
  readonly #limits: SchedulerLimits
  readonly #mostSteals: number
  readonly #partShare: number
  #startedAt: number | undefined
  readonly #pace = new AnswerPace()
  #steals = 0
  #wakeAt: number | undefined
  /** When the next frame may begin, so that its orders reach the first worker to run dry in time, once the load is balanced. */
  #dryAt = Number.POSITIVE_INFINITY
  /** No search before this time. */
  #restUntil = Number.NEGATIVE_INFINITY

  constructor(plan: Plan, workers: readonly AreaShare[], limits: SchedulerLimits) {
    this.#costs = plan.predicted?.field() ?? uniformCosts
    this.#limits = limits
    this.#mostSteals = STEALS_PER_WORKER * workers.length
    const tilePx = plan.tiles.reduce((sum, { rect }) => sum + area(rect), 0) / plan.tiles.length
    this.#partShare = 1 - Math.min(MAX_REST, Math.max(MIN_REST, REST_PX / tilePx))
    for (const { id, speed: declared, grain } of workers) {
      const speed = declared * (plan.learned?.[id] ?? 1)
      if (speed > 0)
        this.#workers.set(id, {
          id,
          speed,
          grain,
          leases: [],
          since: 0,
          assignedCost: 0,
          pendingCost: 0,
          robbed: false,
        })
    }
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
      ...{ worker, id, above, top: rect.y, bottom: rect.y + rect.h, doneRow: rect.y },
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
    if (factor !== undefined || rect.h < MIN_PART_ROWS) return undefined
    const goal = above[rect.h]! * this.#partShare
    let rows = 1
    while (rows < rect.h && above[rows]! < goal) rows++
    if (rows === rect.h) return undefined
    if (worker.leases.length === 1) worker.pendingCost = above[rows]!
    return rows
  }

  /** Rows above `row` of a lease have arrived; `tookMs` and `tracedMs` as in the event. */
  progressed(id: LeaseId, row: number, now: number, tookMs?: number, tracedMs?: number): void {
    const lease = this.#leases.get(id)
    if (lease) this.#mark(lease, row, now, tookMs, tracedMs)
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
  }

  /** A worker gets nothing more of this frame; its tiles are reassigned. */
  lost(worker: AreaId): void {
    for (const { id } of this.#workers.get(worker)?.leases ?? []) this.#leases.delete(id)
    this.#workers.delete(worker)
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
    // Until the first answer arrives, the pace is unknown.
    if (!this.#pace.isKnown || this.#steals >= this.#mostSteals) return undefined
    const { roundTripMs, leasesPerWorker, nextFrameMs } = this.#limits
    const spent = now - this.#startedAt!
    if (roundTripMs > MAX_TRIP_SHARE * spent) return undefined
    const soonest = now + roundTripMs / 2
    let thief: TrackedWorker | undefined
    let victim: TrackedWorker | undefined
    let earliest = Number.POSITIVE_INFINITY
    let latest = Number.NEGATIVE_INFINITY
    let weighted = 0
    let speeds = 0
    let awaiting = false
    let sparedUntil = Number.POSITIVE_INFINITY
    for (const worker of this.#workers.values()) {
      const finish = Math.max(soonest, this.#finish(worker, now))
      weighted += finish * worker.speed
      speeds += worker.speed
      awaiting ||= worker.pendingCost > 0
      if (finish < earliest && worker.leases.length < leasesPerWorker && able(worker.id))
        [earliest, thief] = [finish, worker]
      if (finish <= latest || worker.leases.length === 0) continue
      // A late worker is probably about to answer, and was late already when rows were taken from it.
      const spared = worker.robbed ? this.#veryLateAt(worker) : now
      if (spared > now) sparedUntil = Math.min(sparedUntil, spared)
      else [latest, victim] = [finish, worker]
    }
    if (sparedUntil < Infinity) this.#wakeAt = sparedUntil
    if (!thief || !victim || thief === victim) return undefined
    // When all would end if the remaining work were shared perfectly: moving work does not change the sums.
    const end = weighted / speeds
    const gainShare = nextFrameMs === undefined ? MIN_GAIN_SHARE : MIN_OVERLAP_GAIN_SHARE
    const leastGain = Math.max(gainShare * spent, MIN_GAIN_TRIPS * roundTripMs)
    // With thousands of workers, many answer at once: nothing is lost by searching slightly later for all of them together.
    this.#restUntil = now + REST_SHARE * leastGain
    const lead = Math.max(roundTripMs, LEAD_SHARE * spent)
    this.#dryAt = Number.POSITIVE_INFINITY
    if (latest - end < leastGain || end - earliest < leastGain / 2) {
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
    const slowdown = this.#slowdown(victim, now)
    const moved =
      Math.min((latest - end) * (victim.speed / slowdown), (end - earliest) * thief.speed) / this.#pace.msPerCost
    // It starts its newest lease last, but that may be a single row, which cannot be cut.
    for (const lease of victim.leases.toReversed()) {
      if (lease.pinned) continue
      const row = this.#cutRow(lease, moved / lease.factor, now)
      if (row === undefined) continue
      lease.bottom = row
      victim.robbed = slowdown > 1
      this.#restUntil = now
      this.#steals++
      return { lease: lease.id, thief: thief.id, row, top: lease.top, factor: lease.factor * slowdown }
    }
    const veryLateAt = this.#veryLateAt(victim)
    this.#wakeAt = Math.min(sparedUntil, veryLateAt > now ? veryLateAt : latest + leastGain)
    return undefined
  }

  /** Where to cut a lease so that about `moved` of its expected cost lies below, among rows not yet started. */
  #cutRow(lease: TrackedLease, moved: number, now: number): number | undefined {
    const { above, top, bottom } = lease
    const goal = above[bottom - top]! - moved
    let row = bottom
    while (row - 1 > lease.doneRow && above[row - 1 - top]! >= goal) row--
    // The nearer of the two rows.
    if (row - 1 > lease.doneRow && goal - above[row - 1 - top]! < above[row - top]! - goal) row--
    row = Math.max(row, this.#firstFree(lease, now))
    return row < bottom ? row : undefined
  }

  /** The first row that a worker will not have started by the time an order reaches it. */
  #firstFree(lease: TrackedLease, now: number): number {
    const { doneRow, batchRows } = lease
    return doneRow + Math.ceil((this.#rowAt(lease, now) + 1 - doneRow) / batchRows) * batchRows
  }

  /**
   * The row that a worker is estimated to be at by then. A worker that is slightly late is probably about to answer, at
   * the end of its part; one that is very late is further behind.
   */
  #rowAt({ worker, above, top, bottom, doneRow, factor, ...lease }: TrackedLease, now: number): number {
    if (worker.leases[0]?.id !== lease.id) return top
    const elapsed = now + this.#limits.roundTripMs / 2 - worker.since
    const cost = (elapsed * worker.speed) / (this.#pace.msPerCost * factor)
    const slowdown = this.#slowdown(worker, now)
    const isVeryLate = now > this.#veryLateAt(worker)
    const reached = isVeryLate ? cost / slowdown : slowdown > 1 ? Math.min(cost, worker.pendingCost || cost) : cost
    const done = above[doneRow - top]! + reached
    let row = doneRow
    while (row < bottom && above[row + 1 - top]! <= done) row++
    return row
  }

  /** When a worker will have nothing left to do. */
  #finish(worker: TrackedWorker, now: number): number {
    if (worker.leases.length === 0) return now
    return worker.since + ((remaining(worker) * this.#pace.msPerCost) / worker.speed) * this.#slowdown(worker, now)
  }

  /**
   * How much longer than expected a worker takes, judged by the answer that is due: a worker that is late is assumed to
   * need as long again as it is late.
   */
  #slowdown(worker: TrackedWorker, now: number): number {
    const lateMs = now - this.#dueAt(worker)
    return lateMs > 0 ? 1 + (2 * lateMs) / this.#expectedMs(worker) : 1
  }

  /** When a worker should have answered; anything it has sent since is still on its way. */
  #dueAt(worker: TrackedWorker): number {
    return worker.since + this.#limits.roundTripMs / 2 + this.#expectedMs(worker)
  }

  /** When a worker is no longer assumed to be about to answer. */
  #veryLateAt(worker: TrackedWorker): number {
    return this.#dueAt(worker) + this.#expectedMs(worker) * MAX_CHANCE * this.#pace.spread
  }

  /** Expected time for a worker's next answer, ms. */
  #expectedMs({ pendingCost, assignedCost, speed }: TrackedWorker): number {
    return ((pendingCost || assignedCost) * this.#pace.msPerCost) / speed
  }

  #remove(lease: TrackedLease): void {
    const { worker } = lease
    this.#leases.delete(lease.id)
    worker.leases.splice(worker.leases.indexOf(lease), 1)
    worker.assignedCost = remaining(worker)
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
    this.#pace.took(expected * factor, elapsed)
    lease.doneRow = until
    worker.since = then
    worker.pendingCost = 0
    worker.robbed = false
    if (expected > 0 && elapsed > 0)
      lease.factor = Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, elapsed / (expected * this.#pace.msPerCost)))
    worker.assignedCost = remaining(worker)
  }
}

/** Rows of a tile of this width that an area starts at once. */
const batchRows = (grain: AreaShare['grain'], width: number): number =>
  grain?.pixels === undefined ? (grain?.rows ?? BATCH_ROWS) : Math.max(1, Math.round(grain.pixels / width))

function runningSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1)
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i]! + values[i]!
  return sums
}
