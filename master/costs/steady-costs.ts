/**
 * Removes noise from measured costs. A tile's time is its work, which every engine counts exactly and identically, times
 * its pace, the time per unit of work. The pace depends on what is seen (rays that hit nothing finish early) and varies
 * by a few percent at random. So each cell gets the work counted for it, and the pace that its place on the screen has
 * had so far, corrected towards the pace of its tile: slightly where the two nearly agree, which is noise, and fully
 * where they do not, which is a real change.
 */

import type { Size } from '../../shared/frame/rect.ts'
import { type CellRange, cellRange, type TileCells } from '../../shared/protocol/cell-costs.ts'
import type { CostedTile } from './assemble-costs.ts'
import { CostMap } from './cost-map.ts'

/** A tile whose work was counted. */
export interface CountedTile extends CostedTile {
  readonly cpuMs: number
  readonly work: number
}

/** Minimum share by which a tile's pace is followed. */
const MIN_GAIN = 0.25
/** A pace that deviates by this much (in its logarithm) does not deviate by chance. */
const CHANCE = 0.15

/**
 * The cost map of a frame whose tiles all have cells of this size, as from `assembleCosts` but steadier. Tiles are taken
 * in as they arrive, so little is left to do when the frame is complete.
 */
export class SteadyCosts {
  /** The costs taken in so far. */
  readonly costs: CostMap
  readonly #works: Float64Array
  readonly #before: Float64Array | undefined

  /** @param before paces of the previous frame, if any */
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

/** Correction to the paces so far when the newest one is `ratio` times as high. */
function followed(ratio: number): number {
  const change = Math.log(ratio)
  return Math.exp(change * Math.min(1, Math.max(MIN_GAIN, Math.abs(change) / CHANCE)))
}

/** Mean pace of a tile's cells, by the previous paces at their places. */
function expectedPace({ costs }: TileCells, range: CellRange, stride: number, paceAt: (at: number) => number): number {
  let weights = 0
  let sum = 0
  forEachCell(range, stride, (i, at) => {
    weights += costs[i]!
    sum += costs[i]! * paceAt(at)
  })
  return sum / weights
}

/** Visits a tile's cells with their indices in the tile and in the frame. */
function forEachCell(
  { column, row, columns, rows }: CellRange,
  stride: number,
  visit: (inTile: number, inFrame: number) => void,
): void {
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) visit(j * columns + i, (row + j) * stride + column + i)
}
