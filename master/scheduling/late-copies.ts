/**
 * How a late tile is shared with idle areas: each copies some of its rows, from the bottom, as many as bring all of them,
 * the late one at the pace that it shows, to a common end. Nothing is taken back: whichever result of a row comes first is
 * taken, and both are the same bytes. Pure.
 */
import type { AreaId } from '../../shared/ids.ts'
import { type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { MIN_STRIP_PX } from './strips.ts'

/** Who could help, and how long it would take for all that is left, ms. */
export interface Helper {
  readonly area: AreaId
  readonly ms: number
}

export interface Copy {
  readonly area: AreaId
  readonly tile: PixelSet
}

/**
 * What each helper shall copy of a tile, of which its holder will need `lateMs` more, as far as one can tell. All times
 * above 0.
 */
export function copiesOf(tile: PixelSet, lateMs: number, helpers: readonly Helper[]): Copy[] {
  const { rect } = tile
  const most = Math.max(1, Math.floor(pixelCount(tile) / MIN_STRIP_PX))
  const able = helpers.toSorted((a, b) => a.ms - b.ms).slice(0, most)
  const rates = able.map(({ ms }) => 1 / ms)
  const total = rates.reduce((sum, rate) => sum + rate, 1 / lateMs)
  let end = rect.y + rect.h
  let below = 0
  const copies: Copy[] = []
  for (const [i, { area }] of able.entries()) {
    below += rates[i]!
    // The lowest row at least: of one row there is nothing to share.
    const top = Math.min(rect.y + rect.h - 1, rect.y + rect.h - Math.round((rect.h * below) / total))
    if (top >= end) continue
    const strip = { ...tile, rect: { ...rect, y: top, h: end - top } }
    if (tile.pattern && pixelCount(strip) === 0) continue
    copies.push({ area, tile: strip })
    end = top
  }
  return copies
}
