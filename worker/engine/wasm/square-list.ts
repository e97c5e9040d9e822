/**
 * The pixels of a set as the kernel takes them where they are no rectangle: listed by squares of 8 × 8 pixels of the frame,
 * a bit for each pixel. The kernel numbers pixels as they come, square by square and in each in Morton's order; beside
 * the list goes where each of them lies among the packed pixels of the set.
 */
import { forEachRun, type PixelSet } from '../../../shared/pixel-set.ts'
import { LISTED_BYTES, LISTED_PIXELS, LISTED_X, LISTED_Y } from './kernel/layout.ts'

/** Side of a square, its logarithm, and what a coordinate has in a square. */
const SIDE = 8
const SIDE_BITS = 3
const INSIDE = SIDE - 1
const SQUARE_PIXELS = SIDE * SIDE
const LISTED_WORDS = LISTED_BYTES / 4

/** The newest pixels of a set. Borrowed until the next ones. */
export interface ListedPixels {
  /** As the kernel reads them, so many squares from the beginning. */
  readonly words: Uint32Array
  readonly squares: number
  /** Of each pixel, in the kernel's order, its place among the packed pixels of the set, so many from the beginning. */
  readonly places: Uint32Array
  readonly pixels: number
}

/** Lists sets. Not re-entrant. */
export class SquareList {
  readonly #mostPixels: number
  readonly #words: Uint32Array
  readonly #places: Uint32Array
  /** Of a row of squares: the pixels of each, two words, and where each pixel lies. */
  #masks = new Int32Array(0)
  #row = new Uint32Array(0)

  /** @param mostPixels pixels, and squares, that the kernel takes at a time: at least those of a square */
  constructor(mostPixels: number) {
    this.#mostPixels = mostPixels
    this.#words = new Uint32Array(mostPixels * LISTED_WORDS)
    this.#places = new Uint32Array(mostPixels)
  }

  /**
   * Calls `take` with the pixels of a set, as many at a time as the kernel takes, or fewer: those of a square at least. Answers
   * how many there are.
   */
  forEach({ rect, pattern }: PixelSet, take: (listed: ListedPixels) => void, mostPixels = this.#mostPixels): number {
    const firstColumn = rect.x - (rect.x % SIDE)
    const columns = Math.ceil((rect.x + rect.w - firstColumn) / SIDE)
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
    const end = rect.y + rect.h
    for (let top = rect.y - (rect.y % SIDE); top < end; top += SIDE) {
      const y = Math.max(top, rect.y)
      const h = Math.min(top + SIDE, end) - y
      const before = packed
      forEachRun({ rect: { ...rect, y, h }, ...(pattern ? { pattern } : {}) }, (left, line, length) => {
        const start = left - firstColumn
        const inLine = (line & INSIDE) << SIDE_BITS
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
        words[at + LISTED_X / 4] = firstColumn + square * SIDE
        words[at + LISTED_Y / 4] = top
        words[at + LISTED_PIXELS / 4] = low
        words[at + LISTED_PIXELS / 4 + 1] = high
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

/** The number of the lowest bit that is set. */
const lowest = (bits: number): number => 31 - Math.clz32(bits & -bits)

/** Places of a square's pixels in Morton's order, row by row: bits of x and y in turn. */
const MORTON = Uint8Array.from({ length: SQUARE_PIXELS }, (_, i) => spread(i % SIDE) | (spread(i >> 3) << 1))

function spread(bits: number): number {
  return (bits & 1) | ((bits & 2) << 1) | ((bits & 4) << 2)
}
