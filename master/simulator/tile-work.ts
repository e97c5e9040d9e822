/** The time that a simulated worker takes to trace a tile. */

import { linkMs } from '../../shared/device-link.ts'
import { pixelCount } from '../../shared/frame/pixel-set.ts'
import type { OwnerMap } from '../../shared/metrics/owner-map.ts'
import type { ClusterSpec, VirtualWorker } from './cluster-spec.ts'
import { coherenceFactor } from './coherence.ts'
import type { FrameCosts } from './frame-costs.ts'
import { noiseFactor } from './noise.ts'
import type { TileWork, VirtualOrder } from './virtual-tracer.ts'

/** The cluster and the frame that a tile is traced in. */
export interface TileSite {
  readonly cluster: ClusterSpec
  readonly costs: FrameCosts
  /** Owners of the pixels in the previous frame. */
  readonly owners: OwnerMap
}

/** A batch is this share of the remaining rows. */
const SHARE_OF_REST = 1 / 12

/** The smallest batch worth requesting, px, and the factor by which a batch may exceed its goal. */
const FINE_PIXELS = 192
const SLACK = 4 / 3

/** Batch size as workers choose it: whole blocks at first, fewer rows towards the end; parts of a block are powers of two. */
function batchRows(rest: number, width: number, most: number, blockRows: number): number {
  const goal = Math.max(FINE_PIXELS, Math.min(most, rest * width * SHARE_OF_REST))
  let rows = 1
  while (rows < blockRows && rows * 2 * width <= goal * SLACK) rows *= 2
  return rows < blockRows ? rows : Math.max(1, Math.floor(goal / width / blockRows)) * blockRows
}

export function tileWork(
  { id, speed, actualSpeed = speed, link }: VirtualWorker,
  { lease, tile }: VirtualOrder,
  { cluster: { tracing }, costs, owners }: TileSite,
): TileWork {
  const { tileCpuMs, noise, seed, batchPixels, blockRows, migrationMsPerPixel, pace } = tracing
  const moved = migrationMsPerPixel > 0 ? owners.foreignPixels(id, tile) : 0
  const coherence = coherenceFactor(tile)
  // A machine slower than it declares takes more CPU time, as a slower processor would.
  const factor = (noiseFactor(noise, seed, lease) * speed) / actualSpeed
  // A link takes wall time, whatever the device: as much as the device would have computed meanwhile.
  const held = link ? (linkMs(link, pixelCount(tile)) * speed) / pace / factor : 0
  const before = tileCpuMs + moved * migrationMsPerPixel + held
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
