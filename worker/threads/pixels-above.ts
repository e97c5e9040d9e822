/** Where the rows of a tile begin among its packed pixels. */
import { forEachRun, type PixelSet } from '../../shared/frame/pixel-set.ts'
import { SharedRoom } from './shared-room.ts'

/** Pixels of the set above each of its rows, then the total: rows + 1 entries, in shared memory that may be longer. */
export function pixelsAbove(set: PixelSet, room = new SharedRoom()): Uint32Array<SharedArrayBuffer> {
  const { y: top, h } = set.rect
  const above = new Uint32Array(room.ofBytes((h + 1) * 4), 0, h + 1).fill(0)
  forEachRun(set, (_, y, length) => {
    above[y - top + 1]! += length
  })
  for (let row = 0; row < h; row++) above[row + 1]! += above[row]!
  return above
}
