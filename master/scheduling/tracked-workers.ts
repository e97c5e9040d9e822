/** What row stealing keeps of workers and of what they were given. */
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { AreaShare } from '../strategies/strategy.ts'

export interface TrackedLease {
  readonly worker: TrackedWorker
  readonly id: LeaseId
  /** Rows of the frame that it began with, and (exclusive) ends with now. */
  readonly top: number
  bottom: number
  /** All rows above this one have come. */
  doneRow: number
  /** Expected cost of all rows above each row, from `top` on: rows + 1 entries. */
  readonly above: Float64Array
  /** What its rows cost, over what was expected. */
  factor: number
  /** Rows that are begun at once: rows among them that are given away would be traced twice. */
  readonly batchRows: number
  /** No rows of it are taken: they were given to somebody else, too, or have failed before. */
  pinned: boolean
}

export interface TrackedWorker {
  readonly id: AreaId
  readonly speed: number
  readonly grain: AreaShare['grain']
  /** In the order in which they are traced. */
  readonly leases: TrackedLease[]
  /** When it began with what is not done of the first of them, ms, and the cost that was still to come then. */
  since: number
  assignedCost: number
  /** Of that, the cost of a part that it shall answer first; 0: it has, or need not. */
  pendingCost: number
  /** Rows were taken from it while it was late, and it has not answered since. */
  robbed: boolean
}

/** Cost that a worker has still to do. */
export function remaining({ leases }: TrackedWorker): number {
  let cost = 0
  for (const { above, top, bottom, doneRow, factor } of leases)
    cost += (above[bottom - top]! - above[doneRow - top]!) * factor
  return cost
}
