/** What the answers of a frame say about those to come: how long a unit of expected cost takes, and how sure that is. */

/** Before much has come what was expected of answers is taken to be off by this share, standard deviation. */
const SUPPOSED_SPREAD = 0.25

export class AnswerPace {
  #cost = 0
  #elapsed = 0
  #answers = 0
  /** Of each answer time squared over cost, summed up. */
  #squares = 0

  /** What was expected to cost so much took so long, ms of a worker of speed 1. */
  took(cost: number, ms: number): void {
    this.#cost += cost
    this.#elapsed += ms
    if (cost <= 0) return
    this.#answers++
    this.#squares += ms ** 2 / cost
  }

  /** Whether anything has taken any time yet. */
  get isKnown(): boolean {
    return this.#elapsed > 0
  }

  /** ms that a unit of cost takes a worker of speed 1. */
  get msPerCost(): number {
    return this.#elapsed / this.#cost
  }

  /** By what share answers were off, standard deviation, weighted by cost; as long as they are few, partly supposed. */
  get spread(): number {
    const variance = Math.max(0, (this.#squares * this.#cost) / this.#elapsed ** 2 - 1)
    return Math.sqrt((variance * this.#answers + SUPPOSED_SPREAD ** 2) / (this.#answers + 1))
  }
}
