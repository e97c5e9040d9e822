/**
 * The order in which a pool executes requests: some alone, others overlapping, so that the next one is started, and queued at
 * the threads, before the current one is done.
 *
 * Results are not retained: a chain of promises that did so would keep every tile ever traced.
 */
export class RequestOrder {
  /** Resolve when all requests so far are done, and when all but the last are. */
  #all: Promise<void> = Promise.resolve()
  #butLast: Promise<void> = Promise.resolve()

  /** Runs `work` when all earlier requests are done; later requests wait for it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#all.then(work)
    this.#all = ended([result])
    this.#butLast = this.#all
    return result
  }

  /** Runs `work` when all earlier requests except the last are done. */
  overlapping<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#butLast.then(work)
    this.#butLast = this.#all
    this.#all = ended([this.#all, result])
    return result
  }
}

/** Resolves, without a value, when all have settled. */
const ended = (work: readonly Promise<unknown>[]): Promise<void> => Promise.allSettled(work).then(() => {})
