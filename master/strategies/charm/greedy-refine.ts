/** Greedy, then refine, on the same loads: refine corrects what greedy got wrong with processors of unequal speed. */
import { greedy } from './greedy.ts'
import { type Assignment, countMoved, type Objects, type Processors } from './objects.ts'
import { OVERLOAD_TOLERANCE, refine } from './refine.ts'

export function greedyRefine(objects: Objects, processors: Processors, tolerance = OVERLOAD_TOLERANCE): Assignment {
  const placed = greedy(objects, processors)
  const { owners, decisions } = refine({ ...objects, owners: placed.owners }, processors, tolerance)
  return {
    owners,
    decisions: {
      ...decisions,
      assigned: placed.decisions.assigned,
      moved: countMoved(objects.owners, owners),
      heapOperations: placed.decisions.heapOperations + decisions.heapOperations,
    },
  }
}
