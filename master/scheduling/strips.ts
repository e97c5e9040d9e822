/** Cuts a tile that must be traced again, so that a rescue takes as long as a strip rather than a whole tile. */
import { hasPixels, type PixelSet } from '../../shared/frame/pixel-set.ts'
import { area, cutEvenly, extent, longerAxis } from '../../shared/frame/rect.ts'

/** A strip of fewer pixels costs more to send than to trace. */
export const MIN_STRIP_PX = 64

/**
 * Pieces of each of `waiting` tiles that `able` areas are to share: one for each area if one tile is all there is. Of many, twice as many pieces
 * as areas are enough for all to end at about the same time; a piece for each area of each tile would be as many orders as their product.
 */
export const piecesOfEach = (able: number, waiting: number): number => Math.min(able, Math.ceil((2 * able) / waiting))

/** At most `count` pieces of a tile along its longer side, of equal length within one pixel. */
export function strips(tile: PixelSet, count: number): PixelSet[] {
  const { rect } = tile
  const axis = longerAxis(rect)
  const pieces = Math.max(1, Math.min(count, extent(rect, axis), Math.floor(area(rect) / MIN_STRIP_PX)))
  const cut = cutEvenly(rect, axis, pieces).map(strip => ({ ...tile, rect: strip }))
  return cut.filter(hasPixels)
}
