/**
 * Cost per cell of a frame: cells of `cell` × `cell` px from the frame's top left corner, clipped at the right and bottom
 * edges. Costs are ms of a worker of speed 1 for all pixels of the cell, none negative.
 */
import { type Axis, extent, type Rect, type Size } from '../../shared/frame/rect.ts'
import type { CostField } from './cost-field.ts'

export class CostMap {
  readonly size: Size
  /** Side of a cell, px. */
  readonly cell: number
  readonly columns: number
  readonly rows: number
  /** ms, row-major, `columns * rows`. */
  readonly costs: Float64Array
  /** Camera depth at each cell's centre, Infinity where nothing is seen, NaN where unknown; row-major. */
  readonly depths: Float32Array

  constructor(size: Size, cell: number) {
    this.size = size
    this.cell = cell
    this.columns = Math.ceil(size[0] / cell)
    this.rows = Math.ceil(size[1] / cell)
    this.costs = new Float64Array(this.columns * this.rows)
    this.depths = new Float32Array(this.columns * this.rows).fill(Number.NaN)
  }

  /** A map of the same cells whose costs `costOf` returns for each cell index, clamped to at least 0; depths are unknown. */
  withCosts(costOf: (cell: number) => number): CostMap {
    const map = new CostMap(this.size, this.cell)
    for (let i = 0; i < map.costs.length; i++) map.costs[i] = Math.max(0, costOf(i))
    return map
  }

  /** A map of the same cells and depths, with costs that are so many times as high. */
  times(factor: number): CostMap {
    const map = this.withCosts(i => this.costs[i]! * factor)
    map.depths.set(this.depths)
    return map
  }

  /** Pixels of the cell in this column and row. */
  area(column: number, row: number): number {
    return this.width(column) * this.height(row)
  }

  /** Width of a column of cells, px. */
  width(column: number): number {
    return Math.min(this.cell, this.size[0] - column * this.cell)
  }

  /** Height of a row of cells, px. */
  height(row: number): number {
    return Math.min(this.cell, this.size[1] - row * this.cell)
  }

  /** Sum of all costs, ms. */
  get total(): number {
    let sum = 0
    for (const cost of this.costs) sum += cost
    return sum
  }

  /** The map as a field of sums; a snapshot. Within a cell every pixel costs the same. */
  field(): CostField {
    return new SummedCosts(this)
  }
}

/** Summed-area table over the corners of cells (Crow 1984), interpolated between them: exact for costs uniform within cells. */
class SummedCosts implements CostField {
  readonly #map: CostMap
  /** (columns + 1) × (rows + 1): cost above and to the left of a corner. */
  readonly #table: Float64Array

  constructor(map: CostMap) {
    this.#map = map
    const { columns, rows, costs } = map
    const stride = columns + 1
    const table = new Float64Array(stride * (rows + 1))
    for (let row = 0; row < rows; row++) {
      let sum = 0
      for (let column = 0; column < columns; column++) {
        sum += costs[row * columns + column]!
        table[(row + 1) * stride + column + 1] = table[row * stride + column + 1]! + sum
      }
    }
    this.#table = table
  }

  within(): CostField {
    return this
  }

  profile(rect: Rect, axis: Axis): Float64Array {
    const { cell, size } = this.#map
    const length = extent(rect, axis)
    const lines = new Float64Array(length)
    const start = rect[axis]
    const most = axis === 'x' ? size[0] : size[1]
    // All lines of a cell cost the same, so only its edges are looked up.
    const before = (at: number) => (axis === 'x' ? this.#leftOf(at, rect) : this.#aboveOf(at, rect))
    let edge = Math.floor(start / cell) * cell
    let sum = before(edge)
    for (let i = 0; i < length; ) {
      const next = Math.min(edge + cell, most)
      const sumThere = before(next)
      // Rounding must not make a line's cost negative.
      const perLine = Math.max(0, sumThere - sum) / (next - edge)
      for (const end = Math.min(length, next - start); i < end; i++) lines[i] = perLine
      edge = next
      sum = sumThere
    }
    return lines
  }

  total(rect: Rect): number {
    const { x, y, w, h } = rect
    return Math.max(0, this.#above(x + w, y + h) - this.#above(x + w, y) - this.#above(x, y + h) + this.#above(x, y))
  }

  /** Cost of the rows of `rect`, to the left of x. */
  #leftOf(x: number, { y, h }: Rect): number {
    return this.#above(x, y + h) - this.#above(x, y)
  }

  /** Cost of the columns of `rect`, above y. */
  #aboveOf(y: number, { x, w }: Rect): number {
    return this.#above(x + w, y) - this.#above(x, y)
  }

  /** Cost of all pixels above and to the left of the corner (x, y). */
  #above(x: number, y: number): number {
    const { cell, columns, rows, size } = this.#map
    const column = Math.min(Math.floor(x / cell), columns - 1)
    const row = Math.min(Math.floor(y / cell), rows - 1)
    const u = (x - column * cell) / Math.min(cell, size[0] - column * cell)
    const v = (y - row * cell) / Math.min(cell, size[1] - row * cell)
    const at = row * (columns + 1) + column
    const table = this.#table
    const top = table[at]! + (table[at + 1]! - table[at]!) * u
    const bottom = table[at + columns + 1]! + (table[at + columns + 2]! - table[at + columns + 1]!) * u
    return top + (bottom - top) * v
  }
}
