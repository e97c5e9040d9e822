/** The true tracing costs of a simulated frame: sums of a cost map over any set of pixels. */

import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import type { Rect } from '../../shared/frame/rect.ts'
import { cellRange, type TileCells } from '../../shared/protocol/cell-costs.ts'
import type { CostField } from '../costs/cost-field.ts'
import type { CostMap } from '../costs/cost-map.ts'
import { CoverageMask } from '../coverage/coverage-mask.ts'
import { forEachPart } from './pixel-parts.ts'

export class FrameCosts {
  readonly #map: CostMap
  readonly #field: CostField

  constructor(map: CostMap) {
    this.#map = map
    this.#field = map.field()
  }

  /** ms of a worker of speed 1. */
  sum(set: PixelSet): number {
    let sum = 0
    forEachPart(set, (part, sign) => {
      sum += sign * this.#field.total(part)
    })
    return Math.max(0, sum)
  }

  /** Cumulative cost of the rows above each row of the set: one entry more than it has rows. */
  above(set: PixelSet): Float64Array {
    const { y, h } = set.rect
    const above = new Float64Array(h + 1)
    forEachPart(set, (part, sign) => {
      const rows = this.#field.profile(part, 'y')
      for (let row = 0; row < part.h; row++) above[part.y - y + row + 1]! += sign * rows[row]!
    })
    for (let row = 0; row < h; row++) above[row + 1] = above[row]! + Math.max(0, above[row + 1]!)
    return above
  }

  /** Costs and depths of the set's cells, as the worker that traces it would report them. */
  cells(set: PixelSet, cell: number): TileCells {
    const { column: firstColumn, row: firstRow, columns, rows } = cellRange(set.rect, cell)
    const costs = new Float64Array(columns * rows)
    const depths = new Float32Array(columns * rows).fill(Number.NaN)
    forEachPart(set, (part, sign) => {
      const own = cellRange(part, cell)
      for (let row = own.row; row < own.row + own.rows; row++) {
        for (let column = own.column; column < own.column + own.columns; column++) {
          const at = (row - firstRow) * columns + column - firstColumn
          costs[at] = Math.max(0, costs[at]! + sign * this.#field.total(commonPart(part, column, row, cell)))
          const [x, y] = [column * cell + (cell >> 1), row * cell + (cell >> 1)]
          const seen = x >= part.x && x < part.x + part.w && y >= part.y && y < part.y + part.h
          if (seen) depths[at] = sign > 0 ? this.#depthAt(x, y) : Number.NaN
        }
      }
    })
    return { cell, costs, depths }
  }

  /** Where geometry is visible, as far as the depths tell. */
  coverage(): CoverageMask {
    const { size, cell, columns, depths } = this.#map
    const mask = new CoverageMask(size)
    for (let y = 0; y < size[1]; y++) {
      const row = Math.floor(y / cell) * columns
      for (let column = 0; column < columns; column++) {
        const left = column * cell
        if (depths[row + column]! < Number.POSITIVE_INFINITY) mask.setRun(y, left, Math.min(left + cell, size[0]) - 1)
      }
    }
    return mask
  }

  #depthAt(x: number, y: number): number {
    const { cell, columns, depths } = this.#map
    return depths[Math.floor(y / cell) * columns + Math.floor(x / cell)]!
  }
}

function commonPart({ x, y, w, h }: Rect, column: number, row: number, cell: number): Rect {
  const left = Math.max(x, column * cell)
  const top = Math.max(y, row * cell)
  return {
    x: left,
    y: top,
    w: Math.min(x + w, (column + 1) * cell) - left,
    h: Math.min(y + h, (row + 1) * cell) - top,
  }
}
