/** What is asked of whoever traces tiles, and what comes back. */
import type { ChannelName } from '../shared/channels.ts'
import type { PixelSet } from '../shared/pixel-set.ts'
import type { TileCells } from '../shared/protocol/cell-costs.ts'
import type { SampleRange, View } from '../shared/view.ts'

export interface TileOrder {
  /** Name of its scene, where there are several. */
  readonly scene?: string
  readonly view: View
  readonly tile: PixelSet
  /** @default all samples of the view */
  readonly samples?: SampleRange
  /** What of each pixel is wanted. @default rgb */
  readonly channel?: ChannelName
  /** Side of the cells whose costs and depths are wanted, px; absent: none. */
  readonly cell?: number
}

export interface TracedTile {
  /** Rows from the tile's top that were traced, at least 1. */
  readonly rows: number
  /** The channel's components of their pixels, packed, f64 little-endian; owned by the caller. */
  readonly pixels: Uint8Array<ArrayBuffer>
  /** CPU time of all threads together, ms. */
  readonly cpuMs: number
  /** From the first ray to the last pixel, pauses of pacing included, ms. */
  readonly wallMs: number
  /** Of the cells that these rows touch, where they were asked for: costs in units of work, and their sum. */
  readonly cells?: TileCells
  readonly work?: number
}
