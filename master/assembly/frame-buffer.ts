/** The frame in the making: pixels, and the arrival map that refuses any of them a second time. */
import { SortfirstError } from '../../shared/errors.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { contains, formatRect, frameRect, type Size } from '../../shared/rect.ts'

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
   * @param pixels RGB8, packed row by row over the set
   * @throws MisplacedTileError before anything is written
   */
  blit(set: PixelSet, pixels: Uint8Array): void {
    const { rect } = set
    const [w] = this.size
    if (!contains(frameRect(this.size), rect))
      throw new MisplacedTileError(`tile ${formatRect(rect)} lies outside frame ${this.size.join('x')}`)
    const count = pixelCount(set)
    if (pixels.length !== count * 3)
      throw new MisplacedTileError(`tile ${formatRect(rect)} came with ${pixels.length} bytes for ${count} pixels`)
    let met = false
    forEachRun(set, (x, y, length) => {
      met ||= this.#anyArrived(y * w + x, length)
    })
    if (met) throw new MisplacedTileError(`tile ${formatRect(rect)} arrived twice`)
    let from = 0
    forEachRun(set, (x, y, length) => {
      const at = y * w + x
      this.pixels.set(pixels.subarray(from, from + length * 3), at * 3)
      this.#mark(at, length)
      from += length * 3
    })
    this.#missing -= count
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
