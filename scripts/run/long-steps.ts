/**
 * Steps that may take long and have nothing to show: loading a large scene, sending it, waiting for workers, building,
 * warming up. While one lasts it is said how long it has taken, and behind it how long it took.
 */
import type { Log } from '../../shared/log.ts'

/** What has taken so long is worth a line. */
const LONG_MS = 2000
const SAY_EVERY_MS = 5000
const LOOK_EVERY_MS = 1000

export class LongSteps implements Log {
  readonly #log: Log
  readonly #now: () => number
  #step: { readonly text: string; readonly since: number; sayAt: number } | undefined

  /** @param now ms */
  constructor(log: Log, now: () => number) {
    this.#log = log
    this.#now = now
  }

  /** A step begins that nobody need hear of unless it takes long. */
  begin(text: string): void {
    this.#step = { text, since: this.#now(), sayAt: this.#now() + LONG_MS }
  }

  /** A step begins, and with that the one before is over. */
  info(text: string): void {
    const before = this.#step
    if (before && this.#now() - before.since >= LONG_MS)
      this.#log.info(`${before.text}: took ${((this.#now() - before.since) / 1000).toFixed(1)} s`)
    this.#log.info(text)
    this.#step = { text, since: this.#now(), sayAt: this.#now() + SAY_EVERY_MS }
  }

  warn(text: string): void {
    this.#log.warn(text)
  }

  /** To be called about every second. */
  tick(): void {
    const step = this.#step
    if (!step || this.#now() < step.sayAt) return
    step.sayAt = this.#now() + SAY_EVERY_MS
    this.#log.info(`${step.text}: ${Math.round((this.#now() - step.since) / 1000)} s so far`)
  }

  /** The last step is over; whatever comes of it says so. */
  end(): void {
    this.#step = undefined
  }
}

/** Does `work`, whose long steps are told of. */
export async function withLongSteps<T>(log: Log, work: (steps: LongSteps) => Promise<T>): Promise<T> {
  const steps = new LongSteps(log, () => performance.now())
  const ticker = setInterval(() => steps.tick(), LOOK_EVERY_MS)
  try {
    return await work(steps)
  } finally {
    clearInterval(ticker)
  }
}
