/** Decomposes a set of pixels into rectangles, for code that has sums over rectangles. */
import { assertNever } from '../../shared/errors.ts'
import { forEachRun, type Lattice, type PixelSet } from '../../shared/frame/pixel-set.ts'
import type { Rect } from '../../shared/frame/rect.ts'

/** `sign` 1: the rectangle's pixels belong to the set; −1: they were in an earlier rectangle and do not. */
export type PartVisitor = (rect: Rect, sign: 1 | -1) => void

/** Calls `visit` with rectangles that add up to the set. */
export function forEachPart({ rect, pattern }: PixelSet, visit: PartVisitor): void {
  if (!pattern) return visit(rect, 1)
  switch (pattern.kind) {
    case 'strided': {
      const { columns, stride, phase } = pattern
      const { firstRow, lastRow, firstColumn, lastColumn } = gridRange(rect, pattern)
      for (let row = firstRow; row <= lastRow; row++) {
        const number = row * columns + firstColumn
        const ahead = (((phase - number) % stride) + stride) % stride
        for (let column = firstColumn + ahead; column <= lastColumn; column += stride)
          visitCell(rect, pattern, column, row, visit)
      }
      return
    }
    case 'cells': {
      const { columns, cells } = pattern
      const { firstRow, lastRow, firstColumn, lastColumn } = gridRange(rect, pattern)
      for (const number of cells) {
        const row = Math.floor(number / columns)
        const column = number - row * columns
        if (row >= firstRow && row <= lastRow && column >= firstColumn && column <= lastColumn)
          visitCell(rect, pattern, column, row, visit)
      }
      return
    }
    case 'lattice':
      return forEachPoint(rect, pattern, (x, y) => visit({ x, y, w: 1, h: 1 }, 1))
    case 'gaps':
      visit(rect, 1)
      return forEachPoint(rect, pattern, (x, y) => visit({ x, y, w: 1, h: 1 }, -1))
    case 'mask':
      return forEachRun({ rect, pattern }, (x, y, w) => visit({ x, y, w, h: 1 }, 1))
    default:
      assertNever(pattern)
  }
}

interface Grid {
  readonly cellW: number
  readonly cellH: number
}

function gridRange({ x, y, w, h }: Rect, { cellW, cellH }: Grid) {
  return {
    firstRow: Math.floor(y / cellH),
    lastRow: Math.floor((y + h - 1) / cellH),
    firstColumn: Math.floor(x / cellW),
    lastColumn: Math.floor((x + w - 1) / cellW),
  }
}

/** Visits the part of a grid cell that lies inside `rect`. */
function visitCell(
  { x, y, w, h }: Rect,
  { cellW, cellH }: Grid,
  column: number,
  row: number,
  visit: PartVisitor,
): void {
  const left = Math.max(x, column * cellW)
  const top = Math.max(y, row * cellH)
  const right = Math.min(x + w, (column + 1) * cellW)
  const bottom = Math.min(y + h, (row + 1) * cellH)
  visit({ x: left, y: top, w: right - left, h: bottom - top }, 1)
}

function forEachPoint(
  { x, y, w, h }: Rect,
  { stepX, stepY, dx, dy }: Lattice,
  visit: (x: number, y: number) => void,
): void {
  for (let row = firstAt(y, stepY, dy); row < y + h; row += stepY)
    for (let column = firstAt(x, stepX, dx); column < x + w; column += stepX) visit(column, row)
}

/** The first number at or above `from` whose remainder modulo `step` is `rest`. */
const firstAt = (from: number, step: number, rest: number): number => from + ((((rest - from) % step) + step) % step)
