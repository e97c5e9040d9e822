/** Pixels as a device takes them, column plus 2^16 times the row, in the order in which the kernel numbers those of a block. */
import type { Rect } from '../../../shared/frame/rect.ts'
import { wordsTo } from '../wasm/records/access.ts'
import { LISTED } from '../wasm/records/view.ts'

export const pixelsOfRect = ({ x, y, w, h }: Rect): Uint32Array<ArrayBuffer> =>
  Uint32Array.from({ length: w * h }, (_, i) => (x + (i % w)) | ((y + Math.floor(i / w)) << 16))

/** Of the first squares of a list, as `square-list.ts` writes it. */
export function pixelsOfList(words: Uint32Array, squares: number, count: number): Uint32Array<ArrayBuffer> {
  const pixels = new Uint32Array(count)
  let next = 0
  for (let at = 0; at < squares * LISTED_WORDS; at += LISTED_WORDS)
    for (let place = 0; place < 64; place++)
      if (((words[at + PIXELS + (place >> 5)]! >>> (place & 31)) & 1) === 1)
        pixels[next++] = (words[at + X]! + evenBits(place)) | ((words[at + Y]! + evenBits(place >> 1)) << 16)
  return pixels
}

/** Bits 0, 2 and 4: x of a place in Morton order. */
const evenBits = (bits: number): number => (bits & 1) | ((bits >> 1) & 2) | ((bits >> 2) & 4)

const LISTED_WORDS = LISTED.bytes / 4
const [X, Y, PIXELS] = [wordsTo(LISTED, 'x'), wordsTo(LISTED, 'y'), wordsTo(LISTED, 'pixels')]
