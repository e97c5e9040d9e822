/**
 * Counts the peers that were refused, by reason, and logs them without letting a flood of them flood the log: the first of a
 * reason at once, the others of the next seconds in one line with their number.
 */
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import type { Log } from '../../shared/text/log.ts'

/** Reasons without an error of their own. */
export type PlainReason =
  | 'no-upgrade'
  | 'bad-request'
  | 'other-origin'
  | 'other-name'
  | 'no-access'
  | 'no-tls'
  | 'too-many-connections'

/** Calls `wake` after `inMs` unless the returned function is called first. */
type Alarm = (wake: () => void, inMs: number) => () => void

/** A reason that was logged a moment ago. */
interface Quiet {
  readonly disarm: () => void
  more: number
  newest: string
}

export class Refusals {
  readonly #log: Log
  readonly #alarm: Alarm
  readonly #everyMs: number
  readonly #counts = new Map<string, number>()
  readonly #quiet = new Map<string, Quiet>()

  /** @param everyMs how often a reason is logged */
  constructor(log: Log, alarm: Alarm, everyMs: number) {
    this.#log = log
    this.#alarm = alarm
    this.#everyMs = everyMs
  }

  /** Peers refused so far, by reason. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** @param reason of which there are only a few */
  add(reason: PlainReason, text: string): void {
    this.#add(reason, text)
  }

  /** A peer is refused for an error; its code is the reason: `bad-message`. */
  addError(error: unknown): void {
    const code = error instanceof SortfirstError ? error.code : 'INTERNAL'
    this.#add(code.toLowerCase().replaceAll('_', '-'), messageOf(error))
  }

  /** Logs what is still to be logged. */
  close(): void {
    for (const reason of [...this.#quiet.keys()]) this.#summarise(reason)?.disarm()
  }

  #add(reason: string, text: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
    const quiet = this.#quiet.get(reason)
    if (quiet) {
      quiet.more++
      quiet.newest = text
      return
    }
    this.#log.warn(`refused a peer: ${text}`)
    this.#beQuiet(reason)
  }

  #beQuiet(reason: string): void {
    const disarm = this.#alarm(() => {
      if (this.#summarise(reason)!.more > 0) this.#beQuiet(reason)
    }, this.#everyMs)
    this.#quiet.set(reason, { disarm, more: 0, newest: '' })
  }

  #summarise(reason: string): Quiet | undefined {
    const quiet = this.#quiet.get(reason)
    this.#quiet.delete(reason)
    if (quiet && quiet.more > 0)
      this.#log.warn(
        `refused ${quiet.more} more within ${this.#everyMs / 1000} s for the same reason (${reason}), the last: ${quiet.newest}`,
      )
    return quiet
  }
}
