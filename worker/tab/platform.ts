/**
 * A session's runtime in a browser, with nothing but the language: what a page without encryption lacks (`crypto.subtle`) is not used. Pixels travel
 * raw, and cells, a hundredth of them, as they are.
 */
import { encodeCells } from '../../shared/protocol/cell-costs.ts'
import { encodeTileWith } from '../../shared/protocol/encoded-tile.ts'
import { startSha256 } from '../../shared/sha256.ts'
import type { Platform } from '../platform.ts'

/** The most bytes of a block that is stored (RFC 1951 §3.2.4), and those before it. */
const MOST_STORED = 65535
const HEAD_BYTES = 5

export const tabPlatform: Platform = {
  startHash: startSha256,
  encodings: ['raw'],
  encodeTile: (_, channels, pixels, tile) => encodeTileWith(plain => plain, channels, pixels, tile),
  packCells: cells => stored(encodeCells(cells)),
}

/** Raw DEFLATE that compresses nothing. */
export function stored(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MOST_STORED))
  const packed = new Uint8Array(bytes.length + HEAD_BYTES * blocks)
  const view = new DataView(packed.buffer)
  for (let block = 0; block < blocks; block++) {
    const piece = bytes.subarray(block * MOST_STORED, (block + 1) * MOST_STORED)
    const at = block * (MOST_STORED + HEAD_BYTES)
    view.setUint8(at, block === blocks - 1 ? 1 : 0)
    view.setUint16(at + 1, piece.length, true)
    view.setUint16(at + 3, ~piece.length & 0xffff, true)
    packed.set(piece, at + HEAD_BYTES)
  }
  return packed
}
