/** What a worker logs while no master answers: once immediately, then every few seconds, however often it tries. */

import { messageOf } from '../shared/errors.ts'
import { inWords } from '../shared/time/duration.ts'

const SAY_EVERY_MS = 5000

export class Waiting {
  readonly #url: string
  readonly #giveUpAt: number
  #sayAt = Number.NEGATIVE_INFINITY

  /** @param giveUpAt ms, on the clock of `failed` */
  constructor(url: string, giveUpAt: number) {
    this.#url = url
    this.#giveUpAt = giveUpAt
  }

  /** An attempt failed at `now`. @returns what to log, if anything */
  failed(error: unknown, now: number): string | undefined {
    const left = this.#giveUpAt - now
    if (left <= 0 || now < this.#sayAt) return undefined
    this.#sayAt = now + SAY_EVERY_MS
    return `no master at ${this.#url} yet (${messageOf(error)}); trying for another ${inWords(left)}`
  }
}
