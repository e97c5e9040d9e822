/** Which waiting tile an area is given next: its own, then those without an area, those given back, and at last those that wait for others. */

import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { AreaId } from '../../shared/ids.ts'
import type { Plan } from '../strategies/strategy.ts'
import type { Suspicion } from './blame.ts'
import type { Expectations } from './expectations.ts'
import type { LiveArea } from './lease-table.ts'
import type { SchedulerLimits } from './limits.ts'
import { piecesOfEach, strips } from './strips.ts'
import type { TileQueues, WaitingTile } from './tile-queues.ts'

export interface ChosenTile {
  readonly tile: WaitingTile
  /** Whether it was taken from a live area. */
  readonly isStolen: boolean
}

export interface TileChoiceParts {
  readonly plan: Pick<Plan, 'ahead' | 'stealing'>
  readonly queues: TileQueues
  readonly suspicion: Pick<Suspicion, 'mayTake' | 'takers' | 'requiredOfSuspects'>
  readonly expectations: Pick<Expectations, 'durationMs'>
  readonly limits: Pick<SchedulerLimits, 'roundTripMs'>
}

export class TileChoice {
  readonly #plan: Pick<Plan, 'ahead' | 'stealing'>
  readonly #queues: TileQueues
  readonly #suspicion: Pick<Suspicion, 'mayTake' | 'takers' | 'requiredOfSuspects'>
  readonly #expectations: Pick<Expectations, 'durationMs'>
  readonly #roundTripMs: number

  constructor({ plan, queues, suspicion, expectations, limits }: TileChoiceParts) {
    this.#plan = plan
    this.#queues = queues
    this.#suspicion = suspicion
    this.#expectations = expectations
    this.#roundTripMs = limits.roundTripMs
  }

  /** Takes the tile from its queue. @param quiet areas that may be gone: what waits for them is taken by others */
  next({ id, held, isNewcomer }: LiveArea, quiet: ReadonlySet<AreaId>): ChosenTile | undefined {
    const queues = this.#queues
    const isIdle = held.length === 0
    const isTrusted = this.#suspicion.mayTake(id, [])
    // Unless the plan sets `ahead`, unowned tiles go to idle areas only: they would just wait at a busy one.
    const takesOthers = isTrusted && (isIdle || this.#plan.ahead !== undefined)
    const tile =
      (isTrusted ? queues.nextOf(id) : undefined) ??
      (takesOthers ? queues.nextForAnyone() : undefined) ??
      (isIdle ? this.#nextReturned(id, isTrusted) : undefined)
    if (tile) return { tile, isStolen: false }
    const { stealing } = this.#plan
    if (takesOthers && stealing && stealing !== 'own-rows' && queues.shareOfBusiest(id))
      return { tile: queues.nextOf(id)!, isStolen: true }
    if (!isIdle || !isTrusted) return undefined
    const ofQuiet = queues.lastOf(quiet)
    if (ofQuiet) return { tile: ofQuiet, isStolen: false }
    // No plan knows of it, and each planned area has more than it can hold.
    const ofBusiest = isNewcomer ? queues.lastOfBusiest() : undefined
    return ofBusiest && { tile: ofBusiest, isStolen: true }
  }

  #nextReturned(id: AreaId, isTrusted: boolean): WaitingTile | undefined {
    const suspicion = this.#suspicion
    return this.#queues.nextReturned(
      blames => suspicion.mayTake(id, blames),
      (tile, blames, waiting) =>
        strips(tile, Math.min(piecesOfEach(suspicion.takers(blames), waiting), this.#most(id, tile))),
      isTrusted ? undefined : suspicion.requiredOfSuspects,
    )
  }

  /** Into how many pieces a tile is cut at most: none should take less time than its order and its answer. */
  #most(area: AreaId, tile: PixelSet): number {
    const ms = this.#expectations.durationMs(area, tile)
    return ms === undefined || this.#roundTripMs <= 0 ? Number.POSITIVE_INFINITY : Math.ceil(ms / this.#roundTripMs)
  }
}
