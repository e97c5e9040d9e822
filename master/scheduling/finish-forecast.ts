/**
 * When workers will be done, and how far they are: what is expected of their rows, at the pace of the answers so far. A worker that is
 * late is expected to be later still.
 */
import { AnswerPace } from './answer-pace.ts'
import { remaining, type TrackedLease, type TrackedWorker } from './tracked-workers.ts'

/** A worker late by more than this many standard deviations of past answers is no longer assumed to be about to answer. */
const MAX_CHANCE = 4
/** While nothing has been answered, what is due first is assumed to take this many times as long as it has taken so far. */
const GUESSED_TIMES = 2

export class FinishForecast {
  /** An order's way, or an answer's, ms. */
  readonly halfTripMs: number
  readonly #pace = new AnswerPace()
  /** Time per unit of expected cost on a worker of speed 1, ms: of the answers so far, or a guess. */
  #msPerCost = 0

  constructor(roundTripMs: number) {
    this.halfTripMs = roundTripMs / 2
  }

  /** Whether anything has been answered. */
  get isKnown(): boolean {
    return this.#pace.isKnown
  }

  get msPerCost(): number {
    return this.#msPerCost
  }

  /** Rows of this expected cost were answered after so long, ms of a worker of speed 1. */
  took(cost: number, ms: number): void {
    this.#pace.took(cost, ms)
    if (this.#pace.isKnown) this.#msPerCost = this.#pace.msPerCost
  }

  /** Before anything has been answered: of what is due first, half has been traced. @param spentMs so far */
  guess(workers: Iterable<TrackedWorker>, spentMs: number): void {
    let soonest = Number.POSITIVE_INFINITY
    for (const { pendingCost, assignedCost, speed, leases } of workers)
      if (leases.length > 0) soonest = Math.min(soonest, (pendingCost || assignedCost) / speed)
    this.#msPerCost = soonest > 0 ? (GUESSED_TIMES * spentMs) / soonest : 0
  }

  /** When a worker will have nothing left to do. */
  finish(worker: TrackedWorker, now: number): number {
    if (worker.leases.length === 0) return now
    return worker.since + ((remaining(worker) * this.#msPerCost) / worker.speed) * this.slowdown(worker, now)
  }

  /** How much longer than expected a worker takes, judged by the answer that is due. */
  slowdown(worker: TrackedWorker, now: number): number {
    return slowdownOf(now - this.#dueAt(worker), this.#expectedMs(worker))
  }

  /** When a worker is no longer assumed to be about to answer. */
  veryLateAt(worker: TrackedWorker): number {
    return this.#dueAt(worker) + this.#expectedMs(worker) * MAX_CHANCE * this.#pace.spread
  }

  /** The first row of a lease that its worker will not have started by the time an order reaches it. */
  firstFree(lease: TrackedLease, now: number): number {
    const { doneRow, batchRows } = lease
    return doneRow + Math.ceil((this.#rowAt(lease, now) + 1 - doneRow) / batchRows) * batchRows
  }

  /**
   * The row that a worker is estimated to be at by then. A worker that is slightly late is probably about to answer, at
   * the end of its part; one that is very late is further behind.
   */
  #rowAt({ worker, above, top, bottom, doneRow, factor, ...lease }: TrackedLease, now: number): number {
    if (worker.leases[0]?.id !== lease.id) return top
    const elapsed = now + this.halfTripMs - worker.since
    const cost = (elapsed * worker.speed) / (this.#msPerCost * factor)
    const slowdown = this.slowdown(worker, now)
    const isVeryLate = now > this.veryLateAt(worker)
    const reached = isVeryLate ? cost / slowdown : slowdown > 1 ? Math.min(cost, worker.pendingCost || cost) : cost
    const done = above[doneRow - top]! + reached
    let row = doneRow
    while (row < bottom && above[row + 1 - top]! <= done) row++
    return row
  }

  /** When a worker should have answered; anything it has sent since is still on its way. */
  #dueAt(worker: TrackedWorker): number {
    return worker.since + this.halfTripMs + this.#expectedMs(worker)
  }

  /** Expected time for a worker's next answer, ms. */
  #expectedMs({ pendingCost, assignedCost, speed }: TrackedWorker): number {
    return ((pendingCost || assignedCost) * this.#msPerCost) / speed
  }
}

/** A worker that is late is assumed to need as long again as it is late. What is expected to take no time cannot be late. */
export const slowdownOf = (lateMs: number, expectedMs: number): number =>
  lateMs > 0 && expectedMs > 0 ? 1 + (2 * lateMs) / expectedMs : 1
