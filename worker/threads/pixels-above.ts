/** Where rows of a tile begin among its packed pixels. */
import { forEachRun, type PixelSet } from '../../shared/pixel-set.ts'

/** Pixels of the set above each of its rows, and then all of them: rows + 1 entries, in shared memory. */
export function pixelsAbove(set: PixelSet): Uint32Array<SharedArrayBuffer> {
  const { y: top, h } = set.rect
  const above = new Uint32Array(new SharedArrayBuffer((h + 1) * 4))
  forEachRun(set, (_, y, length) => {
    above[y - top + 1]! += length
  })
  for (let row = 0; row < h; row++) above[row + 1]! += above[row]!
  return above
}
