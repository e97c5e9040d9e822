/** Sizes of a frame's messages on the wire. */
import { type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import type { Rect } from '../../shared/frame/rect.ts'
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

/** @param cell side of the cells whose predicted costs travel with the order, px; 0: none do */
export const orderBytes = ({ rect, pattern }: PixelSet, cell: number): number =>
  ORDER_BYTES + (pattern ? JSON.stringify(pattern).length : 0) + cellsBytes(rect, cell)

export const pixelBytes = (tile: PixelSet): number => 3 * pixelCount(tile)

/** Size of an answer without its pixels. */
export const answerBytes = ({ rect }: PixelSet, cell: number): number => ANSWER_BYTES + cellsBytes(rect, cell)

function cellsBytes(rect: Rect, cell: number): number {
  if (cell === 0) return 0
  const { columns, rows } = cellRange(rect, cell)
  return CELLS_BYTES + Math.round(CELL_BYTES * columns * rows)
}
