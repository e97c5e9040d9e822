/**
 * Takes chance out of measured costs. A tile takes its work, which engines count exactly and any of them the same, times
 * what a unit of work takes, its pace. That depends on what is seen (rays that meet nothing are soon done with), and by a
 * few percent on nothing that one could know. So cells get the work that was counted for them, and the pace that their place
 * on the screen had so far, drawn towards what the tile took now: a little where the two nearly agree, which is chance, and
 * altogether where they do not, which is not.
 */
import { type CellRange, cellRange, type TileCells } from '../../shared/protocol/cell-costs.ts'
import type { Size } from '../../shared/rect.ts'
import type { CostedTile } from './assemble-costs.ts'
import { CostMap } from './cost-map.ts'

/** A tile whose work was counted. */
export interface CountedTile extends CostedTile {
  readonly cpuMs: number
  readonly work: number
}

export interface SteadyCosts {
  readonly costs: CostMap
  /** ms of a worker of speed 1 per unit of work, for each cell, 0 where nothing is known; row-major. */
  readonly paces: Float64Array
}

/** A tile's pace is followed by this share of the way at least. */
const LEAST_GAIN = 0.25
/** A pace that is off by this much (of its logarithm) is not off by chance. */
const CHANCE = 0.15

/**
 * The cost map of a frame whose tiles all have cells of this size, as `assembleCosts` makes it, but steadier.
 * @param before paces of the frame before, if there was one; `scaleOf` turns a tile's ms into ms of a worker of speed 1
 */
export function steadyCosts<T extends CountedTile>(
  size: Size,
  cell: number,
  tiles: readonly T[],
  scaleOf: (tile: T) => number,
  before: Float64Array | undefined,
): SteadyCosts {
  const map = new CostMap(size, cell)
  const works = new Float64Array(map.costs.length)
  for (const tile of tiles) {
    const { cells, cpuMs, work } = tile
    if (!cells || !(cpuMs > 0 && work > 0)) continue
    const range = cellRange(tile.rect, cell)
    const pace = (scaleOf(tile) * cpuMs) / work
    const paceAt = before ? (at: number) => before[at] || pace : () => pace
    const correction = followed(pace / expectedPace(cells, range, map.columns, paceAt))
    forEachCell(range, map.columns, (i, at) => {
      const own = (cells.costs[i]! * work) / cpuMs
      works[at]! += own
      map.costs[at]! += own * paceAt(at) * correction
      const depth = cells.depths[i]!
      if (!Number.isNaN(depth)) map.depths[at] = depth
    })
  }
  const paces = works.map((work, at) => (work > 0 ? map.costs[at]! / work : (before?.[at] ?? 0)))
  return { costs: map, paces }
}

/** How far to go from the paces so far to the newest one, which is so many times as high. */
function followed(ratio: number): number {
  const change = Math.log(ratio)
  return Math.exp(change * Math.min(1, Math.max(LEAST_GAIN, Math.abs(change) / CHANCE)))
}

/** Mean pace of a tile's cells by what it was at their places. */
function expectedPace({ costs }: TileCells, range: CellRange, stride: number, paceAt: (at: number) => number): number {
  let weights = 0
  let sum = 0
  forEachCell(range, stride, (i, at) => {
    weights += costs[i]!
    sum += costs[i]! * paceAt(at)
  })
  return sum / weights
}

/** Visits a tile's cells: their number in the tile, and in the frame. */
function forEachCell(
  { column, row, columns, rows }: CellRange,
  stride: number,
  visit: (inTile: number, inFrame: number) => void,
): void {
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) visit(j * columns + i, (row + j) * stride + column + i)
}
