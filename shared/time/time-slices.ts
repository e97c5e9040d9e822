/**
 * Work that arrives in bursts, done in order and for some milliseconds at a time: when the answers of many workers are there at once,
 * timers and everybody else have their turns between them.
 */

/** How long a slice takes, but for its last task, ms. */
const SLICE_MS = 8

export class TimeSlices {
  readonly #now: () => number
  readonly #next: (turn: () => void) => void
  readonly #waiting: (() => void)[] = []
  #spentMs = 0
  #isNextSet = false

  /** @param next calls a function when everything else has run */
  constructor(now: () => number, next: (turn: () => void) => void) {
    this.#now = now
    this.#next = next
  }

  /** Does a task now, or after those that wait; true if it is done. */
  run(task: () => void): boolean {
    const isNow = this.#waiting.length === 0 && this.#spentMs < SLICE_MS
    if (isNow) this.#do(task)
    else this.#waiting.push(task)
    this.#setNext()
    return isNow
  }

  #do(task: () => void): void {
    const began = this.#now()
    try {
      task()
    } finally {
      this.#spentMs += this.#now() - began
    }
  }

  #setNext(): void {
    if (this.#isNextSet) return
    this.#isNextSet = true
    this.#next(() => {
      this.#isNextSet = false
      this.#spentMs = 0
      try {
        while (this.#waiting.length > 0 && this.#spentMs < SLICE_MS) this.#do(this.#waiting.shift()!)
      } finally {
        if (this.#waiting.length > 0) this.#setNext()
      }
    })
  }
}
