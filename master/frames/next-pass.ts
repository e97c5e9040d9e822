/**
 * What the passes of an adaptive frame say about the next one: the same cells cost the same per sample, and cells that are left out
 * cost nothing. So costs jump from pass to pass exactly as far as is known. Pure.
 */
import type { CellMask } from '../../shared/cell-mask.ts'
import type { TileReport } from '../../shared/frame-report.ts'
import { pixelCount } from '../../shared/pixel-set.ts'
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
      ...{ cpuMs: cpuMs * share, wallMs: wallMs * share },
      ...(work === undefined ? {} : { work: work * share }),
    }
  })

/** How many pixels of each cell of a map are in open cells of a mask. */
function openPixels({ size, cell, columns, rows }: CostMap, open: CellMask): Float64Array {
  const pixels = new Float64Array(columns * rows)
  for (let row = 0; row < open.rows; row++)
    for (let column = 0; column < open.columns; column++) {
      if (!open.has(column, row)) continue
      const { x, y, w, h } = open.rectOf(column, row)
      if (cell === open.cell) {
        pixels[row * columns + column] = w * h
        continue
      }
      const range = cellRange({ x, y, w, h }, cell)
      for (let j = range.row; j < range.row + range.rows; j++)
        for (let i = range.column; i < range.column + range.columns; i++)
          pixels[j * columns + i]! +=
            overlap(x, w, i * cell, Math.min(cell, size[0] - i * cell)) *
            overlap(y, h, j * cell, Math.min(cell, size[1] - j * cell))
    }
  return pixels
}

const overlap = (a: number, length: number, b: number, other: number): number =>
  Math.max(0, Math.min(a + length, b + other) - Math.max(a, b))
