/** How much of the screen changed hands between two frames. */
import { area, intersect, type Rect } from '../rect.ts'

interface OwnedTile {
  readonly rect: Rect
  readonly worker: string
}

/**
 * Share of the frame's pixels whose owner differs from the previous frame's, 0 to 1. Both sets of tiles partition the
 * same frame; with no previous frame nothing has migrated.
 */
export function migrationShare(previous: readonly OwnedTile[] | undefined, current: readonly OwnedTile[]): number {
  if (!previous || previous.length === 0) return 0
  const pixels = current.reduce((total, tile) => total + area(tile.rect), 0)
  let kept = 0
  for (const tile of current) {
    for (const before of previous) {
      if (before.worker !== tile.worker) continue
      const common = intersect(before.rect, tile.rect)
      if (common) kept += area(common)
    }
  }
  return pixels > 0 ? (pixels - kept) / pixels : 0
}
