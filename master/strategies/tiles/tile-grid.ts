/** Small square tiles of one size, in row-major order from the top left; clipped at the right and bottom edges. */
import type { Rect } from '../../../shared/frame/rect.ts'

/** Default side of small tiles, px. */
export const TILE_SIDE_PX = 32

/** Cuts a rectangle into squares of `side` px. */
export function smallTiles({ x, y, w, h }: Rect, side: number): Rect[] {
  const tiles: Rect[] = []
  for (let top = 0; top < h; top += side)
    for (let left = 0; left < w; left += side)
      tiles.push({ x: x + left, y: y + top, w: Math.min(side, w - left), h: Math.min(side, h - top) })
  return tiles
}
