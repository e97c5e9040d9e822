/**
 * Which areas fail again and again, and for how long each is quarantined. Three failures within a minute are too many; from then on one is, until a
 * good stretch has passed. Each pause is twice as long as the one before, and a good stretch takes one doubling back, so that a worker
 * that has recovered is forgiven in the end. Pure: the clock is given.
 *
 * What identifies a peer is the caller's business: it has to outlast a connection, or a worker that is killed and restarted is a new one each time.
 */
import { CONNECTIONS } from '../../shared/protocol/peer-limits.ts'
import { MAX_AREAS } from '../../shared/protocol/version.ts'
import type { QuarantineCause } from '../scheduling/events.ts'

/** A time without tiles. */
export interface Pause {
  readonly reason: string
  readonly cause: QuarantineCause
  /** When it ends, and how long it is, ms. */
  readonly until: number
  readonly ms: number
}

export interface ReliabilityLimits {
  /** So many failures within this time are too many, ms. */
  readonly failures: number
  readonly withinMs: number
  /** The first pause, and the longest, ms. */
  readonly pauses: Readonly<
    Record<Exclude<QuarantineCause, 'operator'>, { readonly first: number; readonly most: number }>
  >
  /** After so long without a failure the next pause is half as long again, ms. */
  readonly forgivenAfterMs: number
}

/**
 * A failure costs a frame little: the tile is traced again at once. Silence is noticed after a quarter of a minute, for which the frame
 * has waited.
 */
export const DEFAULT_RELIABILITY: ReliabilityLimits = {
  failures: 3,
  withinMs: 60_000,
  pauses: { failures: { first: 1000, most: 60_000 }, silence: { first: 30_000, most: 600_000 } },
  forgivenAfterMs: 60_000,
}
/** What an operator asks for counts more than what happened, and lasts until it is taken back: or this long, ms. */
const OPERATOR_MS = 3_600_000
const WEIGHTS: Readonly<Record<QuarantineCause, number>> = { failures: 0, silence: 1, operator: 2 }
/** More doublings make no pause longer, and would only take longer to forgive. */
const MOST_DOUBLINGS = 6
/**
 * Twice the areas that can be connected. Of more, those that have not failed for the longest time are forgotten: peers can invent names. A
 * pause that is running is not forgotten, so that no worker ends one by failing under other names; of those there are only as many as
 * connections can begin within the longest pause.
 */
export const MOST_REMEMBERED = 2 * CONNECTIONS.total * MAX_AREAS

interface Entry {
  /** Times of the failures that count. */
  failures: number[]
  /** How often the pause has been doubled, and not been forgiven. */
  doublings: number
  /** Since when it has not failed; within a pause, its end. */
  quietSince: number
  pause: Pause | undefined
}

export class Reliability {
  readonly #limits: ReliabilityLimits
  readonly #entries = new Map<string, Entry>()

  constructor(limits: ReliabilityLimits = DEFAULT_RELIABILITY) {
    this.#limits = limits
  }

  /** How many are remembered. */
  get size(): number {
    return this.#entries.size
  }

  /** The pause of a peer, if it has one now. */
  pauseOf(who: string, now: number): Pause | undefined {
    const pause = this.#entries.get(who)?.pause
    return pause && pause.until > now ? pause : undefined
  }

  /** A peer failed. Returns its pause if one begins. What happens within a pause does not count: it may be the end of what led to it. */
  failed(who: string, reason: string, now: number): Pause | undefined {
    if (this.pauseOf(who, now)) return undefined
    const entry = this.#recall(who, now)
    entry.failures.push(now)
    entry.quietSince = now
    const most = entry.doublings > 0 ? 1 : this.#limits.failures
    return entry.failures.length < most ? undefined : this.#begin(entry, reason, 'failures', now)
  }

  /** It needs a pause, whatever else it did. Returns that pause unless one that is as long has begun before. */
  quarantine(who: string, reason: string, cause: QuarantineCause, now: number): Pause | undefined {
    const running = this.pauseOf(who, now)
    if (running && WEIGHTS[running.cause] >= WEIGHTS[cause]) return undefined
    return this.#begin(this.#recall(who, now), reason, cause, now)
  }

  /** A peer that was silent has answered: it was slow. Returns whether that ends a pause, which then does not count. */
  lift(who: string, now: number): boolean {
    const entry = this.#entries.get(who)
    if (this.pauseOf(who, now)?.cause !== 'silence' || !entry) return false
    entry.pause = undefined
    entry.doublings = Math.max(0, entry.doublings - 1)
    entry.quietSince = now
    return true
  }

  /** An operator says that it may work again. Returns whether that ends a pause. What led to it is forgiven, too. */
  release(who: string, now: number): boolean {
    const entry = this.#entries.get(who)
    if (!this.pauseOf(who, now) || !entry) return false
    Object.assign(entry, { pause: undefined, doublings: 0, failures: [], quietSince: now })
    return true
  }

  #begin(entry: Entry, reason: string, cause: QuarantineCause, now: number): Pause {
    if (cause === 'operator') {
      entry.pause = { reason, cause, until: now + OPERATOR_MS, ms: OPERATOR_MS }
      entry.quietSince = entry.pause.until
      return entry.pause
    }
    const { first, most } = this.#limits.pauses[cause]
    const ms = Math.min(first * 2 ** entry.doublings, most)
    const pause = { reason, cause, until: now + ms, ms }
    entry.pause = pause
    entry.failures = []
    entry.doublings = Math.min(entry.doublings + 1, MOST_DOUBLINGS)
    entry.quietSince = pause.until
    return pause
  }

  /** @param newest is not forgotten */
  #forget(newest: string, now: number): void {
    for (const who of this.#entries.keys()) {
      if (this.#entries.size <= MOST_REMEMBERED) return
      if (who !== newest && !this.pauseOf(who, now)) this.#entries.delete(who)
    }
  }

  /** What counts of a peer's past. It is the newest of all now. */
  #recall(who: string, now: number): Entry {
    const entry = this.#entries.get(who) ?? { failures: [], doublings: 0, quietSince: now, pause: undefined }
    this.#entries.delete(who)
    this.#entries.set(who, entry)
    this.#forget(who, now)
    entry.failures = entry.failures.filter(at => now - at < this.#limits.withinMs)
    const stretches = Math.max(0, Math.floor((now - entry.quietSince) / this.#limits.forgivenAfterMs))
    entry.doublings = Math.max(0, entry.doublings - stretches)
    return entry
  }
}
