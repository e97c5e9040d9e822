/** Which waiting tile an area is given next: its own, then those of nobody, those given back, and at last those that wait for others. */
import type { AreaId } from '../../shared/ids.ts'
import type { Plan } from '../strategies/strategy.ts'
import type { Suspicion } from './blame.ts'
import type { LiveArea } from './lease-table.ts'
import type { TileQueues, WaitingTile } from './tile-queues.ts'

export interface ChosenTile {
  readonly tile: WaitingTile
  /** Whether it was taken from a live area. */
  readonly isStolen: boolean
}

export class TileChoice {
  readonly #plan: Pick<Plan, 'ahead' | 'stealing'>
  readonly #queues: TileQueues
  readonly #suspicion: Pick<Suspicion, 'mayTake' | 'requiredOfSuspects'>

  constructor(
    plan: Pick<Plan, 'ahead' | 'stealing'>,
    queues: TileQueues,
    suspicion: Pick<Suspicion, 'mayTake' | 'requiredOfSuspects'>,
  ) {
    this.#plan = plan
    this.#queues = queues
    this.#suspicion = suspicion
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
    // No plan knows of it, and whoever was planned has more than it can hold.
    const ofBusiest = isNewcomer ? queues.lastOfBusiest() : undefined
    return ofBusiest && { tile: ofBusiest, isStolen: true }
  }

  #nextReturned(id: AreaId, isTrusted: boolean): WaitingTile | undefined {
    const suspicion = this.#suspicion
    const required = isTrusted ? undefined : suspicion.requiredOfSuspects
    return this.#queues.nextReturned(blames => suspicion.mayTake(id, blames), required)
  }
}
