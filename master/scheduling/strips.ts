/** Cuts a tile that must be traced again, so that a rescue takes as long as a strip rather than a whole tile. */
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { area, cutEvenly, extent, longerAxis } from '../../shared/rect.ts'

/** A strip of fewer pixels costs more to send than to trace. */
export const MIN_STRIP_PX = 64

/** At most `count` pieces of a tile along its longer side, of equal length within one pixel. */
export function strips(tile: PixelSet, count: number): PixelSet[] {
  const { rect } = tile
  const axis = longerAxis(rect)
  const pieces = Math.max(1, Math.min(count, extent(rect, axis), Math.floor(area(rect) / MIN_STRIP_PX)))
  const cut = cutEvenly(rect, axis, pieces).map(strip => ({ ...tile, rect: strip }))
  return tile.pattern ? cut.filter(strip => pixelCount(strip) > 0) : cut
}
