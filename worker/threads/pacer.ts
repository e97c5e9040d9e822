/**
 * Pacing: holding a thread to a share of a core, so that one machine can stand for several slower ones and wall times
 * mean what they would there. A paced thread ends each tile, or part of one, when a machine of its share would, which has
 * the orders before it behind it and begins with the next at once: pixels never go out before that, and what a sleep or the
 * system takes too long is made good with the tiles that wait already.
 */
export class Pacer {
  readonly #share: number
  /** When the slower machine began with the order at hand, and when it is done with it so far, on the caller's clock. */
  #beganAt = 0
  #doneAt = Number.NEGATIVE_INFINITY

  /** @param share of a core, above 0; 1 or more never pauses */
  constructor(share: number) {
    this.#share = share
  }

  /** Whether it ever pauses. */
  get paces(): boolean {
    return this.#share < 1
  }

  /** The thread begins with the order that was given at `orderedAt`, ms. */
  begin(orderedAt: number): void {
    this.#beganAt = Math.max(orderedAt, this.#doneAt)
  }

  /** How long the thread must pause now, ms, that has used so much CPU time for the order. */
  pauseMs(cpuUsedMs: number, now: number): number {
    if (!this.paces) return 0
    this.#doneAt = this.#beganAt + cpuUsedMs / this.#share
    return Math.max(0, this.#doneAt - now)
  }
}
