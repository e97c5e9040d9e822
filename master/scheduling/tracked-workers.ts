/** Row stealing's bookkeeping for workers and their leases. */
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { AreaShare } from '../strategies/strategy.ts'

export interface TrackedLease {
  readonly worker: TrackedWorker
  readonly id: LeaseId
  /** First row as ordered, and current end (exclusive), rows of the frame. */
  readonly top: number
  bottom: number
  /** All rows above this one have arrived. */
  doneRow: number
  /** Expected cost of all rows above each row, from `top` on: rows + 1 entries. */
  readonly above: Float64Array
  /** Ratio of the actual to the expected cost of its rows. */
  factor: number
  /** Rows started at once: taking some of them would trace them twice. */
  readonly batchRows: number
  /** No rows of it may be taken: another worker has a copy, or they have failed before. */
  pinned: boolean
}

export interface TrackedWorker {
  readonly id: AreaId
  readonly speed: number
  /** Whether it came after the frame was planned. */
  readonly isNewcomer: boolean
  readonly grain: AreaShare['grain']
  /** In the order in which they are traced. */
  readonly leases: TrackedLease[]
  /** When it started on the unfinished rows of its first lease, ms, and the cost outstanding at that time. */
  since: number
  assignedCost: number
  /** Part of `assignedCost` that it must answer first; 0 if it has answered, or need not. */
  pendingCost: number
  /** Rows were taken from it while it was late, and it has not answered since. */
  robbed: boolean
}

/** Cost of a worker's remaining work. */
export function remaining({ leases }: TrackedWorker): number {
  let cost = 0
  for (const { above, top, bottom, doneRow, factor } of leases)
    cost += (above[bottom - top]! - above[doneRow - top]!) * factor
  return cost
}
