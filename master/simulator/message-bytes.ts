/** How long the messages of a frame are on the wire. */
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { cellRange } from '../../shared/protocol/cell-costs.ts'

/** An order but for its pixels: most of it is the view with its camera. */
const ORDER_BYTES = 690
/** The header of an answer, and its times. */
const ANSWER_BYTES = 48 + 110
/** Costs and depths of cells, packed: what does not depend on their number, and each of them. */
const CELLS_BYTES = 16
const CELL_BYTES = 0.42

/** Trims and cancellations. */
export const NOTE_BYTES = 50

export const orderBytes = (tile: PixelSet): number =>
  ORDER_BYTES + (tile.pattern ? JSON.stringify(tile.pattern).length : 0)

export const pixelBytes = (tile: PixelSet): number => 3 * pixelCount(tile)

/** Everything of an answer but its pixels. */
export function answerBytes({ rect }: PixelSet, cell: number): number {
  if (cell === 0) return ANSWER_BYTES
  const { columns, rows } = cellRange(rect, cell)
  return ANSWER_BYTES + CELLS_BYTES + Math.round(CELL_BYTES * columns * rows)
}
