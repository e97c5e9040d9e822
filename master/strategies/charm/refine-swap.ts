/**
 * RefineSwapLB: RefineLB gets stuck when processors have few objects, each too heavy to be given away; such a processor
 * then exchanges one for a lighter one of a light processor ("Understanding GreedyLB and RefineLB", RefineSwap). Of all
 * exchanges that do not overload the light processor, it makes the one that moves most load.
 */

import { MaxTree } from './max-tree.ts'
import { type Assignment, NOWHERE, type Objects, type Processors } from './objects.ts'
import { lightestFirst } from './order-by-load.ts'
import type { Placement } from './placement.ts'
import { OVERLOAD_TOLERANCE } from './refine.ts'
import { repair } from './repair.ts'

export function refineSwap(objects: Objects, processors: Processors, tolerance = OVERLOAD_TOLERANCE): Assignment {
  // Created when the first processor is stuck: often none is.
  let offers: Offers | undefined
  return repair(objects, processors, tolerance, (placement, donor) => {
    offers ??= new Offers(placement)
    return offers.exchange(donor)
  })
}

/**
 * The objects of light processors, lightest first, each with the load that may replace it: its own plus its processor's
 * room. The best return for an object is thus the first in that list whose slot can take it, found in O(log n) without
 * examining processors.
 */
class Offers {
  readonly #placement: Placement
  readonly #order: Uint32Array
  /** Position of each object in the order. */
  readonly #ranks: Uint32Array
  /** 1: this processor's objects are on offer. */
  readonly #offering: Uint8Array
  /** Load that may replace each object, by rank; −∞ for those not on offer. */
  readonly #slots: MaxTree

  constructor(placement: Placement) {
    const { loads, holdings, processors, changed } = placement
    this.#placement = placement
    this.#order = lightestFirst(loads, holdings.order)
    this.#ranks = new Uint32Array(loads.length)
    for (let rank = 0; rank < loads.length; rank++) this.#ranks[this.#order[rank]!] = rank
    this.#offering = new Uint8Array(processors)
    const slots = new Float64Array(loads.length).fill(Number.NEGATIVE_INFINITY)
    for (let processor = 0; processor < processors; processor++) {
      if (!placement.isLight(processor)) continue
      this.#offering[processor] = 1
      const room = placement.room(processor)
      for (let object = holdings.first(processor); object >= 0; object = holdings.after(object, processor)) {
        slots[this.#ranks[object]!] = room + loads[object]!
      }
    }
    this.#slots = new MaxTree(loads.length)
    this.#slots.fill(slots)
    changed.clear()
  }

  /** Exchanges an object of a heavy processor for a lighter one of a light processor; false if no two fit. */
  exchange(donor: number): boolean {
    this.#refresh()
    const { holdings, loads, owners } = this.#placement
    let [given, taken, best, last] = [NOWHERE, NOWHERE, 0, Number.NaN]
    for (let object = holdings.first(donor); object >= 0; object = holdings.after(object, donor)) {
      const load = loads[object]!
      // The remaining objects are lighter than the gain found so far.
      if (load <= best) break
      if (load === last) continue
      last = load
      const rank = this.#slots.firstAtLeast(load)
      if (rank < 0) continue
      const other = this.#order[rank]!
      const gain = load - loads[other]!
      if (gain > best) [given, taken, best] = [object, other, gain]
    }
    if (given < 0) return false
    const receiver = owners[taken]!
    this.#placement.move(given, receiver)
    this.#placement.move(taken, donor)
    this.#slots.set(this.#ranks[taken]!, Number.NEGATIVE_INFINITY)
    return true
  }

  /** Accounts for moves since the last exchange. */
  #refresh(): void {
    const { changed, holdings, loads } = this.#placement
    for (const processor of changed) {
      const room = this.#placement.room(processor)
      const light = room > Number.NEGATIVE_INFINITY
      // A processor that was not light had nothing on offer.
      if (!light && !this.#offering[processor]) continue
      this.#offering[processor] = light ? 1 : 0
      for (let object = holdings.first(processor); object >= 0; object = holdings.after(object, processor)) {
        this.#slots.set(this.#ranks[object]!, room + loads[object]!)
      }
    }
    changed.clear()
  }
}
