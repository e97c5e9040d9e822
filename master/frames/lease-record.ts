/** What one answer to a lease brought, from its order to its pixels in place; times in ms on the master's clock. */
import type { TileReport } from '../../shared/frame-report.ts'
import type { AreaId, LeaseId } from '../../shared/ids.ts'
import type { PixelSet } from '../../shared/pixel-set.ts'
import type { TileCells } from '../../shared/protocol/cell-costs.ts'
import type { TileTimes } from '../../shared/protocol/codec.ts'
import type { TracedTile } from './frame-planner.ts'

export interface LeaseRecord {
  readonly lease: LeaseId
  readonly worker: AreaId
  /** The pixels that went into the frame. */
  readonly tile: PixelSet
  /** When its order was sent, or, where parts of the lease had come before, when the last of those came. */
  readonly sentAt: number
  readonly arrivedAt: number
  readonly stitchedAt: number
  /** As measured where it was traced. */
  readonly times: TileTimes
  /** Costs of the cells of all pixels that were traced, those among them that did not go into the frame. */
  readonly cells?: TileCells
}

/** What is reported of it. */
export const tileReport = ({ tile, worker, times }: Omit<LeaseRecord, 'cells'>): TileReport => ({
  ...tile,
  worker,
  cpuMs: times.cpuMs,
  wallMs: times.renderMs,
  ...(times.work === undefined ? {} : { work: times.work }),
})

/** What a planner wants to know of it. */
export const tracedTile = ({ cells, ...record }: LeaseRecord): TracedTile => ({
  ...tileReport(record),
  ...(cells ? { cells } : {}),
})
