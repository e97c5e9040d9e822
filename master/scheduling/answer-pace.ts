/** What a frame's answers so far say about those to come: how long a unit of expected cost takes, and how certain that is. */

/** Relative standard deviation assumed for the error of expectations until enough answers have arrived. */
const SUPPOSED_SPREAD = 0.25

export class AnswerPace {
  #cost = 0
  #elapsed = 0
  #answers = 0
  /** Sum over the answers of elapsed time squared over cost. */
  #squares = 0

  /** Records an answer: its expected cost, and the time it took, ms of a worker of speed 1. */
  took(cost: number, ms: number): void {
    this.#cost += cost
    this.#elapsed += ms
    if (cost <= 0) return
    this.#answers++
    this.#squares += ms ** 2 / cost
  }

  /** Whether any time has been recorded yet. */
  get isKnown(): boolean {
    return this.#elapsed > 0
  }

  /** Time per unit of cost on a worker of speed 1, ms. */
  get msPerCost(): number {
    return this.#elapsed / this.#cost
  }

  /** Relative standard deviation of the answers, weighted by cost; blended with the assumed value while answers are few. */
  get spread(): number {
    if (!this.isKnown) return SUPPOSED_SPREAD
    const variance = Math.max(0, (this.#squares * this.#cost) / this.#elapsed ** 2 - 1)
    return Math.sqrt((variance * this.#answers + SUPPOSED_SPREAD ** 2) / (this.#answers + 1))
  }
}
