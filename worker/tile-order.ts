/** Orders to trace tiles, and their results. */
import type { ChannelName } from '../shared/frame/channels.ts'
import type { PixelSet } from '../shared/frame/pixel-set.ts'
import type { SampleRange, View } from '../shared/frame/view.ts'
import type { TileCells } from '../shared/protocol/cell-costs.ts'

export interface TileOrder {
  /** The name under which the scene was loaded. */
  readonly scene: string
  readonly view: View
  readonly tile: PixelSet
  /** Absent: all samples of the view. */
  readonly samples?: SampleRange
  /** The requested channels of each pixel, in the order of their table; finished colour only for all samples. @default rgb */
  readonly channels?: readonly ChannelName[]
  /** Side of the cells whose costs and depths are requested, px; absent: none. */
  readonly cell?: number
  /** Those that are not give way to it at once. @default it is not */
  readonly urgent?: true
}

export interface TracedTile {
  /** Number of rows traced, from the tile's top, at least 1. */
  readonly rows: number
  /** The channels of their pixels as packed bytes, one after the other; values are little-endian. Owned by the caller. */
  readonly pixels: Uint8Array<ArrayBuffer>
  /** CPU time of all threads together, ms. */
  readonly cpuMs: number
  /** From the first ray to the last pixel, pauses of pacing included, but without tiles that it gave way to, ms. */
  readonly wallMs: number
  /** The cells that these rows touch, if requested: costs in units of work, and their sum. */
  readonly cells?: TileCells
  readonly work?: number
}
