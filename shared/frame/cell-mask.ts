/**
 * Which square cells of a frame a pass is about. Cells are `cell` × `cell` px from the frame's top left corner, clipped at its right
 * and bottom edges. Immutable.
 */
import { invariant } from '../errors.ts'
import { type PixelPattern, type PixelSet, pixelCount } from './pixel-set.ts'
import { intersect, type Rect, type Size } from './rect.ts'

/** Side of the cells that an adaptive frame is sampled by, px: as large as a square that the kernel traces together. */
export const NOISE_CELL = 8

export class CellMask {
  readonly size: Size
  /** Side of a cell, px. */
  readonly cell: number
  readonly columns: number
  readonly rows: number
  readonly #marked: Uint8Array

  /** @param marked of each cell, by column and row, whether it is; or 1 or 0, row-major, which must not be written to any more */
  constructor(size: Size, cell: number, marked: ((column: number, row: number) => boolean) | Uint8Array) {
    this.size = size
    this.cell = cell
    this.columns = Math.ceil(size[0] / cell)
    this.rows = Math.ceil(size[1] / cell)
    const cells = this.columns * this.rows
    if (typeof marked !== 'function') {
      invariant(marked.length === cells, `expected ${cells} cells, got ${marked.length}`)
      this.#marked = marked
      return
    }
    this.#marked = new Uint8Array(cells)
    for (let row = 0; row < this.rows; row++)
      for (let column = 0; column < this.columns; column++)
        this.#marked[row * this.columns + column] = marked(column, row) ? 1 : 0
  }

  has(column: number, row: number): boolean {
    return this.#marked[row * this.columns + column] === 1
  }

  get isEmpty(): boolean {
    return !this.#marked.includes(1)
  }

  /** 1 for each marked cell and 0 for the others, row-major: a copy of some rows of cells, or of all. */
  marks(from = 0, to = this.rows): Uint8Array<ArrayBuffer> {
    return this.#marked.slice(from * this.columns, to * this.columns)
  }

  /** The pixels of a cell. */
  rectOf(column: number, row: number): Rect {
    const { cell, size } = this
    const [x, y] = [column * cell, row * cell]
    return { x, y, w: Math.min(cell, size[0] - x), h: Math.min(cell, size[1] - y) }
  }

  /** Pixels in marked cells. */
  get pixels(): number {
    let sum = 0
    this.forEachRun(({ w, h }) => {
      sum += w * h
    })
    return sum
  }

  /** Calls `visit` with the pixels of every run of marked cells, row by row of cells, from left to right; runs are maximal. */
  forEachRun(visit: (run: Rect) => void): void {
    const { cell, columns, rows, size } = this
    const marked = this.#marked
    for (let row = 0; row < rows; row++) {
      const y = row * cell
      const h = Math.min(cell, size[1] - y)
      for (let column = 0; column < columns; column++) {
        if (marked[row * columns + column] !== 1) continue
        const x = column * cell
        while (column + 1 < columns && marked[row * columns + column + 1] === 1) column++
        visit({ x, y, w: Math.min(size[0], (column + 1) * cell) - x, h })
      }
    }
  }

  /**
   * The pixels of a set that lie in marked cells, in the smallest rectangle; undefined if there are none. If the set is one within other
   * cells already, all of these must be among those.
   */
  within<S extends PixelSet>({ pattern, ...set }: S): S | undefined {
    const of = pattern?.kind === 'mask' ? pattern.of : pattern
    const window = this.#markedWindow(set.rect)
    if (!window) return undefined
    const { column, row, columns, rows, all } = window
    const { cell } = this
    const rect = intersect(set.rect, { x: column * cell, y: row * cell, w: columns * cell, h: rows * cell })!
    const bits = () => this.#bits(window)
    const mask = (): PixelPattern => ({ kind: 'mask', cell, column, row, columns, bits: bits(), ...(of ? { of } : {}) })
    const narrowed = { ...set, rect, ...(all ? of && { pattern: of } : { pattern: mask() }) } as S
    return of && pixelCount(narrowed) === 0 ? undefined : narrowed
  }

  /** The smallest window with all marked cells that a rectangle touches, and whether it has no others. */
  #markedWindow({ x, y, w, h }: Rect): Window | undefined {
    const { cell } = this
    const [left, right] = [Math.floor(x / cell), Math.floor((x + w - 1) / cell)]
    const [top, bottom] = [Math.floor(y / cell), Math.floor((y + h - 1) / cell)]
    let [firstColumn, lastColumn, firstRow, lastRow, count] = [right + 1, left - 1, bottom + 1, top - 1, 0]
    for (let row = top; row <= bottom; row++)
      for (let column = left; column <= right; column++) {
        if (!this.has(column, row)) continue
        count++
        firstColumn = Math.min(firstColumn, column)
        lastColumn = Math.max(lastColumn, column)
        firstRow = Math.min(firstRow, row)
        lastRow = row
      }
    if (count === 0) return undefined
    const [columns, rows] = [lastColumn - firstColumn + 1, lastRow - firstRow + 1]
    return { column: firstColumn, row: firstRow, columns, rows, all: count === columns * rows }
  }

  #bits({ column, row, columns, rows }: Window): string {
    const codes = new Uint8Array(Math.ceil((columns * rows) / 4))
    let digit = 0
    let at = 0
    for (let j = row; j < row + rows; j++)
      for (let i = j * this.columns + column; i < j * this.columns + column + columns; i++) {
        if (this.#marked[i] === 1) digit |= 8 >> (at & 3)
        if ((at & 3) === 3) {
          codes[at >> 2] = HEXADECIMAL[digit]!
          digit = 0
        }
        at++
      }
    if ((at & 3) !== 0) codes[at >> 2] = HEXADECIMAL[digit]!
    return new TextDecoder().decode(codes)
  }
}

/** The codes of its digits. */
const HEXADECIMAL = new TextEncoder().encode('0123456789abcdef')

interface Window {
  readonly column: number
  readonly row: number
  readonly columns: number
  readonly rows: number
  readonly all: boolean
}
