/**
 * Frames that clients still have to take when their master closes. Each client has time as long as it takes something, but not for ever: one
 * that holds its connection and takes nothing would keep the master from ending.
 */

export interface TakeLimits {
  /** How long a client may take nothing, ms. */
  readonly idleMs: number
  /** How long it may take for what is there since the last frame was made for it, ms. */
  readonly allMs: number
}

export const DEFAULT_TAKE_LIMITS: TakeLimits = { idleMs: 10_000, allMs: 60_000 }

/** A client as seen by a master that closes. */
export interface Taker {
  /** Frames that it was given and has not taken, and those that it has ever been given. */
  readonly untaken: number
  readonly given: number
  /** Grows as it takes something. */
  readonly progress: number
}

interface Mark {
  readonly given: number
  progress: number
  /** When it took something, and since when it has been given nothing more, ms. */
  at: number
  readonly since: number
}

export class LastFrames {
  readonly #limits: TakeLimits
  readonly #marks = new Map<Taker, Mark>()

  constructor(limits: TakeLimits) {
    this.#limits = limits
  }

  /** Called now and then; returns those that have had enough time, and what they have done with it. */
  late<T extends Taker>(takers: Iterable<T>, now: number): [taker: T, why: string][] {
    return [...takers].flatMap(taker => {
      const why = this.#slowness(taker, now)
      return why === undefined ? [] : [[taker, why]]
    })
  }

  #slowness(taker: Taker, now: number): string | undefined {
    const { untaken, given, progress } = taker
    const mark = this.#marks.get(taker)
    if (!mark || untaken === 0 || given > mark.given) {
      this.#marks.set(taker, { given, progress, at: now, since: now })
      return undefined
    }
    if (progress > mark.progress) Object.assign(mark, { progress, at: now })
    const { idleMs, allMs } = this.#limits
    if (now - mark.at >= idleMs) return `has taken nothing for ${idleMs / 1000} s`
    if (now - mark.since >= allMs) return `has not taken everything within ${allMs / 1000} s`
    return undefined
  }
}
