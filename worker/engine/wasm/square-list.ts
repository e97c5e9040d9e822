/**
 * Pixel sets that are not rectangles, in the kernel's format: a list of squares of 8 × 8 pixels of the frame, with a bit for
 * each pixel. The kernel numbers pixels in list order, within a square in Morton order; a second list gives the position of
 * each among the packed pixels of the set.
 */
import { forEachRun, type PixelSet } from '../../../shared/frame/pixel-set.ts'
import { wordsTo } from './records/access.ts'
import { LISTED } from './records/view.ts'

/** Side of a square, its logarithm, and the mask of a coordinate within a square. */
const SIDE = 8
const SIDE_BITS = 3
const INSIDE = SIDE - 1
const SQUARE_PIXELS = SIDE * SIDE
const LISTED_WORDS = LISTED.bytes / 4
/** Words from the beginning of an entry to its fields. */
const [X, Y, PIXELS] = [wordsTo(LISTED, 'x'), wordsTo(LISTED, 'y'), wordsTo(LISTED, 'pixels')]

/** Listed pixels of a set. Borrowed until the next ones. */
export interface ListedPixels {
  /** In the kernel's format, the first `squares` entries. */
  readonly words: Uint32Array
  readonly squares: number
  /** The position of each pixel, in the kernel's order, among the packed pixels of the set; the first `pixels` entries. */
  readonly places: Uint32Array
  readonly pixels: number
}

/** Lists sets. Not re-entrant. */
export class SquareList {
  readonly #mostPixels: number
  readonly #words: Uint32Array
  readonly #places: Uint32Array
  /** For a row of squares: the pixels of each as two words, and the position of each pixel. */
  #masks = new Int32Array(0)
  #row = new Uint32Array(0)

  /** @param mostPixels pixels, and squares, that the kernel takes at a time: at least the pixels of one square */
  constructor(mostPixels: number) {
    this.#mostPixels = mostPixels
    this.#words = new Uint32Array(mostPixels * LISTED_WORDS)
    this.#places = new Uint32Array(mostPixels)
  }

  /**
   * Calls `take` with the pixels of a set, at most `mostPixels` at a time, which must be at least those of a square. Returns how
   * many there are.
   * @param corner of the set's picture in its frame, px
   */
  forEach(
    { rect, pattern }: PixelSet,
    take: (listed: ListedPixels) => void,
    mostPixels = this.#mostPixels,
    corner = { x: 0, y: 0 },
  ): number {
    const left = corner.x + rect.x
    const firstColumn = left - (left % SIDE)
    const columns = Math.ceil((left + rect.w - firstColumn) / SIDE)
    if (this.#row.length < columns * SQUARE_PIXELS) {
      this.#masks = new Int32Array(columns * 2)
      this.#row = new Uint32Array(columns * SQUARE_PIXELS)
    }
    const [words, places, masks, row] = [this.#words, this.#places, this.#masks, this.#row]
    let [squares, pixels, packed] = [0, 0, 0]
    const flush = () => {
      if (pixels > 0) take({ words, squares, places, pixels })
      squares = 0
      pixels = 0
    }
    const first = corner.y + rect.y
    const end = first + rect.h
    for (let top = first - (first % SIDE); top < end; top += SIDE) {
      const y = Math.max(top, first)
      const h = Math.min(top + SIDE, end) - y
      const before = packed
      forEachRun({ rect: { ...rect, y: y - corner.y, h }, ...(pattern ? { pattern } : {}) }, (from, line, length) => {
        const start = corner.x + from - firstColumn
        const inLine = ((corner.y + line) & INSIDE) << SIDE_BITS
        for (let x = start; x < start + length; x++) {
          const bit = MORTON[inLine | (x & INSIDE)]!
          const square = x >> SIDE_BITS
          masks[square * 2 + (bit >> 5)]! |= 1 << (bit & 31)
          row[square * SQUARE_PIXELS + bit] = packed++
        }
      })
      if (packed === before) continue
      for (let square = 0; square < columns; square++) {
        const [low, high] = [masks[square * 2]!, masks[square * 2 + 1]!]
        if ((low | high) === 0) continue
        if (pixels + SQUARE_PIXELS > mostPixels) flush()
        const at = squares++ * LISTED_WORDS
        words[at + X] = firstColumn + square * SIDE
        words[at + Y] = top
        words[at + PIXELS] = low
        words[at + PIXELS + 1] = high
        for (let bits = low; bits !== 0; bits &= bits - 1)
          places[pixels++] = row[square * SQUARE_PIXELS + lowest(bits)]!
        for (let bits = high; bits !== 0; bits &= bits - 1)
          places[pixels++] = row[square * SQUARE_PIXELS + 32 + lowest(bits)]!
        masks[square * 2] = 0
        masks[square * 2 + 1] = 0
      }
    }
    flush()
    return packed
  }
}

/** Index of the lowest set bit. */
const lowest = (bits: number): number => 31 - Math.clz32(bits & -bits)

/** Positions of a square's pixels in Morton order, row by row: the bits of x and y interleaved. */
const MORTON = Uint8Array.from({ length: SQUARE_PIXELS }, (_, i) => spread(i % SIDE) | (spread(i >> 3) << 1))

function spread(bits: number): number {
  return (bits & 1) | ((bits & 2) << 1) | ((bits & 4) << 2)
}
