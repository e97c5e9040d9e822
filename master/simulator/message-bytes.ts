/** Sizes of a frame's messages on the wire. */
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { cellRange } from '../../shared/protocol/cell-costs.ts'

/** An order without its pixel pattern; most of it is the view with its camera. */
const ORDER_BYTES = 690
/** The header of an answer, and its times. */
const ANSWER_BYTES = 48 + 110
/** Packed costs and depths of cells: fixed size, and size per cell. */
const CELLS_BYTES = 16
const CELL_BYTES = 0.42

/** Trims and cancellations. */
export const NOTE_BYTES = 50

export const orderBytes = (tile: PixelSet): number =>
  ORDER_BYTES + (tile.pattern ? JSON.stringify(tile.pattern).length : 0)

export const pixelBytes = (tile: PixelSet): number => 3 * pixelCount(tile)

/** Size of an answer without its pixels. */
export function answerBytes({ rect }: PixelSet, cell: number): number {
  if (cell === 0) return ANSWER_BYTES
  const { columns, rows } = cellRange(rect, cell)
  return ANSWER_BYTES + CELLS_BYTES + Math.round(CELL_BYTES * columns * rows)
}
