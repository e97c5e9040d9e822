/** The record of one answer to a lease, from its order to its pixels in place; times in ms on the master's clock. */
import type { TileReport } from '../../shared/frame/frame-report.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { TileCells } from '../../shared/protocol/cell-costs.ts'
import type { TileTimes } from '../../shared/protocol/codec.ts'
import type { TracedTile } from './frame-planner.ts'

export interface LeaseRecord {
  readonly lease: LeaseId
  readonly worker: AreaId
  /** The pixels that went into the frame. */
  readonly tile: PixelSet
  /** When its order was sent or, if parts of the lease arrived earlier, when the last of those arrived. */
  readonly sentAt: number
  readonly arrivedAt: number
  readonly stitchedAt: number
  /** As measured by the worker. */
  readonly times: TileTimes
  /** What was predicted of the tile, for a worker of speed 1, in the unit of the plan's predictions. */
  readonly predicted?: number
  /** Cell costs of all traced pixels, including those that did not go into the frame. */
  readonly cells?: TileCells
}

/** Its entry in the frame report. */
export const tileReport = ({ tile, worker, times }: Omit<LeaseRecord, 'cells'>): TileReport => ({
  ...tile,
  worker,
  cpuMs: times.cpuMs,
  wallMs: times.wallMs,
  ...(times.work === undefined ? {} : { work: times.work }),
})

/** Its data for the planner. */
export const tracedTile = ({ cells, ...record }: LeaseRecord): TracedTile => ({
  ...tileReport(record),
  ...(cells ? { cells } : {}),
})
