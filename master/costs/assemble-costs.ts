/** Assembles a frame's cost map from its tiles. */

import type { Rect, Size } from '../../shared/frame/rect.ts'
import { cellRange, type TileCells } from '../../shared/protocol/cell-costs.ts'
import { CostMap } from './cost-map.ts'

/** A tile with the costs of its cells, in ms of CPU time of the worker that traced it. */
export interface CostedTile {
  readonly rect: Rect
  readonly cells?: TileCells
}

/**
 * The cost map of a frame whose tiles all have cells of this size. Cells may extend below their tile: rows that another worker
 * traced as well count for that worker. `scaleOf` returns the factor from a tile's ms to ms of a worker of speed 1.
 */
export function assembleCosts<T extends CostedTile>(
  size: Size,
  cell: number,
  tiles: readonly T[],
  scaleOf: (tile: T) => number,
): CostMap {
  const map = new CostMap(size, cell)
  for (const tile of tiles) {
    if (!tile.cells) continue
    const { costs, depths } = tile.cells
    const scale = scaleOf(tile)
    const { column, row, columns, rows } = cellRange(tile.rect, cell)
    for (let j = 0; j < rows; j++) {
      for (let i = 0; i < columns; i++) {
        const from = j * columns + i
        const to = (row + j) * map.columns + column + i
        map.costs[to]! += costs[from]! * scale
        const depth = depths[from]!
        if (!Number.isNaN(depth)) map.depths[to] = depth
      }
    }
  }
  return map
}
