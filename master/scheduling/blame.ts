/**
 * Attributes failures. A tile that fails on one area and succeeds on another incriminates the area; one that fails
 * everywhere incriminates the tile. Until that is known, the area is suspected and is given nothing that other areas can
 * trace: otherwise an area whose threads have died would take tile after tile only to fail it. Pure bookkeeping.
 */
import type { AreaId } from '../../shared/ids.ts'

/** Records that a tile failed on an area. The pieces of a tile share their blames. */
export interface Blame {
  readonly area: AreaId
  readonly reason: string
  /** `shared`: other areas failed the tile, too. `proven`: another area traced it. */
  verdict: 'open' | 'shared' | 'proven'
}

/** Proven failures after which an area is guilty. */
const MAX_PROVEN = 2

export class Suspicion {
  readonly #proven = new Map<AreaId, number>()
  readonly #open = new Map<AreaId, number>()

  /** Whether the area failed a tile that no area has tried since. */
  suspects(area: AreaId): boolean {
    return (this.#open.get(area) ?? 0) > 0
  }

  /**
   * Whether pixels may be given to an area now: not where they have failed, and not to an area whose last failure may be
   * its own fault while a better one is available.
   * @param live areas that can be given pixels at all
   */
  mayTake(area: AreaId, blames: readonly Blame[], live: ReadonlyMap<AreaId, unknown>): boolean {
    if (blames.length > 0 && !mayTrace(blames, area, live.keys())) return false
    if (!this.suspects(area)) return true
    for (const other of live.keys()) if (!this.suspects(other) && mayTrace(blames, other, live.keys())) return false
    return true
  }

  /** A tile that had failed on the areas of `blames` failed on `area`, too. Returns its updated blames. */
  failed(blames: readonly Blame[], area: AreaId, reason: string): readonly Blame[] {
    for (const blame of blames) this.#settle(blame, 'shared')
    this.#open.set(area, (this.#open.get(area) ?? 0) + 1)
    return [...blames, { area, reason, verdict: 'open' }]
  }

  /**
   * A tile was traced by `area`. Returns the blames of areas that have now reached the failure limit, each reported only once.
   */
  traced(blames: readonly Blame[], area: AreaId): readonly Blame[] {
    const guilty: Blame[] = []
    for (const blame of blames) {
      if (blame.verdict === 'proven') continue
      // If the same area traces it after all, the failure was bad luck.
      if (blame.area === area) {
        this.#settle(blame, 'shared')
        continue
      }
      this.#settle(blame, 'proven')
      const proven = (this.#proven.get(blame.area) ?? 0) + 1
      this.#proven.set(blame.area, proven)
      if (proven === MAX_PROVEN) guilty.push(blame)
    }
    return guilty
  }

  #settle(blame: Blame, verdict: Blame['verdict']): void {
    if (blame.verdict === 'open') this.#open.set(blame.area, this.#open.get(blame.area)! - 1)
    blame.verdict = verdict
  }
}

/**
 * Whether pixels may go to an area: not to one they have failed on while another live area has not failed them.
 * @param live areas that can be given pixels at all
 */
export function mayTrace(blames: readonly Blame[], area: AreaId, live: Iterable<AreaId>): boolean {
  if (!blames.some(blame => blame.area === area)) return true
  return failedOnAll(blames, live)
}

/** Why the frame must be given up: where and how often the pixels failed. Undefined if it need not be. */
export function verdict(blames: readonly Blame[], live: Iterable<AreaId>, maxFailures: number): string | undefined {
  const areas = new Set(blames.map(({ area }) => area)).size
  if (areas >= maxFailures) return `failed on ${areas} workers`
  if (blames.length < maxFailures || !failedOnAll(blames, live)) return undefined
  return areas === 1
    ? `failed on the only worker ${blames.length} times`
    : `failed ${blames.length} times on ${areas} workers, all that are left`
}

function failedOnAll(blames: readonly Blame[], live: Iterable<AreaId>): boolean {
  const areas = new Set(blames.map(blame => blame.area))
  for (const area of live) if (!areas.has(area)) return false
  return true
}
