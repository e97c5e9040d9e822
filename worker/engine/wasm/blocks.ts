/**
 * Cuts rows of a tile into the blocks that the kernel traces at a time: of a bounded number of pixels, with sides that are
 * multiples of its 8 × 8 pixel squares wherever the tile allows it.
 */
import type { Rect } from '../../../shared/frame/rect.ts'

const SQUARE = 8

/** Blocks of the rows `fromRow` to `toRow` (exclusive) of a tile `width` wide, counted from its top left corner. */
export function* blocksOf(width: number, fromRow: number, toRow: number, mostPixels: number): Generator<Rect> {
  const rows = toRow - fromRow
  const low = Math.min(rows, SQUARE)
  const columns = Math.ceil((width * low) / wholeSquares(mostPixels / low) / low)
  const w = Math.min(width, Math.ceil(width / columns / SQUARE) * SQUARE)
  const h = Math.min(rows, wholeSquares(mostPixels / w))
  for (let y = fromRow; y < toRow; y += h)
    for (let x = 0; x < width; x += w) yield { x, y, w: Math.min(w, width - x), h: Math.min(h, toRow - y) }
}

/** Rounds down to a multiple of a square's side, or, below that, to an integer. */
const wholeSquares = (length: number): number =>
  length < SQUARE ? Math.floor(length) : Math.floor(length / SQUARE) * SQUARE
