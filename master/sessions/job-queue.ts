/** One job at a time: a cluster that renders two frames at once renders both late. */

export class JobQueue {
  #tail: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** Jobs that run or wait. */
  get length(): number {
    return this.#waiting
  }

  /** Runs `job` when all that were enqueued before it have ended, however they ended. */
  run<T>(job: () => Promise<T>): Promise<T> {
    this.#waiting++
    const result = this.#tail.then(job).finally(() => {
      this.#waiting--
    })
    this.#tail = result.catch(() => {})
    return result
  }
}
