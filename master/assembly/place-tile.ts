/** Puts the pixels of a tile where they belong. Different tiles of one range can be placed at the same time: no pixel is of two. */
import {
  bytesPerPixel,
  CHANNELS,
  type ChannelName,
  hasTables,
  type PlaneOf,
  planeAt,
  splitPlanes,
} from '../../shared/frame/channels.ts'
import { addTables } from '../../shared/frame/coverage-table.ts'
import { forEachRun, type PixelSet } from '../../shared/frame/pixel-set.ts'
import { joinSums } from '../../shared/light/accumulate.ts'

/** Where the pixels of a tile go. Plain data. */
export interface Placement {
  /** Of the frame, px. */
  readonly width: number
  readonly set: PixelSet
  /** Of the tile: at least those of the set. */
  readonly pixels: number
  /** In the order of the tile's channels. */
  readonly targets: readonly Target[]
}

/** The plane of a channel. */
export interface Target {
  readonly channel: ChannelName
  readonly plane: PlaneOf<ChannelName>
  /** Whether values are added to those that are there, rather than replace them. */
  readonly adds: boolean
}

/** @param tile channel after channel, packed row by row; pixels beyond those of the set are ignored */
export function placeTile({ width, set, pixels, targets }: Placement, tile: Uint8Array): void {
  const bytes = splitPlanes(
    targets.map(({ channel }) => channel),
    pixels,
    tile,
  )
  for (const target of targets) {
    const place = placer(target, bytes.get(target.channel)!, pixels)
    let from = 0
    forEachRun(set, (x, y, length) => {
      place(y * width + x, from, length)
      from += length
    })
  }
}

/** Returns a function that puts `length` of a tile's pixels from the `from`th on into a plane, from its pixel `at` on. */
function placer(
  { channel, plane, adds }: Target,
  bytes: Uint8Array,
  pixels: number,
): (at: number, from: number, length: number) => void {
  const { components } = CHANNELS[channel]
  // Views of wider values need an aligned offset, which part of a message may not have.
  const aligned = bytes.byteOffset % 8 === 0 || bytesPerPixel(channel) === components ? bytes : bytes.slice()
  const values = planeAt(channel, aligned.buffer, aligned.byteOffset, pixels)
  const part = (from: number, length: number) => values.subarray(from * components, (from + length) * components)
  if (!adds) return (at, from, length) => plane.set(part(from, length), at * components)
  if (hasTables(channel))
    return (at, from, length) =>
      addTables(
        plane.subarray(at * components, (at + length) * components) as Uint32Array,
        part(from, length) as Uint32Array,
      )
  const add = CHANNELS[channel].type === 'f64' ? joinSums : addCounts
  return (at, from, length) =>
    add(plane.subarray(at * components, (at + length) * components) as Float64Array, part(from, length) as Float64Array)
}

/** Adds numbers of samples. */
function addCounts(sums: { [i: number]: number; readonly length: number }, others: ArrayLike<number>): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += others[i]!
}
