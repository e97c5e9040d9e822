/** The frame under construction: its pixels, and the arrival map that rejects duplicates. */
import type { CellMask } from '../../shared/cell-mask.ts'
import {
  bytesPerPixel,
  bytesPerPixelOf,
  CHANNELS,
  type ChannelName,
  newPlane,
  type PlaneOf,
  planeAt,
  splitPlanes,
} from '../../shared/channels.ts'
import { invariant, SortfirstError } from '../../shared/errors.ts'
import { joinSums } from '../../shared/light/accumulate.ts'
import type { ToneMap } from '../../shared/light/tone-map.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../shared/pixel-set.ts'
import { contains, formatRect, frameRect, type Size } from '../../shared/rect.ts'
import type { SampleCounts } from './sample-counts.ts'

/** A tile lies outside its frame, or holds pixels that have already arrived: the scheduler broke its promise. */
export class MisplacedTileError extends SortfirstError {
  readonly code = 'MISPLACED_TILE'
}

export class FrameBuffer {
  readonly size: Size
  readonly #planes: ReadonlyMap<ChannelName, PlaneOf<ChannelName>>
  /** Content of the tiles of the current range of samples: what does not depend on samples comes with the first range. */
  #channels: readonly ChannelName[]
  /** One bit per pixel, row-major without padding, for the current range of samples. */
  readonly #arrived: Uint32Array
  #missing: number

  /** @param channels that its pixels have, in the order of their table */
  constructor(size: Size, channels: readonly ChannelName[] = ['rgb']) {
    const count = size[0] * size[1]
    this.size = size
    this.#channels = channels
    this.#planes = new Map(channels.map(name => [name, newPlane(name, count)]))
    this.#arrived = new Uint32Array(Math.ceil(count / 32))
    this.#missing = count
  }

  /** Pixels of the current range that have not arrived yet. */
  get missing(): number {
    return this.#missing
  }

  /** Channels that the tiles of the current range carry. */
  get channels(): readonly ChannelName[] {
    return this.#channels
  }

  /** The values of a channel so far, row-major; sums as they are. Borrowed. */
  plane<C extends ChannelName>(name: C): PlaneOf<C> {
    const plane = this.#planes.get(name)
    invariant(plane, `the frame has no channel ${name}`)
    return plane as PlaneOf<C>
  }

  /**
   * Begins the next range of samples, whose pixels are added to those of the complete ones.
   * @param cells that it is about. @default all
   */
  nextRange(cells?: CellMask): void {
    invariant(this.#missing === 0, `${this.#missing} pixels of a range are missing when the next one begins`)
    this.#channels = this.#channels.filter(name => CHANNELS[name].of === 'samples')
    this.#missing = cells?.pixels ?? this.size[0] * this.size[1]
    // What is not to arrive is taken to have arrived.
    this.#arrived.fill(cells ? -1 : 0)
    const open = cells?.within({ rect: frameRect(this.size) })
    if (open) forEachRun(open, (x, y, length) => this.#mark(y * this.size[0] + x, length, false))
  }

  /**
   * Puts a tile's pixels in place.
   * @param tile channel after channel, at least the set's pixels, packed row by row; any that follow in a channel are ignored
   * @throws MisplacedTileError before anything is written
   */
  put(set: PixelSet, tile: Uint8Array): void {
    const { rect } = set
    const [w] = this.size
    if (!contains(frameRect(this.size), rect))
      throw new MisplacedTileError(`tile ${formatRect(rect)} lies outside frame ${this.size.join('x')}`)
    const count = pixelCount(set)
    const there = tile.length / bytesPerPixelOf(this.#channels)
    if (there < count)
      throw new MisplacedTileError(`tile ${formatRect(rect)} came with ${tile.length} bytes for ${count} pixels`)
    let met = false
    forEachRun(set, (x, y, length) => {
      met ||= this.#anyArrived(y * w + x, length)
    })
    if (met) throw new MisplacedTileError(`tile ${formatRect(rect)} arrived twice`)
    const placers = [...splitPlanes(this.#channels, there, tile)].map(([name, bytes]) =>
      this.#placer(name, bytes, there),
    )
    let from = 0
    forEachRun(set, (x, y, length) => {
      const at = y * w + x
      for (const place of placers) place(at, from, length)
      this.#mark(at, length)
      from += length
    })
    this.#missing -= count
  }

  /** Takes pixels of the first range of samples out of the frame: they are missing again. */
  takeOut(sets: readonly PixelSet[]): void {
    const [w] = this.size
    invariant(
      this.#channels.length === this.#planes.size,
      'pixels of a later range are sums with those of earlier ones',
    )
    for (const set of sets)
      forEachRun(set, (x, y, length) => {
        const at = y * w + x
        for (const [name, plane] of this.#planes) {
          const { components } = CHANNELS[name]
          plane.fill(0, at * components, (at + length) * components)
        }
        this.#mark(at, length, false)
        this.#missing += length
      })
  }

  /** The frame as RGB8 when a range is complete, as bright as with all samples. */
  preview(toneMap: ToneMap, samples: SampleCounts): Uint8Array {
    const light = samples.means(this.plane('light'), CHANNELS.light.components)
    const rgb = new Uint8Array(light.length)
    toneMap.finish(light, rgb)
    return rgb
  }

  /** Returns a function that puts `length` of a tile's pixels from the `from`th on into a plane, from its pixel `at` on. */
  #placer(name: ChannelName, bytes: Uint8Array, pixels: number): (at: number, from: number, length: number) => void {
    const { components, of } = CHANNELS[name]
    // Views of wider values need an aligned offset, which part of a message may not have.
    const aligned = bytes.byteOffset % 8 === 0 || bytesPerPixel(name) === components ? bytes : bytes.slice()
    const values = planeAt(name, aligned.buffer, aligned.byteOffset, pixels)
    const plane = this.plane(name)
    const part = (from: number, length: number) => values.subarray(from * components, (from + length) * components)
    if (of !== 'samples') return (at, from, length) => plane.set(part(from, length), at * components)
    const add = name === 'alpha' ? addCounts : joinSums
    return (at, from, length) =>
      add(
        plane.subarray(at * components, (at + length) * components) as Float64Array,
        part(from, length) as Float64Array,
      )
  }

  #anyArrived(from: number, count: number): boolean {
    let met = false
    forEachWord(from, count, (word, bits) => {
      met ||= (this.#arrived[word]! & bits) !== 0
    })
    return met
  }

  #mark(from: number, count: number, arrived = true): void {
    forEachWord(from, count, (word, bits) => {
      if (arrived) this.#arrived[word]! |= bits
      else this.#arrived[word]! &= ~bits
    })
  }
}

/** Adds numbers of samples. */
function addCounts(sums: { [i: number]: number; readonly length: number }, others: ArrayLike<number>): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += others[i]!
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
