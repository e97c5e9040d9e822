/**
 * In which order a pool does what it is asked for: some things alone, others so that the next one is begun, and waits with the
 * threads, before the one at hand is done.
 *
 * Nothing here remembers what came of anything: a chain of promises that did would keep every tile that was ever traced.
 */
export class Turns {
  /** Resolve when everything is done that was asked for so far, and everything before the last of it. */
  #all: Promise<void> = Promise.resolve()
  #butLast: Promise<void> = Promise.resolve()

  /** Does something when all is done that was asked for before; what is asked for later waits for it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#all.then(work)
    this.#all = ended([result])
    this.#butLast = this.#all
    return result
  }

  /** Does something when all is done that was asked for before, but for the last of that. */
  overlapping<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#butLast.then(work)
    this.#butLast = this.#all
    this.#all = ended([this.#all, result])
    return result
  }
}

/** Resolves with nothing when all have settled. */
const ended = (work: readonly Promise<unknown>[]): Promise<void> => Promise.allSettled(work).then(() => {})
