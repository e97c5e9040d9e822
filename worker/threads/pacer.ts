/**
 * Pacing: limiting a thread to a share of a core, so that one machine can simulate several slower ones with realistic wall
 * times. A paced thread finishes each tile, or part of one, when a machine of its share would that has finished the earlier
 * orders and starts the next immediately: pixels are never sent earlier than that, and delays by oversleeping or by the system
 * are made up for with the tiles that are already queued.
 */
export class Pacer {
  readonly #share: number
  /** When the slower machine began the current order, and when it is done with the work so far, on the caller's clock. */
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

  /** The thread begins the order that was given at `orderedAt`, ms. */
  begin(orderedAt: number): void {
    this.#beganAt = Math.max(orderedAt, this.#doneAt)
  }

  /** The thread had something else to do for so long, ms, which is paced by itself. */
  postpone(ms: number): void {
    this.#beganAt += ms
  }

  /** How long the thread must pause now, ms, given the CPU time that it has used for the order. */
  pauseMs(cpuUsedMs: number, now: number): number {
    if (!this.paces) return 0
    this.#doneAt = this.#beganAt + cpuUsedMs / this.#share
    return Math.max(0, this.#doneAt - now)
  }
}
