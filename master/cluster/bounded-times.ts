/**
 * Bounds what an area says of its own times by the master's clock, from both sides, before anybody plans with them. Pure.
 *
 * From above, for each answer: no tile took longer than from its order to its answer. From below, over a stretch: between two answers an area
 * that has orders is tracing, but for the way there and back. Honest figures are left as they are: a stretch has to be explained by less than
 * half before any of it is corrected, and what is not the worker's doing is taken off generously: the wait for bytes that were on their way,
 * the shortest time in which the area has ever answered, which bounds the way there and back whatever the worker says, and the delays of a
 * busy host.
 */
import type { TileTimes } from '../../shared/protocol/codec.ts'

/** CPU clocks of some systems advance in steps of this length, ms. */
const CLOCK_STEP_MS = 16
/** Of an answer: what a busy host may lose between threads, and the most that the way there and back can take, ms. */
const GRACE_MS = 50
const MOST_TRIP_MS = 250
/** The stretch, ms; what was before counts less and less. */
const STRETCH_MS = 4000
/** A stretch is corrected if it is so many times as long as was said, and by so much longer, ms. */
export const TOO_FAST = { factor: 2, byMs: 250 } as const

/** When an answer came about, ms on the master's clock. */
export interface AnswerTimes {
  /** When it was ordered, or the part before it came. */
  readonly since: number
  /** When its first bytes came, and its last. */
  readonly begunAt: number
  readonly arrivedAt: number
}

export class BoundedTimes {
  readonly #threads: number
  /** When the newest answer came. */
  #lastAt = Number.NEGATIVE_INFINITY
  /** The shortest time from an order to its answer. */
  #leastTripMs = MOST_TRIP_MS
  /** How long the area must have been busy in this stretch, and for how long it says it was, ms. */
  #seenMs = 0
  #saidMs = 0

  /** @param threads of the area */
  constructor(threads: number) {
    this.#threads = threads
  }

  /** The times of the newest answer, as far as they can be. */
  of(times: TileTimes, answer: AnswerTimes): TileTimes {
    const factor = this.#factor(times, answer)
    const elapsedMs = answer.arrivedAt - answer.since
    // Never shorter than was said.
    return boundedAbove(factor > 1 ? longer(times, factor, this.#threads) : times, elapsedMs, this.#threads)
  }

  /** How many times as long as it says the area takes. */
  #factor({ wallMs, cpuMs, encodeMs }: TileTimes, { since, begunAt, arrivedAt }: AnswerTimes): number {
    // A part of a lease makes no trip of its own.
    if (since !== this.#lastAt) this.#leastTripMs = Math.min(this.#leastTripMs, begunAt - since)
    const busyMs = begunAt - Math.max(since, this.#lastAt) - this.#leastTripMs - GRACE_MS
    this.#lastAt = arrivedAt
    this.#seenMs += Math.max(0, busyMs)
    // A worker that is limited to a share of a core has less CPU time than it is busy, and one with several threads more.
    this.#saidMs += Math.max(wallMs, cpuMs / this.#threads) + encodeMs
    const length = Math.max(this.#seenMs, this.#saidMs)
    if (length > STRETCH_MS) {
      this.#seenMs *= STRETCH_MS / length
      this.#saidMs *= STRETCH_MS / length
    }
    if (this.#seenMs - this.#saidMs < TOO_FAST.byMs) return 1
    const factor = this.#seenMs / this.#saidMs
    return factor < TOO_FAST.factor ? 1 : factor
  }
}

/** What takes no time at all takes as long as it can. */
function longer(times: TileTimes, factor: number, threads: number): TileTimes {
  const wallMs = Math.max(times.wallMs, times.cpuMs / threads)
  if (!Number.isFinite(factor) || wallMs === 0) return { ...times, wallMs: Number.MAX_VALUE, cpuMs: Number.MAX_VALUE }
  return { ...times, wallMs: wallMs * factor, cpuMs: times.cpuMs * factor }
}

/** @param elapsedMs from the order, or the part before, to the answer, on the master's clock */
function boundedAbove(times: TileTimes, elapsedMs: number, threads: number): TileTimes {
  const wallMs = Math.min(times.wallMs, elapsedMs)
  const encodeMs = Math.min(times.encodeMs, elapsedMs - wallMs)
  const waitMs = Math.min(times.waitMs, elapsedMs - wallMs - encodeMs)
  const cpuMs = Math.min(times.cpuMs, threads * (elapsedMs + CLOCK_STEP_MS))
  return { ...times, waitMs, wallMs, encodeMs, cpuMs }
}
