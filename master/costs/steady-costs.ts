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

/** A tile's pace is followed by this share of the way at least. */
const MIN_GAIN = 0.25
/** A pace that is off by this much (of its logarithm) is not off by chance. */
const CHANCE = 0.15

/**
 * The cost map of a frame whose tiles all have cells of this size, as `assembleCosts` makes it, but steadier. Tiles are taken in as
 * they come, so that little is left to do when the frame is whole.
 */
export class SteadyCosts {
  /** What was taken in so far. */
  readonly costs: CostMap
  readonly #works: Float64Array
  readonly #before: Float64Array | undefined

  /** @param before paces of the frame before, if there was one */
  constructor(size: Size, cell: number, before?: Float64Array) {
    this.costs = new CostMap(size, cell)
    this.#works = new Float64Array(this.costs.costs.length)
    this.#before = before
  }

  /** @param scale turns the tile's ms into ms of a worker of speed 1 */
  take({ rect, cells, cpuMs, work }: CountedTile, scale: number): void {
    if (!cells || !(cpuMs > 0 && work > 0)) return
    const before = this.#before
    const { cell, columns, costs, depths } = this.costs
    const range = cellRange(rect, cell)
    const pace = (scale * cpuMs) / work
    const paceAt = before ? (at: number) => before[at] || pace : () => pace
    const correction = followed(pace / expectedPace(cells, range, columns, paceAt))
    forEachCell(range, columns, (i, at) => {
      const own = (cells.costs[i]! * work) / cpuMs
      this.#works[at]! += own
      costs[at]! += own * paceAt(at) * correction
      const depth = cells.depths[i]!
      if (!Number.isNaN(depth)) depths[at] = depth
    })
  }

  /** ms of a worker of speed 1 per unit of work, for each cell, 0 where nothing is known; row-major. */
  get paces(): Float64Array {
    const { costs } = this.costs
    return this.#works.map((work, at) => (work > 0 ? costs[at]! / work : (this.#before?.[at] ?? 0)))
  }
}

/** How far to go from the paces so far to the newest one, which is so many times as high. */
function followed(ratio: number): number {
  const change = Math.log(ratio)
  return Math.exp(change * Math.min(1, Math.max(MIN_GAIN, Math.abs(change) / CHANCE)))
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
