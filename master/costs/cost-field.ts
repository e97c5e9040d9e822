/** Costs as needed for cuts: sums over the columns or rows of a rectangle. */

import type { TileReport } from '../../shared/frame/frame-report.ts'
import { pixelCount } from '../../shared/frame/pixel-set.ts'
import { type Axis, area, extent, intersect, intersects, type Rect } from '../../shared/frame/rect.ts'
import { type CoverageMask, summedAreaTable } from '../coverage/coverage-mask.ts'

export interface CostField {
  /**
   * Cost of each column (axis x) or row (axis y) of `rect`, in order, for a worker of speed 1, in any unit: `extent(rect,
   * axis)` finite values, none negative.
   */
  profile(rect: Rect, axis: Axis): Float64Array
  /** Cost of the whole rectangle. */
  total(rect: Rect): number
  /** The same field for queries inside `rect` only, which are then cheaper. */
  within(rect: Rect): CostField
}

/** Eq. (4): every covered pixel costs 1, every other one 0. */
export function coverageCosts(mask: CoverageMask): CostField {
  const table = summedAreaTable(mask)
  const stride = mask.size[0] + 1
  const above = (x: number, y: number) => table[y * stride + x]!
  const field: CostField = {
    within: () => field,
    total: ({ x, y, w, h }) => above(x + w, y + h) - above(x, y + h) - above(x + w, y) + above(x, y),
    profile({ x, y, w, h }, axis) {
      // From one column to the next, the corners move by one in the table; from one row to the next, by a row of it.
      const lines = new Float64Array(axis === 'x' ? w : h)
      const step = axis === 'x' ? 1 : stride
      const across = axis === 'x' ? h * stride : w
      let corner = y * stride + x
      let before = table[corner + across]! - table[corner]!
      for (let i = 0; i < lines.length; i++) {
        corner += step
        const sum = table[corner + across]! - table[corner]!
        lines[i] = sum - before
        before = sum
      }
      return lines
    },
  }
  return field
}

/**
 * Eq. (8): a pixel costs t(ℓ) / (w_ℓ · h_ℓ) of the tile ℓ that held it in the last frame. `costOf` gives t(ℓ) in ms of a
 * worker of speed 1.
 */
export function measuredCosts(tiles: readonly TileReport[], costOf: (tile: TileReport) => number): CostField {
  return pricedTiles(tiles.map(tile => ({ rect: tile.rect, perPixel: costOf(tile) / pixelCount(tile) })))
}

interface PricedTile {
  readonly rect: Rect
  readonly perPixel: number
}

function pricedTiles(tiles: readonly PricedTile[]): CostField {
  return {
    within: rect => pricedTiles(tiles.filter(tile => intersects(tile.rect, rect))),
    total: rect =>
      tiles.reduce((sum, tile) => {
        const common = intersect(tile.rect, rect)
        return common ? sum + tile.perPixel * area(common) : sum
      }, 0),
    profile(rect, axis) {
      const lines = new Float64Array(extent(rect, axis))
      for (const { rect: tile, perPixel } of tiles) {
        if (!intersects(tile, rect)) continue
        const left = Math.max(tile.x, rect.x)
        const right = Math.min(tile.x + tile.w, rect.x + rect.w)
        const top = Math.max(tile.y, rect.y)
        const bottom = Math.min(tile.y + tile.h, rect.y + rect.h)
        const perLine = perPixel * (axis === 'x' ? bottom - top : right - left)
        const start = axis === 'x' ? left - rect.x : top - rect.y
        const end = axis === 'x' ? right - rect.x : bottom - rect.y
        for (let i = start; i < end; i++) lines[i]! += perLine
      }
      return lines
    },
  }
}

/** Every pixel costs the same: the assumption when nothing is known. */
export const uniformCosts: CostField = {
  total: area,
  within: () => uniformCosts,
  profile: (rect, axis) => new Float64Array(extent(rect, axis)).fill(area(rect) / extent(rect, axis)),
}
