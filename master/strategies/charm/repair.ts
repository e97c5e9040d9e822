/**
 * The loop of RefineLB and RefineSwapLB: the heaviest processor gives until none is heavy or none can give. The slides
 * stop at the first processor that cannot give; here it is set aside, the loop continues, and it is retried when another
 * has become light. Unplaced objects (their worker has left) are placed greedily first.
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

/** Moves load from a heavy processor to light ones; false if nothing can be moved that way. */
export type Relief = (placement: Placement, donor: number) => boolean

/** @param exchange fallback for a processor that can give nothing away */
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
  /** Whether a processor has become light, so that the stuck ones can be retried. */
  readonly lightened: boolean
  readonly heapOperations: number
}

/** Lets the heaviest of these processors give for as long as one can. */
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
 * BestObjFromDonor: moves the heaviest object that a light processor can take without overload to the one with the most
 * room. Objects without load bring no relief.
 */
function donate(placement: Placement, donor: number): boolean {
  const object = placement.holdings.heaviestUpTo(donor, placement.mostRoom)
  if (object < 0 || placement.loads[object] === 0) return false
  placement.move(object, placement.roomiest)
  return true
}
