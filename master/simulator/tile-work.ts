/** The time that a simulated worker takes to trace a tile. */

import { linkMs } from '../../shared/device-link.ts'
import { type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import { hash32, unitOf } from '../../shared/math/random.ts'
import type { OwnerMap } from '../../shared/metrics/owner-map.ts'
import type { ClusterSpec, VirtualWorker } from './cluster-spec.ts'
import type { FrameCosts } from './frame-costs.ts'
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

/** Cells at least this wide and high are traced like any rectangle, px. */
const WHOLE_SIDE = 8

/**
 * Cost of a set of pixels relative to that of the same pixels traced among their neighbours, at least 1.
 *
 * Rays of scattered pixels share less of their path through a scene than those of neighbours, so tracing them takes
 * longer than their share of the whole picture would. Fitted to timings of the wasm engine for lattices, single pixels
 * and single rows of a 640k-triangle scan, most within 15 %.
 */
function coherenceFactor({ pattern }: Pick<PixelSet, 'pattern'>): number {
  switch (pattern?.kind) {
    case 'lattice':
      return (1 + 0.55 * (1 - 1 / pattern.stepX)) * Math.max(1, pattern.stepY / pattern.stepX) ** 0.1
    case 'strided':
    case 'cells':
      return 1 + 0.13 * thinness(pattern.cellW) + 0.18 * thinness(pattern.cellH)
    case 'mask':
      return pattern.of ? coherenceFactor({ pattern: pattern.of }) : 1
    default:
      return 1
  }
}

/** 1 for a single pixel, 0 from `WHOLE_SIDE` on. */
const thinness = (side: number): number => Math.max(0, (WHOLE_SIDE - side) / (WHOLE_SIDE - 1))

/** A tile takes at least this share of its expected time. */
const LEAST = 0.1

/**
 * How much longer or shorter a tile takes than expected: an approximately normal factor around 1 with this standard deviation: a sum of twelve uniform numbers (Irwin 1927, Hall 1927).
 */
function noiseFactor(deviation: number, seed: number, lease: number): number {
  if (deviation === 0) return 1
  let sum = -6
  for (let i = 0; i < 12; i++) sum += unitOf(hash32(seed, lease, i))
  return Math.max(LEAST, 1 + deviation * sum)
}
