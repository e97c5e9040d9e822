/**
 * Predicted costs of a tile's cells on their way to a rack: cut out of the frame's costs, packed as workers pack theirs, and read
 * as the costs of a frame that is the tile.
 */

import { frameRect, type Rect, type Size } from '../../shared/frame/rect.ts'
import { cellRange, decodeCells, encodeCells } from '../../shared/protocol/cell-costs.ts'
import { CostMap } from '../costs/cost-map.ts'

/** The costs of all cells that a rectangle touches. */
export interface SentCosts {
  /** Side of a cell, px. */
  readonly cell: number
  /** Size of these cells together, px: those at the frame's edges are smaller. */
  readonly size: Size
  /** Sum of their costs, ms. */
  readonly total: number
  readonly bytes: Uint8Array
}

export function sentCosts(map: CostMap, rect: Rect): SentCosts {
  const { cell } = map
  const { column, row, columns, rows } = cellRange(rect, cell)
  const costs = new Float64Array(columns * rows)
  for (let j = 0; j < rows; j++) {
    const from = (row + j) * map.columns + column
    costs.set(map.costs.subarray(from, from + columns), j * columns)
  }
  const [right, bottom] = [(column + columns) * cell, (row + rows) * cell]
  return {
    cell,
    size: [Math.min(map.size[0], right) - column * cell, Math.min(map.size[1], bottom) - row * cell],
    total: costs.reduce((sum, cost) => sum + cost, 0),
    bytes: encodeCells({ cell, costs, depths: new Float32Array(costs.length).fill(Number.NaN) }),
  }
}

/** Costs of a frame of the rectangle's size. Its cells have half the side: most of the cells that were sent straddle its own. */
export function receivedCosts({ cell, size, total, bytes }: SentCosts, { x, y, w, h }: Rect): CostMap {
  const sent = new CostMap(size, cell)
  sent.costs.set(decodeCells(bytes, frameRect(size), cell, total).costs)
  const field = sent.field()
  const own = new CostMap([w, h], Math.max(1, cell >> 1))
  const [left, top] = [x % cell, y % cell]
  for (let row = 0; row < own.rows; row++)
    for (let column = 0; column < own.columns; column++)
      own.costs[row * own.columns + column] = field.total({
        x: left + column * own.cell,
        y: top + row * own.cell,
        w: own.width(column),
        h: own.height(row),
      })
  return own
}
