/**
 * Which worker will be done first, and which last. What a forecast says of each is kept in flat arrays, a few numbers per worker, which are
 * renewed when something of that worker changes. All finish times change with every answer, because the pace does, and those of late workers
 * with time, so an ordered structure would have to be renewed as often as it is asked. Looking at a worker takes some 10 ns, and row stealing
 * looks at most every thousandth of the time that a frame has taken.
 */
import { type FinishForecast, slowdownOf } from './finish-forecast.ts'
import { remaining, type TrackedWorker } from './tracked-workers.ts'

/** What a moment looks like; times in ms. */
export interface Survey {
  readonly now: number
  /** Who could take rows and will be done first, and when; undefined if no area can take any. */
  readonly thief: TrackedWorker | undefined
  readonly earliest: number
  /** Who has rows and will be done last, and when. */
  readonly victim: TrackedWorker | undefined
  readonly latest: number
  /** When all would end if the remaining work were shared perfectly: moving work does not change the sums. */
  readonly end: number
  /** Whether first parts have not been answered yet. */
  readonly awaiting: boolean
  /** Until when rows are not taken from some that may be about to answer; Infinity: from none. */
  readonly sparedUntil: number
}

/** Numbers of a worker. */
const SINCE = 0
/** What is left of its work, and of what it must answer next, ms per unit of pace. */
const WORK = 1
const NEXT = 2
const SPEED = 3
const STRIDE = 4

/** States of a worker, as bits. */
const BUSY = 1
const PENDING = 2
const ROBBED = 4
const HAS_ROOM = 8

export class FinishSurvey {
  readonly #forecast: FinishForecast
  /** Leases that a worker may hold at once. */
  readonly #mostHeld: number
  readonly #slots = new Map<TrackedWorker, number>()
  readonly #workers: (TrackedWorker | undefined)[] = []
  #numbers = new Float64Array(16 * STRIDE)
  #states = new Uint8Array(16)

  /** @param mostHeld leases that a worker may hold at once */
  constructor(forecast: FinishForecast, mostHeld: number) {
    this.#forecast = forecast
    this.#mostHeld = mostHeld
  }

  /** A worker is there, or something of it has changed. */
  update(worker: TrackedWorker): void {
    const slot = this.#slotOf(worker)
    const { since, speed, assignedCost, pendingCost, leases, robbed } = worker
    const at = slot * STRIDE
    this.#numbers[at + SINCE] = since
    this.#numbers[at + WORK] = remaining(worker) / speed
    this.#numbers[at + NEXT] = (pendingCost || assignedCost) / speed
    this.#numbers[at + SPEED] = speed
    this.#states[slot] =
      (leases.length > 0 ? BUSY : 0) |
      (pendingCost > 0 ? PENDING : 0) |
      (robbed ? ROBBED : 0) |
      (leases.length < this.#mostHeld ? HAS_ROOM : 0)
  }

  remove(worker: TrackedWorker): void {
    const slot = this.#slots.get(worker)
    if (slot === undefined) return
    this.#slots.delete(worker)
    this.#workers[slot] = undefined
    this.#numbers.fill(0, slot * STRIDE, (slot + 1) * STRIDE)
    this.#states[slot] = 0
  }

  /**
   * @param soonest no area is done before that
   * @param able whether a worker may be given rows at all
   */
  at(now: number, soonest: number, able: (worker: TrackedWorker) => boolean): Survey {
    const { msPerCost } = this.#forecast
    const numbers = this.#numbers
    const states = this.#states
    const { halfTripMs } = this.#forecast
    let thief = -1
    let victim = -1
    let earliest = Number.POSITIVE_INFINITY
    let latest = Number.NEGATIVE_INFINITY
    let weighted = 0
    let speeds = 0
    let all = 0
    let sparedUntil = Number.POSITIVE_INFINITY
    for (let slot = 0, at = 0; slot < this.#workers.length; slot++, at += STRIDE) {
      const state = states[slot]!
      const speed = numbers[at + SPEED]!
      let finish = soonest
      if ((state & BUSY) !== 0) {
        const since = numbers[at + SINCE]!
        const next = numbers[at + NEXT]! * msPerCost
        const lateMs = now - since - halfTripMs - next
        const ms = numbers[at + WORK]! * msPerCost
        finish = since + ms * slowdownOf(lateMs, next)
        if (!(finish > soonest)) finish = soonest
      }
      weighted += finish * speed
      speeds += speed
      all |= state
      if (finish < earliest && (state & HAS_ROOM) !== 0 && able(this.#workers[slot]!)) {
        earliest = finish
        thief = slot
      }
      if (finish <= latest || (state & BUSY) === 0) continue
      // A late worker is probably about to answer, and was late already when rows were taken from it.
      const spared = (state & ROBBED) === 0 ? now : this.#forecast.veryLateAt(this.#workers[slot]!)
      if (spared > now) sparedUntil = Math.min(sparedUntil, spared)
      else {
        latest = finish
        victim = slot
      }
    }
    return {
      now,
      thief: this.#workers[thief],
      earliest,
      victim: this.#workers[victim],
      latest,
      end: weighted / speeds,
      awaiting: (all & PENDING) !== 0,
      sparedUntil,
    }
  }

  #slotOf(worker: TrackedWorker): number {
    const known = this.#slots.get(worker)
    if (known !== undefined) return known
    const slot = this.#workers.push(worker) - 1
    this.#slots.set(worker, slot)
    if (slot < this.#states.length) return slot
    const [numbers, states] = [this.#numbers, this.#states]
    this.#numbers = new Float64Array(2 * numbers.length)
    this.#numbers.set(numbers)
    this.#states = new Uint8Array(2 * states.length)
    this.#states.set(states)
    return slot
  }
}
