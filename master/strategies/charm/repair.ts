/**
 * The loop of RefineLB and RefineSwapLB: the heaviest processor gives, until nobody is heavy or nobody can give. The
 * slides stop at the first processor that cannot; here it is set aside, the others go on, and it is asked again when one
 * of them has become light. Objects that are on no processor yet (their worker has left) are placed greedily first.
 */
import { placeGreedily } from './greedy.ts'
import {
  type Assignment,
  countMovable,
  countMoved,
  type Objects,
  type Processors,
  processorLoads,
  unassign,
} from './objects.ts'
import { Placement } from './placement.ts'
import { ProcessorHeap } from './processor-heap.ts'

/** Moves something from a heavy processor to light ones; false where nothing can be moved that way. */
export type Relief = (placement: Placement, donor: number) => boolean

/** @param exchange what a processor tries that nothing can be taken from */
export function repair(objects: Objects, processors: Processors, tolerance: number, exchange?: Relief): Assignment {
  const owners = unassign(objects, processors, 'misplaced')
  const placed = { ...objects, owners }
  const sums = processorLoads(placed, processors)
  const { assigned, heapOperations } = placeGreedily(placed, processors, sums)
  const placement = new Placement(placed, processors, sums, tolerance)

  const counts = { swapped: 0, refused: 0, stuck: 0, heapOperations }
  const give: Relief = (_, donor) => {
    if (donate(placement, donor)) return true
    counts.refused++
    if (!exchange?.(placement, donor)) return false
    counts.swapped++
    return true
  }
  let heavy = Array.from({ length: placement.processors }, (_, p) => p).filter(p => placement.isHeavy(p))
  for (let again = true; again; ) {
    const round = donateInTurn(placement, heavy, give)
    heavy = round.stuck
    counts.heapOperations += round.heapOperations
    again = round.lightened && heavy.length > 0
  }
  counts.stuck = heavy.length
  return {
    owners,
    decisions: {
      objects: countMovable(objects),
      assigned,
      moved: countMoved(objects.owners, owners),
      ...counts,
    },
  }
}

interface Round {
  /** Processors that are still heavy. */
  readonly stuck: number[]
  /** Whether a processor has become light, so that those can be asked again. */
  readonly lightened: boolean
  readonly heapOperations: number
}

/** Has the heaviest of these processors give, as long as there is one that can. */
function donateInTurn(placement: Placement, heavy: readonly number[], give: Relief): Round {
  const heap = new ProcessorHeap(heavy.length)
  for (const processor of heavy) heap.push(processor, -placement.time(processor))
  const stuck: number[] = []
  let lightened = false
  while (heap.size > 0) {
    const donor = heap.top
    const gave = give(placement, donor)
    if (gave && placement.isHeavy(donor)) heap.replaceTop(-placement.time(donor))
    else {
      heap.pop()
      if (!gave) stuck.push(donor)
      else if (placement.isLight(donor)) lightened = true
    }
  }
  return { stuck, lightened, heapOperations: heap.operations }
}

/**
 * BestObjFromDonor: the heaviest object that a light processor can take without being given too much, to the one that has
 * most room. Objects without load are no relief.
 */
function donate(placement: Placement, donor: number): boolean {
  const object = placement.holdings.heaviestUpTo(donor, placement.mostRoom)
  if (object < 0 || placement.loads[object] === 0) return false
  placement.move(object, placement.roomiest)
  return true
}
