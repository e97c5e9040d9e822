/**
 * How long to wait before trying again: pauses that grow up to a bound. Chance makes each shorter, by up to half of it, so that
 * the many who lost the same peer at one moment do not all come back at one moment. Pure.
 */

/** Times in ms. */
export interface Pauses {
  readonly first: number
  /** Each is so many times as long as the one before. */
  readonly factor: number
  readonly most: number
}

/** Of a peer that has lost its master: it is back within a few seconds if it is restarted. */
const RECONNECT: Pauses = { first: 100, factor: 1.5, most: 2000 }

export class Backoff {
  readonly #random: () => number
  readonly #pauses: Pauses
  #next: number

  /** @param random from 0 to below 1 */
  constructor(random: () => number, pauses: Pauses = RECONNECT) {
    this.#random = random
    this.#pauses = pauses
    this.#next = pauses.first
  }

  /** The next pause, ms. */
  next(): number {
    const { factor, most } = this.#pauses
    const longest = this.#next
    this.#next = Math.min(longest * factor, most)
    return longest * (1 - this.#random() / 2)
  }

  /** It went well: the next pause is short again. */
  reset(): void {
    this.#next = this.#pauses.first
  }
}
