/**
 * What the passes of an adaptive frame say about the next one: the same cells cost the same per sample, and cells that are left out
 * cost nothing. So costs jump from pass to pass exactly as far as is known. Pure.
 */
import type { CellMask } from '../../shared/frame/cell-mask.ts'
import type { TileReport } from '../../shared/frame/frame-report.ts'
import { pixelCount } from '../../shared/frame/pixel-set.ts'
import { cellRange } from '../../shared/protocol/cell-costs.ts'
import type { CostMap } from '../costs/cost-map.ts'

/** A pass over some cells of a frame, and the one before it. */
export interface NextPass {
  /** Its cells, all of them among those of the pass before. */
  readonly open: CellMask
  /** Cells of the pass before. @default all */
  readonly before?: CellMask
  /** Its samples of a pixel, over those of the pass before. */
  readonly factor: number
}

/** The costs of the next pass, in cells of any size. Depths are kept. */
export function nextCosts(measured: CostMap, { open, before, factor }: NextPass): CostMap {
  const now = openPixels(measured, open)
  const then = before && openPixels(measured, before)
  const costs = measured.withCosts(i => {
    const all = then ? then[i]! : measured.area(i % measured.columns, Math.floor(i / measured.columns))
    return all > 0 ? (measured.costs[i]! * factor * now[i]!) / all : 0
  })
  costs.depths.set(measured.depths)
  return costs
}

/** Tiles as if they had been traced with the samples and cells of the next pass, for strategies that know no cells. */
export const nextTiles = (tiles: readonly TileReport[], { open, factor }: NextPass): TileReport[] =>
  tiles.map(tile => {
    const { pattern, ...others } = tile
    const rest = open.within(tile)
    const share = rest ? (factor * pixelCount(rest)) / pixelCount(tile) : 0
    const { cpuMs, wallMs, work } = tile
    // Where they were cut is the strategy's own rule; which cells there were is not.
    const of = pattern?.kind === 'mask' ? pattern.of : pattern
    return {
      ...others,
      ...(of ? { pattern: of } : {}),
      cpuMs: cpuMs * share,
      wallMs: wallMs * share,
      ...(work === undefined ? {} : { work: work * share }),
    }
  })

/** How many pixels of each cell of a map are in open cells of a mask. */
function openPixels({ cell, columns, rows }: CostMap, open: CellMask): Float64Array {
  const pixels = new Float64Array(columns * rows)
  open.forEachRun(run => {
    const { column, row, columns: across, rows: down } = cellRange(run, cell)
    for (let j = row; j < row + down; j++) {
      const height = overlap(run.y, run.h, j * cell, cell)
      for (let i = column; i < column + across; i++)
        pixels[j * columns + i]! += height * overlap(run.x, run.w, i * cell, cell)
    }
  })
  return pixels
}

const overlap = (a: number, length: number, b: number, other: number): number =>
  Math.max(0, Math.min(a + length, b + other) - Math.max(a, b))
