/**
 * Decides whose frame is next. Sessions share the cluster frame by frame, because two frames made side by side would both
 * be late: a viewer's frame goes before a film's, and among equals the session that has used the cluster least goes
 * first. A session that may have several frames in flight begins its next one as soon as an area has nothing left to do
 * for those in progress.
 */
import { setMaxListeners } from 'node:events'
import { CancelledError } from '../../shared/errors.ts'
import { MasterClosingError } from './errors.ts'

/** A session as seen by the others. */
export interface Guest {
  readonly kind: 'film' | 'viewer'
  /** Maximum number of its frames in progress at once. */
  readonly inFlight: number
}

/** A frame's permission to use the cluster. */
export interface Turn {
  /** When the turn became available, ms on the clock of `leave`; undefined: immediately. */
  readonly since: number | undefined
  /** An area has nothing left to do for the frame. */
  spare(): void
  /** Calls `listen` when another frame begins before this one is over. */
  onOvertaken(listen: () => void): void
  /** The frame is over, complete or not; `at` in ms. */
  leave(at: number): void
}

interface Making {
  readonly guest: Guest
  readonly beganAt: number
  spare: boolean
  overtaken: () => void
}

interface Waiting {
  readonly guest: Guest
  begin(since: number | undefined): void
}

/** Maximum number of frames in progress at once, over all sessions. */
const MAX_MAKING = 2

export class Turns {
  readonly #now: () => number
  readonly #closing = new AbortController()
  readonly #making = new Set<Making>()
  readonly #waiting: Waiting[] = []
  /** Time used by each session, ms; a new one starts with the minimum of those present. */
  readonly #used = new Map<Guest, number>()

  /** @param now the clock of `leave`, ms */
  constructor(now: () => number) {
    this.#now = now
    // Every session listens.
    setMaxListeners(0, this.#closing.signal)
  }

  /** Aborts when no more frames may begin. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** No more frames begin: whoever waits, or comes later, is told so; those in progress go on. */
  close(): void {
    this.#closing.abort(new MasterClosingError())
  }

  /** Number of current sessions. */
  get guests(): number {
    return this.#used.size
  }

  /** Adds a session; the returned function removes it. */
  join(guest: Guest): () => void {
    const others = [...this.#used.values()]
    this.#used.set(guest, others.length > 0 ? Math.min(...others) : 0)
    return () => this.#used.delete(guest)
  }

  /** Resolves when the guest may begin a frame. Rejects with CancelledError, or MasterClosingError. */
  enter(guest: Guest, signal: AbortSignal): Promise<Turn> {
    const { closing } = this
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new CancelledError())
      if (closing.aborted) return reject(closing.reason)
      const giveUp = (error: unknown) => {
        signal.removeEventListener('abort', cancel)
        closing.removeEventListener('abort', close)
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(error)
      }
      const cancel = () => giveUp(new CancelledError())
      const close = () => giveUp(closing.reason)
      const waiting: Waiting = {
        guest,
        begin: since => {
          signal.removeEventListener('abort', cancel)
          closing.removeEventListener('abort', close)
          resolve(this.#begin(guest, since))
        },
      }
      signal.addEventListener('abort', cancel, { once: true })
      closing.addEventListener('abort', close, { once: true })
      this.#waiting.push(waiting)
      this.#admit(undefined)
    })
  }

  #begin(guest: Guest, since: number | undefined): Turn {
    for (const { overtaken } of this.#making) overtaken()
    const making: Making = { guest, beganAt: this.#now(), spare: false, overtaken: () => {} }
    this.#making.add(making)
    return {
      since,
      spare: () => {
        making.spare = true
        this.#admit(undefined)
      },
      onOvertaken: listen => {
        making.overtaken = listen
      },
      leave: at => {
        if (!this.#making.delete(making)) return
        const used = this.#used.get(guest)
        if (used !== undefined) this.#used.set(guest, used + Math.max(0, at - making.beganAt))
        this.#admit(at)
      },
    }
  }

  /** Admits the next session that may begin a frame now, if any. */
  #admit(since: number | undefined): void {
    const next = this.#waiting.filter(({ guest }) => this.#mayBegin(guest)).sort((a, b) => this.#rank(a, b))[0]
    if (!next) return
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    next.begin(since)
  }

  #mayBegin(guest: Guest): boolean {
    const making = [...this.#making]
    if (making.length === 0) return true
    if (making.length >= MAX_MAKING || making.some(({ spare }) => !spare)) return false
    return making.filter(other => other.guest === guest).length < guest.inFlight
  }

  #rank(a: Waiting, b: Waiting): number {
    if (a.guest.kind !== b.guest.kind) return a.guest.kind === 'viewer' ? -1 : 1
    return (this.#used.get(a.guest) ?? 0) - (this.#used.get(b.guest) ?? 0)
  }
}
