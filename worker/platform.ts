/** What a session needs of its runtime: a hash that takes bytes as they come, and how pixels and cells are packed. */
import type { ChannelName } from '../shared/frame/channels.ts'
import type { TileCells } from '../shared/protocol/cell-costs.ts'
import type { EncodedTile } from '../shared/protocol/encoded-tile.ts'
import type { Encoding } from '../shared/protocol/messages.ts'
import type { RunningHash } from '../shared/protocol/part-transfer.ts'

export interface Platform {
  /** SHA-256. */
  readonly startHash: () => RunningHash
  /** The encodings that it can write, at least one. */
  readonly encodings: readonly Encoding[]
  /** Packs the channels of a tile of `pixels` pixels, with one of its encodings. */
  readonly encodeTile: (
    encoding: Encoding,
    channels: readonly ChannelName[],
    pixels: number,
    tile: Uint8Array,
  ) => EncodedTile
  /** Raw DEFLATE (RFC 1951). */
  readonly packCells: (cells: TileCells) => Uint8Array
}
