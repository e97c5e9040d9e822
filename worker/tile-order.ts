/** What is asked of whoever traces tiles, and what comes back. */
import type { PixelSet } from '../shared/pixel-set.ts'
import type { TileCells } from '../shared/protocol/cell-costs.ts'
import type { View } from '../shared/view.ts'

export interface TileOrder {
  readonly view: View
  readonly tile: PixelSet
  /** Side of the cells whose costs and depths are wanted, px; absent: none. */
  readonly cell?: number
}

export interface TracedTile {
  /** Rows from the tile's top that were traced, at least 1. */
  readonly rows: number
  /** RGB8 of their pixels, packed; owned by the caller. */
  readonly pixels: Uint8Array<ArrayBuffer>
  /** CPU time of all threads together, ms. */
  readonly cpuMs: number
  /** From the first ray to the last pixel, pauses of pacing included, ms. */
  readonly wallMs: number
  /** Of the cells that these rows touch, where they were asked for: costs in units of work, and their sum. */
  readonly cells?: TileCells
  readonly work?: number
}
