/**
 * Attributes failures. A tile that fails on one area and succeeds on another incriminates the area; one that fails
 * everywhere incriminates the tile. Until that is known, the area is suspected and is given nothing that other areas can
 * trace: otherwise an area whose threads have died would take tile after tile only to fail it. Pure bookkeeping.
 *
 * What counts is who an area is, not its id: a worker that comes back under a new id has failed before what it failed then.
 */
import type { AreaId } from '../../shared/ids.ts'
import { type LiveAreas, Trust } from './trust.ts'

/** Names that outlast a connection. */
export interface Identity {
  readonly area: string
  readonly worker: string
}

/** Says who an area is. Asked while the area is connected. */
export type Identify = (area: AreaId) => Identity

/** Every area is new, and so is its worker. @param workers those of areas of workers that have several */
export const newcomers =
  (workers: ReadonlyMap<AreaId, AreaId>): Identify =>
  area => ({ area, worker: workers.get(area) ?? area })

/** Records that a tile failed on an area. The pieces of a tile share their blames. */
export interface Blame {
  readonly area: AreaId
  readonly who: Identity
  readonly reason: string
  /** `shared`: other areas failed the tile, too. `proven`: another area traced it. */
  verdict: 'open' | 'shared' | 'proven'
}

/** Names of the areas on which something failed. */
export const namesIn = (blames: readonly Blame[]): ReadonlySet<string> => new Set(blames.map(({ who }) => who.area))

/** Another area traced what this one failed. */
export interface Proof {
  readonly area: AreaId
  readonly who: Identity
  readonly reason: string
  /** It has now happened so often that the area is to be quarantined. */
  readonly isGuilty: boolean
}

/** Proven failures after which an area is guilty. */
const MAX_PROVEN = 2
const NO_WORKERS: ReadonlySet<string> = new Set()

export class Suspicion {
  readonly #identify: Identify
  readonly #trust: Trust
  /** By the names of areas. */
  readonly #proven = new Map<string, number>()
  readonly #known = new Map<AreaId, Identity>()

  /** @param live areas that can be given pixels at all, now and later */
  constructor(live: LiveAreas, identify: Identify) {
    this.#identify = identify
    this.#trust = new Trust(live, area => this.#who(area).area)
  }

  /** An area can be given pixels from now on. */
  joined(area: AreaId): void {
    this.#trust.joined(area)
  }

  /** An area is given no more pixels. */
  left(area: AreaId): void {
    this.#trust.left(area)
  }

  /** Whether the area failed a tile that no area has tried since. */
  suspects(area: AreaId): boolean {
    return this.#trust.hasCause && this.#trust.suspects(this.#who(area).area)
  }

  /** Name of an area on which all pixels have failed that a suspected one may take; undefined if it may take others, too. */
  get requiredOfSuspects(): string | undefined {
    return this.#trust.anyTrusted
  }

  /**
   * Whether pixels may be given to an area now: not where they have failed, and not to an area whose last failure may be
   * its own fault while a better one is available.
   */
  mayTake(area: AreaId, blames: readonly Blame[]): boolean {
    if (!this.mayTrace(blames, area)) return false
    return !this.suspects(area) || this.#able(blames, true) === 0
  }

  /** How many areas may take pixels now. */
  takers(blames: readonly Blame[]): number {
    return this.#able(blames, true) || this.#able(blames, false)
  }

  /** How many areas pixels may go to: those that are trusted, or all of them. */
  #able(blames: readonly Blame[], onlyTrusted: boolean): number {
    const names = namesIn(blames)
    return this.#trust.countBut(this.#trust.isAll(names) ? NO_WORKERS : names, onlyTrusted)
  }

  /** Whether pixels may go to an area: not to one they have failed on while another live area has not failed them. */
  mayTrace(blames: readonly Blame[], area: AreaId): boolean {
    if (blames.length === 0) return true
    const own = this.#who(area).area
    if (!blames.some(({ who }) => who.area === own)) return true
    return this.#trust.isAll(namesIn(blames))
  }

  /** A tile that had failed on the areas of `blames` failed on `area`, too. Returns its updated blames. */
  failed(blames: readonly Blame[], area: AreaId, reason: string): readonly Blame[] {
    for (const blame of blames) this.#settle(blame, 'shared')
    const who = this.#who(area)
    this.#trust.failed(who.area)
    return [...blames, { area, who, reason, verdict: 'open' }]
  }

  /** A tile was traced by `tracer`. Returns what this proves of those that had failed it. */
  traced(blames: readonly Blame[], tracer: AreaId): readonly Proof[] {
    const proofs: Proof[] = []
    for (const blame of blames) {
      if (blame.verdict === 'proven') continue
      // If the same area traces it after all, the failure was bad luck.
      if (blame.who.area === this.#who(tracer).area) {
        this.#settle(blame, 'shared')
        continue
      }
      this.#settle(blame, 'proven')
      const count = (this.#proven.get(blame.who.area) ?? 0) + 1
      this.#proven.set(blame.who.area, count)
      const { area, who, reason } = blame
      proofs.push({ area, who, reason, isGuilty: count >= MAX_PROVEN })
    }
    return proofs
  }

  /** Why the frame must be given up: where and how often the pixels failed. Undefined if it need not be. */
  verdict(blames: readonly Blame[], maxFailures: number): string | undefined {
    const workers = new Set(blames.map(({ who }) => who.worker)).size
    if (workers >= maxFailures) return `failed on ${workers} workers`
    if (blames.length < maxFailures || !this.#trust.isAll(namesIn(blames))) return undefined
    return workers === 1
      ? `failed on the only worker ${blames.length} times`
      : `failed ${blames.length} times on ${workers} workers, all that are left`
  }

  #settle(blame: Blame, verdict: Blame['verdict']): void {
    if (blame.verdict === 'open') this.#trust.settled(blame.who.area)
    blame.verdict = verdict
  }

  #who(area: AreaId): Identity {
    let known = this.#known.get(area)
    if (!known) {
      known = this.#identify(area)
      this.#known.set(area, known)
    }
    return known
  }
}
