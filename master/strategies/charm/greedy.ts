/**
 * GreedyLB: the heaviest object to the least loaded processor, again and again ("Understanding GreedyLB and RefineLB",
 * Algorithm 1). Previous placement is ignored, so nearly all objects move; the result is balanced to within about one
 * object. A processor's load is everything on it, divided by its speed.
 */
import {
  type Assignment,
  countMovable,
  countMoved,
  NOWHERE,
  type Objects,
  type Processors,
  processorLoads,
  unassign,
} from './objects.ts'
import { heaviestFirst } from './order-by-load.ts'
import { ProcessorHeap } from './processor-heap.ts'

export function greedy(objects: Objects, processors: Processors): Assignment {
  const owners = unassign(objects, processors, 'all')
  const loads = processorLoads({ ...objects, owners }, processors)
  const { assigned, heapOperations } = placeGreedily({ ...objects, owners }, processors, loads)
  return {
    owners,
    decisions: {
      objects: countMovable(objects),
      assigned,
      moved: countMoved(objects.owners, owners),
      swapped: 0,
      refused: 0,
      stuck: 0,
      heapOperations,
    },
  }
}

/** Places every unassigned object, updating `owners`, and adds its load to that of its processor in `sums`. */
export function placeGreedily(
  { loads, owners }: Objects,
  { speeds }: Processors,
  sums: Float64Array,
): { readonly assigned: number; readonly heapOperations: number } {
  if (!owners.includes(NOWHERE)) return { assigned: 0, heapOperations: 0 }
  const heap = new ProcessorHeap(speeds.length)
  for (let p = 0; p < speeds.length; p++) if (speeds[p]! > 0) heap.push(p, sums[p]! / speeds[p]!)
  let assigned = 0
  for (const object of heaviestFirst(loads)) {
    if (owners[object] !== NOWHERE) continue
    const receiver = heap.top
    const sum = sums[receiver]! + loads[object]!
    owners[object] = receiver
    sums[receiver] = sum
    heap.replaceTop(sum / speeds[receiver]!)
    assigned++
  }
  return { assigned, heapOperations: heap.operations }
}
