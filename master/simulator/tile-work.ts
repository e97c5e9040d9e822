/** What tracing a tile takes a simulated worker. */

import type { ClusterSpec, VirtualWorker } from './cluster-spec.ts'
import { coherenceFactor } from './coherence.ts'
import type { FrameCosts } from './frame-costs.ts'
import { noiseFactor } from './noise.ts'
import type { OwnerMap } from './owner-map.ts'
import type { TileWork, VirtualOrder } from './virtual-tracer.ts'

/** Where and of what a tile is traced. */
export interface TileSite {
  readonly cluster: ClusterSpec
  readonly costs: FrameCosts
  /** Who had the pixels in the frame before, where it matters. */
  readonly owners?: OwnerMap
}

/** A batch of rows is this share of those that are left. */
const SHARE_OF_REST = 1 / 12

/** As workers do it: whole blocks at first, parts of one towards the end, two rows at least. */
function batchRows(rest: number, most: number, blockRows: number): number {
  const share = Math.max(2, Math.min(most, rest * SHARE_OF_REST))
  return share >= blockRows ? Math.floor(share / blockRows) * blockRows : 2 ** Math.floor(Math.log2(share))
}

export function tileWork(
  { id, speed, actualSpeed = speed }: VirtualWorker,
  { lease, tile }: VirtualOrder,
  { cluster: { tracing }, costs, owners }: TileSite,
): TileWork {
  const { tileCpuMs, noise, seed, batchPixels, blockRows, migrationMsPerPixel } = tracing
  const moved = migrationMsPerPixel > 0 && owners ? owners.foreignPixels(id, tile) : 0
  const before = tileCpuMs + moved * migrationMsPerPixel
  const coherence = coherenceFactor(tile)
  // A machine that is slower than it says takes more CPU time, as a slower processor would.
  const factor = (noiseFactor(noise, seed, lease) * speed) / actualSpeed
  let rows: Float64Array | undefined
  return {
    cpuMs: (before + costs.sum(tile) * coherence) * factor,
    above() {
      rows ??= costs.above(tile).map(cost => (before + cost * coherence) * factor)
      return rows
    },
    batchRows: rest => batchRows(rest, Math.round(batchPixels / tile.rect.w), blockRows),
  }
}
