/** The frame under construction: its pixels, and the arrival map that rejects duplicates. */
import { bytesPerPixel, type ChannelName } from '../../shared/channels.ts'
import { invariant, SortfirstError } from '../../shared/errors.ts'
import { joinSums } from '../../shared/light/accumulate.ts'
import type { ToneMap } from '../../shared/light/tone-map.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { contains, formatRect, frameRect, type Size } from '../../shared/rect.ts'

/** A tile lies outside its frame, or holds pixels that have already arrived: the scheduler broke its promise. */
export class MisplacedTileError extends SortfirstError {
  readonly code = 'MISPLACED_TILE'
}

export class FrameBuffer {
  readonly size: Size
  /** Content of the tiles: finished colour, or sums of light over some of the samples. */
  readonly channel: ChannelName
  /** RGB8, row-major, `w * h * 3` bytes; empty for the light channel. */
  readonly #rgb: Uint8Array
  /** Red, green and blue sums of each pixel, row-major; empty for finished colour. */
  readonly #light: Float64Array
  /** One bit per pixel, row-major without padding, for the current range of samples. */
  readonly #arrived: Uint32Array
  #missing: number

  constructor(size: Size, channel: ChannelName = 'rgb') {
    const count = size[0] * size[1]
    this.size = size
    this.channel = channel
    this.#rgb = new Uint8Array(channel === 'rgb' ? count * 3 : 0)
    this.#light = new Float64Array(channel === 'light' ? count * 3 : 0)
    this.#arrived = new Uint32Array(Math.ceil(count / 32))
    this.#missing = count
  }

  /** Pixels of the current range that have not arrived yet. */
  get missing(): number {
    return this.#missing
  }

  /** Begins the next range of samples, whose pixels are added to those of the complete ones. */
  nextRange(): void {
    invariant(this.#missing === 0, `${this.#missing} pixels of a range are missing when the next one begins`)
    this.#arrived.fill(0)
    this.#missing = this.size[0] * this.size[1]
  }

  /**
   * Puts a tile's pixels in place.
   * @param pixels at least those of the set, packed row by row in the channel's format; any that follow are ignored
   * @throws MisplacedTileError before anything is written
   */
  put(set: PixelSet, pixels: Uint8Array): void {
    const { rect } = set
    const [w] = this.size
    if (!contains(frameRect(this.size), rect))
      throw new MisplacedTileError(`tile ${formatRect(rect)} lies outside frame ${this.size.join('x')}`)
    const count = pixelCount(set)
    if (pixels.length < count * bytesPerPixel(this.channel))
      throw new MisplacedTileError(`tile ${formatRect(rect)} came with ${pixels.length} bytes for ${count} pixels`)
    let met = false
    forEachRun(set, (x, y, length) => {
      met ||= this.#anyArrived(y * w + x, length)
    })
    if (met) throw new MisplacedTileError(`tile ${formatRect(rect)} arrived twice`)
    const place = this.channel === 'rgb' ? this.#copier(pixels) : this.#adder(pixels)
    let from = 0
    forEachRun(set, (x, y, length) => {
      const at = y * w + x
      place(at, from, length)
      this.#mark(at, length)
      from += length
    })
    this.#missing -= count
  }

  /** The frame as RGB8, once all samples have arrived. */
  finish(toneMap: ToneMap): Uint8Array {
    return this.channel === 'rgb' ? this.#rgb : this.preview(toneMap, 1)
  }

  /** The frame as RGB8 after the same `share` of every pixel's samples has arrived, scaled to its final brightness. */
  preview(toneMap: ToneMap, share: number): Uint8Array {
    const rgb = new Uint8Array(this.#light.length)
    toneMap.finish(share === 1 ? this.#light : this.#light.map(sum => sum / share), rgb)
    return rgb
  }

  #copier(pixels: Uint8Array) {
    return (at: number, from: number, length: number): void =>
      this.#rgb.set(pixels.subarray(from * 3, (from + length) * 3), at * 3)
  }

  #adder(pixels: Uint8Array) {
    // Float64 views need an offset that is a multiple of 8, which part of a message may not have.
    const aligned = pixels.byteOffset % 8 === 0 ? pixels : pixels.slice()
    const sums = new Float64Array(aligned.buffer, aligned.byteOffset, aligned.length >> 3)
    return (at: number, from: number, length: number): void =>
      joinSums(this.#light.subarray(at * 3, (at + length) * 3), sums.subarray(from * 3, (from + length) * 3))
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
