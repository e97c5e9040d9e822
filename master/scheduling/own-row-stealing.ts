/** Row stealing that stays within each worker: its areas help each other at the end of a frame, and no others. */

import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { CostField } from '../costs/cost-field.ts'
import type { AreaShare, Plan } from '../strategies/strategy.ts'
import type { SchedulerLimits } from './limits.ts'
import { RowStealing, type Steal } from './row-stealing.ts'

/** What a schedule asks of the rule that moves rows. */
export type Stealing = { readonly [K in keyof RowStealing]: RowStealing[K] }

export class OwnRowStealing implements Stealing {
  readonly #plan: Pick<Plan, 'tiles'>
  readonly #limits: SchedulerLimits
  readonly #costs: CostField | undefined
  readonly #byWorker = new Map<AreaId, RowStealing>()
  readonly #byArea = new Map<AreaId, RowStealing>()
  readonly #byLease = new Map<LeaseId, RowStealing>()

  constructor(plan: Pick<Plan, 'tiles'>, areas: readonly AreaShare[], limits: SchedulerLimits, costs?: CostField) {
    this.#plan = plan
    this.#limits = limits
    this.#costs = costs
    const groups = new Map<AreaId, AreaShare[]>()
    for (const area of areas) if (area.workerId) groups.set(area.workerId, [...(groups.get(area.workerId) ?? []), area])
    for (const [worker, group] of groups) this.#group(worker, group)
  }

  #group(worker: AreaId, areas: readonly AreaShare[]): void {
    const stealing = new RowStealing(this.#plan, areas, this.#limits, this.#costs)
    this.#byWorker.set(worker, stealing)
    for (const { id } of areas) this.#byArea.set(id, stealing)
  }

  get #all(): Iterable<RowStealing> {
    return this.#byWorker.values()
  }

  get wakeAt(): number | undefined {
    const times = [...this.#all].flatMap(({ wakeAt }) => wakeAt ?? [])
    return times.length > 0 ? Math.min(...times) : undefined
  }

  isDry(now: number): boolean {
    for (const each of this.#all) if (each.isDry(now)) return true
    return false
  }

  joined(area: AreaShare, now: number): void {
    const { id, workerId } = area
    if (!workerId) return
    const stealing = this.#byWorker.get(workerId)
    if (!stealing) return this.#group(workerId, [area])
    this.#byArea.set(id, stealing)
    stealing.joined(area, now)
  }

  began(id: LeaseId, area: AreaId, pixels: PixelSet, now: number, factor?: number): number | undefined {
    const stealing = this.#byArea.get(area)
    if (stealing) this.#byLease.set(id, stealing)
    return stealing?.began(id, area, pixels, now, factor)
  }

  progressed(id: LeaseId, row: number, now: number, tookMs?: number, tracedMs?: number): void {
    this.#byLease.get(id)?.progressed(id, row, now, tookMs, tracedMs)
  }

  ended(id: LeaseId, now: number, tookMs?: number, tracedMs?: number): void {
    this.#byLease.get(id)?.ended(id, now, tookMs, tracedMs)
    this.#byLease.delete(id)
  }

  dropped(id: LeaseId, now: number): void {
    this.#byLease.get(id)?.dropped(id, now)
    this.#byLease.delete(id)
  }

  pin(id: LeaseId): void {
    this.#byLease.get(id)?.pin(id)
  }

  shorten(id: LeaseId, bottom: number): void {
    this.#byLease.get(id)?.shorten(id, bottom)
  }

  lost(area: AreaId): void {
    this.#byArea.get(area)?.lost(area)
  }

  next(now: number, able: (area: AreaId) => boolean): Steal | undefined {
    for (const each of this.#all) {
      const steal = each.next(now, able)
      if (steal) return steal
    }
    return undefined
  }
}
