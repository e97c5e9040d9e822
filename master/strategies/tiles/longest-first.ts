/**
 * Longest first: each task, in order of decreasing cost, goes to the worker that will finish it soonest (Graham, "Bounds
 * on Multiprocessing Timing Anomalies", SIAM J. Appl. Math. 17(2), 1969; for unequal speeds Gonzalez, Ibarra & Sahni,
 * "Bounds for LPT Schedules on Uniform Processors", SIAM J. Comput. 6(1), 1977).
 */
import type { AreaId } from '../../../shared/ids.ts'
import type { AreaShare } from '../strategy.ts'

export interface Task {
  /** ms of a worker of speed 1. */
  readonly cost: number
}

/** The tasks in the order in which they were assigned. Ties go to the earlier task and the earlier worker. */
export function longestFirst<T extends Task>(
  tasks: readonly T[],
  workers: readonly AreaShare[],
): (T & { worker: AreaId })[] {
  const loads = new Float64Array(workers.length)
  const pace = Float64Array.from(workers, ({ speed }) => 1 / speed)
  return tasks
    .toSorted((a, b) => b.cost - a.cost)
    .map(task => {
      let soonest = 0
      let end = Number.POSITIVE_INFINITY
      for (let i = 0; i < loads.length; i++) {
        const through = (loads[i]! + task.cost) * pace[i]!
        if (through < end) [soonest, end] = [i, through]
      }
      loads[soonest]! += task.cost
      return { ...task, worker: workers[soonest]!.id }
    })
}
