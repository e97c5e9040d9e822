/** The frame under construction: the memory of its pixels, and the arrival map that rejects duplicates. */

import { invariant, SortfirstError } from '../../shared/errors.ts'
import type { CellMask } from '../../shared/frame/cell-mask.ts'
import {
  bytesPerPixel,
  bytesPerPixelOf,
  CHANNELS,
  type ChannelName,
  type PlaneOf,
  planeAt,
} from '../../shared/frame/channels.ts'
import { bitsIn, type FrameState } from '../../shared/frame/frame-state.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import { contains, formatRect, frameRect, type Size } from '../../shared/frame/rect.ts'
import { type Placement, placeTile, type Target } from './place-tile.ts'

/** A tile lies outside its frame, or holds pixels that have already arrived: the scheduler broke its promise. */
export class MisplacedTileError extends SortfirstError {
  readonly code = 'MISPLACED_TILE'
}

/** Memory for a channel of a frame; its content does not matter. */
export type TakeMemory = (bytes: number) => ArrayBufferLike

export interface BufferOptions {
  /** @default memory of its own */
  readonly take?: TakeMemory
  /**
   * Channels whose later ranges are kept apart until they are added up: what earlier ranges amount to can be read meanwhile.
   * @default none
   */
  readonly apart?: readonly ChannelName[]
  /** What it begins with; its memory is taken over. @default nothing */
  readonly from?: Pick<FrameState, 'planes' | 'arrived' | 'range'> | undefined
}

/** A channel as it is now. Borrowed. */
export interface HeldPlane {
  readonly channel: ChannelName
  /** Whether it is of the current range alone. */
  readonly isNewest: boolean
  readonly plane: PlaneOf<ChannelName>
}

export class FrameBuffer {
  readonly size: Size
  readonly #planes: Map<ChannelName, PlaneOf<ChannelName>>
  /** The newest range of those channels that are kept apart. */
  readonly #newest: Map<ChannelName, PlaneOf<ChannelName>>
  /** Content of the tiles of the current range of samples: what does not depend on samples comes with the first range. */
  #channels: readonly ChannelName[]
  #isFirst: boolean
  /** One bit per pixel, row-major without padding, for the current range of samples. */
  readonly #arrived: Uint32Array
  #missing: number

  /** @param channels that its pixels have, in the order of their table */
  constructor(
    size: Size,
    channels: readonly ChannelName[] = ['rgb'],
    { take = bytes => new ArrayBuffer(bytes), apart = [], from }: BufferOptions = {},
  ) {
    const count = size[0] * size[1]
    const plane = (name: ChannelName, isNewest = false) => {
      const kept = from?.planes.find(each => each.channel === name && each.isNewest === isNewest)
      const values = planeAt(name, kept ? kept.bytes.buffer : take(count * bytesPerPixel(name)), 0, count)
      // Of pixels that have arrived, what is kept apart now was added up at once.
      if (from && isNewest && !kept) values.fill(0)
      return [name, values] as const
    }
    this.size = size
    this.#isFirst = !from || from.range.from === 0
    this.#channels = this.#isFirst ? channels : ofSamples(channels)
    this.#planes = new Map(channels.map(name => plane(name)))
    this.#newest = new Map(channels.filter(name => apart.includes(name)).map(name => plane(name, true)))
    this.#arrived = from?.arrived.slice() ?? new Uint32Array(Math.ceil(count / 32))
    this.#missing = count - (from ? bitsIn(this.#arrived, count) : 0)
  }

  /** Which pixels of the current range have arrived: a bit for each, row-major. */
  arrived(): Uint32Array {
    return this.#arrived.slice()
  }

  /** All that it has: sums, and of those that are kept apart the current range, unless it is the first. */
  held(): HeldPlane[] {
    const newest = this.#isFirst ? [] : [...this.#newest]
    return [
      ...[...this.#planes].map(([channel, plane]) => ({ channel, isNewest: false, plane })),
      ...newest.map(([channel, plane]) => ({ channel, isNewest: true, plane })),
    ]
  }

  /** Pixels of the current range that have not arrived yet. */
  get missing(): number {
    return this.#missing
  }

  /** Channels that the tiles of the current range carry. */
  get channels(): readonly ChannelName[] {
    return this.#channels
  }

  /** Whether the current range is the first. */
  get isFirst(): boolean {
    return this.#isFirst
  }

  has(name: ChannelName): boolean {
    return this.#planes.has(name)
  }

  /** The values of a channel so far, row-major; sums as they are. Borrowed. */
  plane<C extends ChannelName>(name: C): PlaneOf<C> {
    const plane = this.#planes.get(name)
    invariant(plane, `the frame has no channel ${name}`)
    return plane as PlaneOf<C>
  }

  /** Of the newest range alone, if the channel is kept apart and it is not the first. Values of pixels that it is not about are arbitrary. */
  newest<C extends ChannelName>(name: C): PlaneOf<C> | undefined {
    return this.#isFirst ? undefined : (this.#newest.get(name) as PlaneOf<C> | undefined)
  }

  /** The memory of newest ranges, which is not needed when the last has been added up. It is the caller's now. */
  dropNewest(): ArrayBufferLike[] {
    return dropped(this.#newest)
  }

  /** All memory. It is the caller's now, and there is nothing left to read or to put anything into. */
  drop(): ArrayBufferLike[] {
    return [...dropped(this.#newest), ...dropped(this.#planes)]
  }

  /**
   * Begins the next range of samples, whose pixels are added to those of the complete ones.
   * @param cells that it is about. @default all
   */
  nextRange(cells?: CellMask): void {
    invariant(this.#missing === 0, `${this.#missing} pixels of a range are missing when the next one begins`)
    this.#channels = ofSamples(this.#channels)
    this.#isFirst = false
    this.#missing = cells?.pixels ?? this.size[0] * this.size[1]
    // What is not to arrive is taken to have arrived.
    this.#arrived.fill(cells ? -1 : 0)
    const [w] = this.size
    cells?.forEachRun(({ x, y, w: length, h }) => {
      for (let row = y; row < y + h; row++) this.#mark(row * w + x, length, false)
    })
  }

  /**
   * Takes note that a tile's pixels have arrived. They have to be put where the answer says before the next range is added up, and it does
   * not matter in which order tiles of one range are.
   * @param bytes of the tile
   * @throws MisplacedTileError before anything is noted
   */
  accept(set: PixelSet, bytes: number): Placement {
    const { rect } = set
    const [w] = this.size
    if (!contains(frameRect(this.size), rect))
      throw new MisplacedTileError(`tile ${formatRect(rect)} lies outside frame ${this.size.join('x')}`)
    const count = pixelCount(set)
    const there = bytes / bytesPerPixelOf(this.#channels)
    if (there < count)
      throw new MisplacedTileError(`tile ${formatRect(rect)} came with ${bytes} bytes for ${count} pixels`)
    let met = false
    forEachRun(set, (x, y, length) => {
      met ||= this.#anyArrived(y * w + x, length)
    })
    if (met) throw new MisplacedTileError(`tile ${formatRect(rect)} arrived twice`)
    forEachRun(set, (x, y, length) => this.#mark(y * w + x, length))
    this.#missing -= count
    return { width: w, set, pixels: there, targets: this.#channels.map(name => this.#target(name)) }
  }

  /**
   * Puts a tile's pixels in place.
   * @param tile channel after channel, at least the set's pixels, packed row by row; any that follow in a channel are ignored
   * @throws MisplacedTileError before anything is written
   */
  put(set: PixelSet, tile: Uint8Array): void {
    placeTile(this.accept(set, tile.length), tile)
  }

  /** Takes pixels of the first range of samples out of the frame: they are missing again. */
  takeOut(sets: readonly PixelSet[]): void {
    const [w] = this.size
    invariant(this.#isFirst, 'pixels of a later range are sums with those of earlier ones')
    for (const set of sets)
      forEachRun(set, (x, y, length) => {
        this.#mark(y * w + x, length, false)
        this.#missing += length
      })
  }

  /** Where pixels of the current range go. Those of the first replace what is there. */
  #target(channel: ChannelName): Target {
    const newest = this.newest(channel)
    if (newest) return { channel, plane: newest, adds: false }
    return { channel, plane: this.plane(channel), adds: !this.#isFirst }
  }

  #anyArrived(from: number, count: number): boolean {
    const arrived = this.#arrived
    const end = from + count
    for (let at = from; at < end; at = wordEnd(at)) if ((arrived[at >>> 5]! & bitsOf(at, end)) !== 0) return true
    return false
  }

  #mark(from: number, count: number, isArrived = true): void {
    const arrived = this.#arrived
    const end = from + count
    for (let at = from; at < end; at = wordEnd(at)) {
      if (isArrived) arrived[at >>> 5]! |= bitsOf(at, end)
      else arrived[at >>> 5]! &= ~bitsOf(at, end)
    }
  }
}

const ofSamples = (channels: readonly ChannelName[]): ChannelName[] =>
  channels.filter(name => CHANNELS[name].of === 'samples')

function dropped(planes: Map<ChannelName, PlaneOf<ChannelName>>): ArrayBufferLike[] {
  const memory = [...planes.values()].map(({ buffer }) => buffer)
  planes.clear()
  return memory
}

/** The first bit of the 32-bit word after that of a bit. */
const wordEnd = (at: number): number => (at | 31) + 1

/** Which bits of the word of bit `at` are from it to `end`, exclusive. */
function bitsOf(at: number, end: number): number {
  const length = Math.min(end, wordEnd(at)) - at
  return (length === 32 ? -1 : (1 << length) - 1) << (at & 31)
}
