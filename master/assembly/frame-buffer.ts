/** The frame in the making: pixels, and the arrival map that refuses any of them a second time. */
import { SortfirstError } from '../../shared/errors.ts'
import { contains, formatRect, frameRect, type Rect, type Size } from '../../shared/rect.ts'

/** A tile lies outside its frame, or holds pixels that are there already: a broken promise of the scheduler. */
export class MisplacedTileError extends SortfirstError {
  readonly code = 'MISPLACED_TILE'
}

export class FrameBuffer {
  readonly size: Size
  /** RGB8, row-major, `w * h * 3` bytes. */
  readonly pixels: Uint8Array
  /** One bit per pixel, row-major without padding. */
  readonly #arrived: Uint32Array
  #missing: number

  constructor(size: Size) {
    const count = size[0] * size[1]
    this.size = size
    this.pixels = new Uint8Array(count * 3)
    this.#arrived = new Uint32Array(Math.ceil(count / 32))
    this.#missing = count
  }

  /** Pixels that have not arrived yet. */
  get missing(): number {
    return this.#missing
  }

  /**
   * Copies a tile's pixels into place.
   * @param pixels RGB8, row-major over `rect`, `rect.w * rect.h * 3` bytes
   * @throws MisplacedTileError before anything is written
   */
  blit(rect: Rect, pixels: Uint8Array): void {
    const [w] = this.size
    if (!contains(frameRect(this.size), rect))
      throw new MisplacedTileError(`tile ${formatRect(rect)} lies outside frame ${this.size.join('x')}`)
    for (let y = rect.y; y < rect.y + rect.h; y++)
      if (this.#anyArrived(y * w + rect.x, rect.w))
        throw new MisplacedTileError(`tile ${formatRect(rect)} arrived twice`)
    for (let row = 0; row < rect.h; row++) {
      const at = (rect.y + row) * w + rect.x
      this.pixels.set(pixels.subarray(row * rect.w * 3, (row + 1) * rect.w * 3), at * 3)
      this.#mark(at, rect.w)
    }
    this.#missing -= rect.w * rect.h
  }

  #anyArrived(from: number, count: number): boolean {
    let met = false
    forEachWord(from, count, (word, bits) => {
      met ||= (this.#arrived[word]! & bits) !== 0
    })
    return met
  }

  #mark(from: number, count: number): void {
    forEachWord(from, count, (word, bits) => {
      this.#arrived[word]! |= bits
    })
  }
}

/** Visits the 32-bit words that hold bits `from` to `from + count - 1`, with those bits of each. */
function forEachWord(from: number, count: number, visit: (word: number, bits: number) => void): void {
  const end = from + count
  for (let at = from; at < end; ) {
    const word = at >>> 5
    const wordEnd = Math.min(end, (word + 1) * 32)
    const length = wordEnd - at
    visit(word, (length === 32 ? -1 : (1 << length) - 1) << (at & 31))
    at = wordEnd
  }
}
