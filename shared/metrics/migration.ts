/** How much of the screen changed hands between two frames. */
import { forEachRun, type PixelSet } from '../pixel-set.ts'
import type { Size } from '../rect.ts'

export interface OwnedTile extends PixelSet {
  readonly worker: string
}

/**
 * Share of the frame's pixels whose owner differs from the previous frame's, 0 to 1. Both sets of tiles partition a frame
 * of this size; with no previous frame nothing has migrated.
 */
export function migrationShare(
  size: Size,
  previous: readonly OwnedTile[] | undefined,
  current: readonly OwnedTile[],
): number {
  if (!previous || previous.length === 0) return 0
  const numbers = new Map<string, number>()
  const before = ownerMap(size, previous, numbers)
  const now = ownerMap(size, current, numbers)
  let moved = 0
  for (let i = 0; i < now.length; i++) if (now[i] !== before[i]) moved++
  return moved / now.length
}

/** The owner's number of each pixel, row-major. */
function ownerMap([w, h]: Size, tiles: readonly OwnedTile[], numbers: Map<string, number>): Uint16Array {
  const owners = new Uint16Array(w * h)
  for (const tile of tiles) {
    if (!numbers.has(tile.worker)) numbers.set(tile.worker, numbers.size + 1)
    const number = numbers.get(tile.worker)!
    forEachRun(tile, (x, y, length) => owners.fill(number, y * w + x, y * w + x + length))
  }
  return owners
}
