/**
 * Tells areas that hang from those that are slow. An area that says nothing about its tile for long is quarantined, but it may be in rows that
 * take as long, and if no other area gets anywhere either, it is the scene that is slow. It is not told to give up what it holds: if it answers,
 * it was slow, and from then on every area of the frame may be silent for twice as long.
 */
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { Expectations } from './expectations.ts'
import type { KnownAreas } from './known-areas.ts'
import type { LeaseTable, LiveArea } from './lease-table.ts'

/** An area may be silent for this many times what is expected of the rows that it starts at once. */
const ROWS_TIMES = 3
/** And for this many times the longest silence that was followed by an answer. */
const HONEST_TIMES = 2

export class Silence {
  readonly #leases: Pick<LeaseTable, 'areas' | 'silent'>
  readonly #expectations: Expectations
  readonly #known: Pick<KnownAreas, 'rowsAtOnce'>
  /** How long any area may be silent, ms. */
  #patienceMs: number
  /** Areas that were quarantined, with what they may still be at; and since when nothing was heard of them. */
  readonly #hung = new Map<AreaId, { readonly leases: readonly LeaseId[]; readonly since: number }>()

  constructor(
    leases: Pick<LeaseTable, 'areas' | 'silent'>,
    expectations: Expectations,
    known: Pick<KnownAreas, 'rowsAtOnce'>,
    patienceMs: number,
  ) {
    this.#leases = leases
    this.#expectations = expectations
    this.#known = known
    this.#patienceMs = patienceMs
  }

  /** How long any area may be silent, ms; those in costly rows longer. */
  get patienceMs(): number {
    return this.#patienceMs
  }

  /** Areas that hang, the longest silent first: no more than there are others to take over from them. */
  hanging(now: number): LiveArea[] {
    const silent = this.#leases
      .silent(now, this.#patienceMs)
      .filter(area => now - area.signAt > ROWS_TIMES * this.#rowsMs(area))
    if (silent.length === 0) return silent
    let able = 0
    for (const { held, progressAt } of this.#leases.areas.values())
      if (held.length === 0 || now - progressAt <= this.#patienceMs) able++
    return silent.slice(0, able)
  }

  /** What is expected of the rows that an area is in, ms; 0 if nothing is. */
  #rowsMs({ id, held: [first] }: LiveArea): number {
    if (!first) return 0
    return this.#expectations.rowsMs(id, first.tile, this.#known.rowsAtOnce(id, first.tile.rect.w)) ?? 0
  }

  /** An area is quarantined. @param leases what it may still be at */
  quarantined({ id, signAt }: LiveArea, leases: readonly LeaseId[]): void {
    this.#hung.set(id, { leases, since: signAt })
  }

  /** Something came of an area. If it was quarantined, it was slow: returns what it may still be at. */
  answered(area: AreaId, now: number): readonly LeaseId[] | undefined {
    const hung = this.#hung.get(area)
    if (!hung) return undefined
    this.#patienceMs = Math.max(this.#patienceMs, HONEST_TIMES * (now - hung.since))
    return this.forget(area)
  }

  /** An area is gone, or is told what to do from now on. Returns what it may still be at. */
  forget(area: AreaId): readonly LeaseId[] {
    const { leases = [] } = this.#hung.get(area) ?? {}
    this.#hung.delete(area)
    return leases
  }

  /** What all of them may still be at. */
  *left(): Generator<readonly [AreaId, LeaseId]> {
    for (const [area, { leases }] of this.#hung) for (const lease of leases) yield [area, lease]
  }
}
