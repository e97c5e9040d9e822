/**
 * Steps that may take long without visible progress: loading a large scene, sending it, waiting for workers, building,
 * warming up. During a long step the elapsed time is reported, and after it the total. What happens meanwhile, such as a worker that joins,
 * is no step: it ends one, because it may be what was waited for.
 */
import type { Log } from '../../shared/text/log.ts'
import { longTime } from '../../shared/time/duration.ts'

/** Steps at least this long are reported. */
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

  /** Starts a step that is only reported if it takes long. */
  begin(text: string): void {
    this.#step = { text, since: this.#now(), sayAt: this.#now() + LONG_MS }
  }

  /** Starts a step, which ends the previous one. */
  step(text: string): void {
    this.info(text)
    this.#step = { text, since: this.#now(), sayAt: this.#now() + SAY_EVERY_MS }
  }

  /** Says what has happened, which ends the step. */
  info(text: string): void {
    const before = this.#step
    if (before && this.#now() - before.since >= LONG_MS)
      this.#log.info(`${before.text}: took ${longSaid(this.#now() - before.since)}`)
    this.#log.info(text)
    this.#step = undefined
  }

  warn(text: string): void {
    this.#log.warn(text)
  }

  /** Call about once a second. */
  tick(): void {
    const step = this.#step
    if (!step || this.#now() < step.sayAt) return
    step.sayAt = this.#now() + SAY_EVERY_MS
    this.#log.info(`${step.text}: ${Math.round((this.#now() - step.since) / 1000)} s so far`)
  }

  /** Ends the last step without a message; its result is reported elsewhere. */
  end(): void {
    this.#step = undefined
  }
}

/** Runs `work` and reports its long steps. */
export async function withLongSteps<T>(log: Log, work: (steps: LongSteps) => Promise<T>): Promise<T> {
  const steps = new LongSteps(log, () => performance.now())
  const ticker = setInterval(() => steps.tick(), LOOK_EVERY_MS)
  try {
    return await work(steps)
  } finally {
    clearInterval(ticker)
  }
}

const longSaid = (ms: number): string => longTime(ms) ?? `${(ms / 1000).toFixed(1)} s`
