/** What tracing a tile takes a simulated worker. */

import type { OwnerMap } from '../../shared/metrics/owner-map.ts'
import type { ClusterSpec, VirtualWorker } from './cluster-spec.ts'
import { coherenceFactor } from './coherence.ts'
import type { FrameCosts } from './frame-costs.ts'
import { noiseFactor } from './noise.ts'
import type { TileWork, VirtualOrder } from './virtual-tracer.ts'

/** Where and of what a tile is traced. */
export interface TileSite {
  readonly cluster: ClusterSpec
  readonly costs: FrameCosts
  /** Who had the pixels in the frame before. */
  readonly owners: OwnerMap
}

/** A batch of rows is this share of those that are left. */
const SHARE_OF_REST = 1 / 12

/** While that is worth being asked for: so many pixels, or a little more. */
const FINE_PIXELS = 192
const SLACK = 4 / 3

/** As workers do it: whole blocks at first, fewer rows towards the end; parts of a block are powers of two. */
function batchRows(rest: number, width: number, most: number, blockRows: number): number {
  const goal = Math.max(FINE_PIXELS, Math.min(most, rest * width * SHARE_OF_REST))
  let rows = 1
  while (rows < blockRows && rows * 2 * width <= goal * SLACK) rows *= 2
  return rows < blockRows ? rows : Math.max(1, Math.floor(goal / width / blockRows)) * blockRows
}

export function tileWork(
  { id, speed, actualSpeed = speed }: VirtualWorker,
  { lease, tile }: VirtualOrder,
  { cluster: { tracing }, costs, owners }: TileSite,
): TileWork {
  const { tileCpuMs, noise, seed, batchPixels, blockRows, migrationMsPerPixel } = tracing
  const moved = migrationMsPerPixel > 0 ? owners.foreignPixels(id, tile) : 0
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
    batchRows: rest => batchRows(rest, tile.rect.w, batchPixels, blockRows),
  }
}
