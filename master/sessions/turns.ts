/**
 * Whose frame is next. Sessions share the cluster frame by frame, for two frames that are made side by side are both late: a viewer's
 * frame goes before a film's, and of those alike the one whose session has had least of the cluster. A session that may have several
 * frames in flight begins its next one as soon as somebody has nothing left to do for those that are being made.
 */
import { CancelledError } from '../../shared/errors.ts'

/** A session as the others see it. */
export interface Guest {
  readonly kind: 'film' | 'viewer'
  /** Frames of it that may be in the making at once. */
  readonly inFlight: number
}

/** A frame's leave to use the cluster. */
export interface Turn {
  /** Since when it has been there, ms on the clock of `leave`; undefined: it was there at once. */
  readonly since: number | undefined
  /** Somebody has nothing left to do for the frame. */
  spare(): void
  /** Has `listen` called when another frame begins before this one is over. */
  onOvertaken(listen: () => void): void
  /** The frame is over, whole or not; `at` in ms. */
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

/** Frames of all sessions that may be in the making at once. */
const MAX_MAKING = 2

export class Turns {
  readonly #now: () => number
  readonly #making = new Set<Making>()
  readonly #waiting: Waiting[] = []
  /** Time that each session has had, ms; a newcomer begins with the least of those that are there. */
  readonly #used = new Map<Guest, number>()

  /** @param now ms, as `leave` is told */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Sessions that are there. */
  get guests(): number {
    return this.#used.size
  }

  /** Takes a session in; the answer ends its stay. */
  join(guest: Guest): () => void {
    const others = [...this.#used.values()]
    this.#used.set(guest, others.length > 0 ? Math.min(...others) : 0)
    return () => this.#used.delete(guest)
  }

  /** Resolves when the guest may begin a frame. Rejects with CancelledError. */
  enter(guest: Guest, signal: AbortSignal): Promise<Turn> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new CancelledError())
      const cancel = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new CancelledError())
      }
      const waiting: Waiting = {
        guest,
        begin: since => {
          signal.removeEventListener('abort', cancel)
          resolve(this.#begin(guest, since))
        },
      }
      signal.addEventListener('abort', cancel, { once: true })
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

  /** Lets in who may begin now, if anyone. */
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
