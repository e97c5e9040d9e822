/**
 * The one table of every area's state. Frames, checks, warm-up, membership, drain and `GET /healthz` read it or subscribe to it; nobody
 * keeps a copy.
 *
 *                 ┌──────────────────── serving ◀───────────────────┐
 *                 │  nothing heard ▲ │            ▲                  │
 *                 │   of it lately │ ▼            │ its pause ends   │ its worker has it back
 *     joining ────┤              quiet ──▶ quarantined ◀──────▶ withdrawn
 *                 │                │              │                  │
 *                 │                └──────────────┼──────────────────┤
 *                 │                               ▼                  ▼
 *                 └──────────────────────────▶ leaving ──────────▶ gone
 *
 * How far a worker is with a scene (loading, building, ready) is said by its `SceneDelivery`, and whether an area has traced one since by
 * `Area.warmth`: an area that serves is at work with several scenes at a time. `phaseOf` puts the two together into one word.
 */

import { invariant } from '../../shared/errors.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import { byName } from '../../shared/text/by-name.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { Pause } from './reliability.ts'
import type { Area } from './worker-link.ts'

export type AreaState = 'joining' | 'serving' | 'quiet' | 'quarantined' | 'withdrawn' | 'leaving' | 'gone'

const ALLOWED: Readonly<Record<AreaState, readonly AreaState[]>> = {
  joining: ['serving', 'quarantined'],
  serving: ['quiet', 'quarantined', 'withdrawn', 'leaving', 'gone'],
  quiet: ['serving', 'quarantined', 'withdrawn', 'leaving', 'gone'],
  // Of two reasons for a pause the longer one counts.
  quarantined: ['serving', 'quarantined', 'withdrawn', 'leaving', 'gone'],
  withdrawn: ['serving', 'quarantined', 'withdrawn', 'leaving', 'gone'],
  leaving: ['gone'],
  gone: [],
}

/** What comes with a change of state. */
export interface Circumstance {
  /** Why, except where an area serves again. */
  readonly reason?: string
  /** Of a quarantine. */
  readonly pause?: Pause
  /** Of an area that leaves or is withdrawn: of these leases the rows above one each (px of the frame) are still answered. */
  readonly keeps?: ReadonlyMap<LeaseId, number>
}

/** An area changed its state. */
export interface Transition extends Circumstance {
  readonly area: Area
  readonly from: AreaState
  readonly to: AreaState
  /** ms on the master's clock. */
  readonly at: number
}

/** One word for what an area is doing, as `GET /healthz` shows it. */
export type AreaPhase = Exclude<AreaState, 'serving' | 'gone'> | 'loading' | 'building' | 'warming' | 'ready'

interface Entry {
  readonly area: Area
  state: AreaState
  since: number
  circumstance: Circumstance
}

/** What an area is doing, in full. */
export interface Standing extends Circumstance {
  readonly state: AreaState
  /** ms on the master's clock. */
  readonly since: number
}

export class Roster {
  readonly #clock: Clock
  readonly #entries = new Map<AreaId, Entry>()
  readonly #listeners = new Set<(change: Transition) => void>()
  readonly #quiet = new Set<AreaId>()
  /** All areas by name: every session asks for them whenever one becomes ready. */
  #sorted: readonly Area[] | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Areas of which nothing has been heard for a moment. A live view. */
  get quiet(): ReadonlySet<AreaId> {
    return this.#quiet
  }

  /** All areas, by name, so that a worker that returns gets its old neighbours and its old part of the screen. */
  areas(): readonly Area[] {
    this.#sorted ??= [...this.#entries.values()].map(({ area }) => area).sort((a, b) => byName(a.info, b.info))
    return this.#sorted
  }

  find(id: AreaId): Area | undefined {
    return this.#entries.get(id)?.area
  }

  /** @returns `gone` for an area that is not, or no longer, in the table */
  stateOf(id: AreaId): AreaState {
    return this.#entries.get(id)?.state ?? 'gone'
  }

  standingOf(id: AreaId): Standing | undefined {
    const entry = this.#entries.get(id)
    return entry && { ...entry.circumstance, state: entry.state, since: entry.since }
  }

  /** What an area is doing; of its scenes the one that it is furthest from tracing counts. */
  phaseOf(area: Area): AreaPhase {
    const state = this.stateOf(area.id)
    invariant(state !== 'gone', 'an area that is gone does nothing')
    return state === 'serving' ? area.link.scenes.phase(area.warmth) : state
  }

  /** Adds areas, which are joining. */
  add(areas: readonly Area[]): void {
    for (const area of areas)
      this.#entries.set(area.id, { area, state: 'joining', since: this.#clock.now(), circumstance: {} })
    this.#sorted = undefined
  }

  /** Changes the state of an area; nothing happens if that is its state, unless there is another reason for it. */
  move(area: Area, to: AreaState, circumstance: Circumstance = {}): void {
    const entry = this.#entries.get(area.id)
    if (!entry) return
    const { state: from } = entry
    if (from === to && !ALLOWED[to].includes(to)) return
    invariant(ALLOWED[from].includes(to), `area ${area.id} was ${from} and cannot be ${to}`)
    const at = this.#clock.now()
    Object.assign(entry, { state: to, since: at, circumstance })
    if (to === 'quiet') this.#quiet.add(area.id)
    else this.#quiet.delete(area.id)
    if (to === 'gone') {
      this.#entries.delete(area.id)
      this.#sorted = undefined
    }
    const change: Transition = { area, from, to, at, ...circumstance }
    for (const listener of [...this.#listeners]) listener(change)
  }

  /** Hears of every transition, after it, until the returned function is called. */
  subscribe(listener: (change: Transition) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Those of some areas that are given tiles. If all of them have failed too often, it is the one whose pause ends first: frames made
   * slowly are better than none. One that does not answer would make none.
   */
  able(areas: readonly Area[]): readonly Area[] {
    const able = areas.filter(({ id }) => isAtWork(this.stateOf(id)))
    if (able.length > 0) return able
    let next: Area | undefined
    let soonest = Number.POSITIVE_INFINITY
    for (const area of areas) {
      const { pause } = this.#entries.get(area.id)?.circumstance ?? {}
      if (!pause || pause.cause === 'silence' || pause.until >= soonest) continue
      next = area
      soonest = pause.until
    }
    return next ? [next] : []
  }

  /**
   * Those that are given tiles, or will be within a minute: a session that waits for several areas waits for them. One that an operator has
   * set aside is away for an hour, unless that is taken back.
   */
  expected(areas: readonly Area[]): readonly Area[] {
    return areas.filter(({ id }) => {
      const entry = this.#entries.get(id)
      return entry && (isAtWork(entry.state) || entry.circumstance.pause?.cause === 'failures')
    })
  }
}

/** Whether an area can be given tiles; one that is quiet gets none until it is heard of again, but counts. */
export const isAtWork = (state: AreaState): boolean => state === 'serving' || state === 'quiet'
