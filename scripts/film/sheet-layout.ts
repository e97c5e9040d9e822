/** Where things are on a contact sheet. Pure. */
import type { Size } from '../../shared/frame/rect.ts'

export interface SheetLayout {
  readonly columns: number
  readonly rows: number
  /** Of the sheet, px. */
  readonly size: Size
  /** Of a small picture, px. */
  readonly thumb: Size
  /** Left and top edge of a small picture, by its number on the sheet. */
  at(index: number): readonly [x: number, y: number]
}

/** More would be too small to tell apart. */
export const MAX_SHEET_FRAMES = 24

export const MARGIN_PX = 28
export const TITLE_PX = 40
export const LABEL_PX = 24
const GAP_PX = 16
const THUMB_BOX: Size = [320, 240]
/** Room for a label under narrow pictures. */
const MIN_CELL_PX = 96
const MIN_SHEET_PX = 320

/** Proportions that a sheet should have, as screens do. */
const SHEET_ASPECT = 16 / 9
/** How much worse an empty place makes a sheet than wrong proportions. */
const EMPTY_WEIGHT = 3

/** Numbers of the frames to show, evenly spaced, the first and the last among them. */
export function sheetFrames(firstFrame: number, frames: number): number[] {
  const shown = Math.min(frames, MAX_SHEET_FRAMES)
  return Array.from({ length: shown }, (_, i) => firstFrame + Math.round((i * (frames - 1)) / Math.max(1, shown - 1)))
}

/** @param count of small pictures, at least 1 */
export function sheetLayout(count: number, [width, height]: Size): SheetLayout {
  const scale = Math.min(1, THUMB_BOX[0] / width, THUMB_BOX[1] / height)
  const thumb: Size = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
  const cell: Size = [Math.max(MIN_CELL_PX, thumb[0]) + GAP_PX, thumb[1] + LABEL_PX + GAP_PX]
  const columns = columnsFor(count, cell)
  const rows = Math.ceil(count / columns)
  const wide = columns * cell[0] - GAP_PX
  const left = Math.max(MARGIN_PX, Math.ceil((MIN_SHEET_PX - wide) / 2))
  return {
    columns,
    rows,
    thumb,
    size: [wide + 2 * left, 2 * MARGIN_PX + TITLE_PX + rows * cell[1] - GAP_PX],
    at: index => [left + (index % columns) * cell[0], MARGIN_PX + TITLE_PX + Math.floor(index / columns) * cell[1]],
  }
}

function columnsFor(count: number, cell: Size): number {
  const cost = (columns: number) => {
    const rows = Math.ceil(count / columns)
    const stretch = Math.abs(Math.log((columns * cell[0]) / (rows * cell[1]) / SHEET_ASPECT))
    return stretch + (EMPTY_WEIGHT * (columns * rows - count)) / count
  }
  const choices = Array.from({ length: count }, (_, i) => i + 1)
  return choices.reduce((best, columns) => (cost(columns) < cost(best) ? columns : best))
}
