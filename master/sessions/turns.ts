/**
 * Decides whose frame is next. Sessions share the cluster frame by frame, because two frames made side by side would both
 * be late: a viewer's frame goes before a film's, and among equals the session that has used the cluster least goes
 * first. Time that a session did not ask for is not owed to it: after a pause it continues where the others are, as in
 * start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996). A session that may have several frames in flight begins its
 * next one as soon as an area has nothing left to do for those in progress. A frame for which some of the areas are enough claims
 * those, and others are made beside it.
 */
import { setMaxListeners } from 'node:events'
import { CancelledError } from '../../shared/errors.ts'
import type { AreaId } from '../../shared/ids.ts'
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
  /** The frame is made by these areas, a share of all: the others may make another one meanwhile. @default by all */
  claim(areas: readonly AreaId[], share: number): void
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
  /** What its session had used then, ms. */
  readonly usedBefore: number
  /** Undefined: all areas. */
  claimed: readonly AreaId[] | undefined
  /** Of all areas. */
  share: number
  spare: boolean
  overtaken: () => void
}

interface Waiting {
  readonly guest: Guest
  begin(since: number | undefined): void
}

/** Maximum number of frames in progress at once, over all sessions, of those that take all areas and in all. */
const MAX_WHOLE = 2
const MAX_MAKING = 16
/** Shares that add up to the whole cluster, but for rounding. */
const ALL = 1 - 1e-9

export class Turns {
  readonly #now: () => number
  readonly #closing = new AbortController()
  readonly #making = new Set<Making>()
  readonly #waiting: Waiting[] = []
  /** Time used by each session in frames that are over, ms. */
  readonly #used = new Map<Guest, number>()
  /**
   * How far the sessions of each kind have got, ms: what that of the oldest frame in progress had used when the frame began. Sessions
   * with frames waiting or in progress are at most a few frames ahead of it, and a session that had none resumes there.
   */
  readonly #reached = { film: 0, viewer: 0 }

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

  /** Number of sessions that have a frame waiting or in progress, as far as these can be made at once. */
  get busy(): number {
    return Math.min(MAX_MAKING, new Set([...this.#making, ...this.#waiting].map(({ guest }) => guest)).size)
  }

  /** By how many frames in progress each area is claimed. */
  get claims(): ReadonlyMap<AreaId, number> {
    const claims = new Map<AreaId, number>()
    for (const { claimed = [] } of this.#making)
      for (const area of claimed) claims.set(area, (claims.get(area) ?? 0) + 1)
    return claims
  }

  /** Adds a session; the returned function removes it. */
  join(guest: Guest): () => void {
    this.#used.set(guest, this.#reached[guest.kind])
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
      this.#resume(guest)
      this.#waiting.push(waiting)
      this.#admit(undefined)
    })
  }

  /** Forgets the time that a session had no use for. */
  #resume(guest: Guest): void {
    const used = this.#used.get(guest)
    const isBusy = [...this.#making, ...this.#waiting].some(other => other.guest === guest)
    if (used === undefined || isBusy) return
    this.#advance(guest.kind)
    this.#used.set(guest, Math.max(used, this.#reached[guest.kind]))
  }

  #advance(kind: Guest['kind']): void {
    const making = [...this.#making].filter(({ guest }) => guest.kind === kind)
    if (making.length === 0) return
    const oldest = Math.min(...making.map(({ usedBefore }) => usedBefore))
    this.#reached[kind] = Math.max(this.#reached[kind], oldest)
  }

  /** Including frames in progress, ms. */
  #usedBy(guest: Guest): number {
    const own = [...this.#making].filter(making => making.guest === guest)
    return own.reduce((sum, { beganAt, share }) => sum + (this.#now() - beganAt) * share, this.#used.get(guest) ?? 0)
  }

  #begin(guest: Guest, since: number | undefined): Turn {
    for (const { spare, overtaken } of this.#making) if (spare) overtaken()
    const beganAt = this.#now()
    const all = { claimed: undefined, share: 1 }
    const making: Making = {
      guest,
      beganAt,
      usedBefore: this.#usedBy(guest),
      ...all,
      spare: false,
      overtaken: () => {},
    }
    this.#making.add(making)
    return {
      since,
      claim: (areas, share) => {
        making.claimed = areas
        making.share = share
        this.#admit(undefined)
      },
      spare: () => {
        making.spare = true
        this.#admit(undefined)
      },
      onOvertaken: listen => {
        making.overtaken = listen
      },
      leave: at => {
        if (!this.#making.has(making)) return
        this.#advance(guest.kind)
        this.#making.delete(making)
        const used = this.#used.get(guest)
        if (used !== undefined) this.#used.set(guest, used + Math.max(0, at - beganAt) * making.share)
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
    const whole = making.filter(({ claimed }) => claimed === undefined)
    const taken = making.reduce((sum, { spare, share }) => sum + (spare ? 0 : share), 0)
    if (making.length >= MAX_MAKING || whole.length >= MAX_WHOLE || taken >= ALL) return false
    return making.filter(other => other.guest === guest).length < guest.inFlight
  }

  #rank(a: Waiting, b: Waiting): number {
    if (a.guest.kind !== b.guest.kind) return a.guest.kind === 'viewer' ? -1 : 1
    return this.#usedBy(a.guest) - this.#usedBy(b.guest)
  }
}
