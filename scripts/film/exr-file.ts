/**
 * EXR files (OpenEXR, "File Layout"): scan lines from the top, ZIP over sixteen of them. Channels R, G, B and A are the picture; those of a
 * layer have its name before theirs, as `noisy.R` or `depth.Z`, and programs that know no layers see the picture alone. Each channel has a
 * type of its own, and they are in the order of their names.
 */
import { deflateSync } from 'node:zlib'
import { DataUtils } from 'three'
import type { Size } from '../../shared/frame/rect.ts'
import { frameAround, type Region } from '../../shared/frame/region.ts'

/** The largest half float. */
const LARGEST_HALF = 65504
const MAGIC = 20000630
const VERSION = 2
const ZIP = 3
const BLOCK_LINES = 16
const TYPES = { uint: { code: 0, bytes: 4 }, half: { code: 1, bytes: 2 }, float: { code: 2, bytes: 4 } } as const

export type ExrValueType = keyof typeof TYPES

/** Some components of every pixel, the top row first. */
export interface ExrLayer {
  readonly values: ArrayLike<number>
  /** What the components are called: a letter each. */
  readonly channels: string
  readonly type: ExrValueType
}

export interface ExrParts {
  /** Of each pixel, by which red, green and blue are multiplied already. @default 1 */
  readonly alpha?: ArrayLike<number> | undefined
  /** By names. @default none */
  readonly layers?: Readonly<Record<string, ExrLayer>>
  /** Words for the header, by names. @default none */
  readonly words?: Readonly<Record<string, string>>
  /** The part of a frame that the picture is: the frame is the display window, the picture the data window. @default all of it */
  readonly region?: Region | undefined
}

/** One component of all pixels. */
interface Channel {
  readonly name: string
  readonly type: ExrValueType
  at(pixel: number): number
}

/**
 * The bytes of a file.
 * @param values one or three components a pixel, the top row first; a single one becomes red, green and blue alike. Undefined: the file
 * has layers only
 * @param type of these, and of alpha
 */
export function exrFile(
  size: Size,
  values: ArrayLike<number> | undefined,
  type: ExrValueType,
  { alpha, layers = {}, words = {}, region }: ExrParts = {},
): Uint8Array {
  const [width, height] = size
  const window = frameAround({ ...(region ? { region } : {}) }, size)
  const channels = [
    ...(values ? pictureOf(values, values.length / (width * height), alpha, type) : []),
    ...Object.entries(layers).flatMap(([name, layer]) => channelsOf(name, layer)),
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
  const blocks: Buffer[] = []
  for (let y = 0; y < height; y += BLOCK_LINES)
    blocks.push(block(window.y + y, linesOf(channels, width, y, Math.min(height, y + BLOCK_LINES))))
  const header = headerOf(size, window, channels, words)
  const offsets = Buffer.alloc(blocks.length * 8)
  let at = header.length + offsets.length
  for (const [i, { length }] of blocks.entries()) {
    offsets.writeBigUInt64LE(BigInt(at), i * 8)
    at += length
  }
  // In memory of its own, which can be handed over.
  return new Uint8Array(Buffer.concat([header, offsets, ...blocks]))
}

const pictureOf = (
  values: ArrayLike<number>,
  components: number,
  alpha: ArrayLike<number> | undefined,
  type: ExrValueType,
): Channel[] => [
  ...['R', 'G', 'B'].map((name, k) => ({
    name,
    type,
    at: (pixel: number) => values[components === 1 ? pixel : pixel * components + k]!,
  })),
  { name: 'A', type, at: pixel => alpha?.[pixel] ?? 1 },
]

const channelsOf = (layer: string, { values, channels, type }: ExrLayer): Channel[] =>
  [...channels].map((name, k) => ({
    name: `${layer}.${name}`,
    type,
    at: pixel => values[pixel * channels.length + k]!,
  }))

/** The values of some lines: of each, one channel after the other. */
function linesOf(channels: readonly Channel[], width: number, from: number, to: number): Buffer {
  const pixelBytes = channels.reduce((sum, { type }) => sum + TYPES[type].bytes, 0)
  const lines = Buffer.alloc((to - from) * width * pixelBytes)
  let place = 0
  for (let y = from; y < to; y++)
    for (const { at, type } of channels)
      for (let x = 0; x < width; x++, place += TYPES[type].bytes) {
        const value = at(y * width + x)
        if (type === 'float') lines.writeFloatLE(value, place)
        else if (type === 'uint') lines.writeUInt32LE(value, place)
        else lines.writeUInt16LE(DataUtils.toHalfFloat(Math.min(LARGEST_HALF, value)), place)
      }
  return lines
}

/** Bytes of lines as they are stored: the smaller of them packed, and as they are. */
function block(y: number, lines: Buffer): Buffer {
  const packed = deflateSync(apart(lines))
  const stored = packed.length < lines.length ? packed : lines
  const head = Buffer.alloc(8)
  head.writeInt32LE(y, 0)
  head.writeInt32LE(stored.length, 4)
  return Buffer.concat([head, stored])
}

/** Every other byte first, then the rest; and of each by how much it is more than the one before, plus 128. */
function apart(bytes: Buffer): Buffer {
  const half = (bytes.length + 1) >> 1
  const out = Buffer.alloc(bytes.length)
  for (let i = 0; i < bytes.length; i++) out[(i >> 1) + (i % 2 === 0 ? 0 : half)] = bytes[i]!
  for (let i = bytes.length - 1; i > 0; i--) out[i] = out[i]! - out[i - 1]! + 128
  return out
}

function headerOf(
  [width, height]: Size,
  { x, y, frame }: ReturnType<typeof frameAround>,
  channels: readonly Channel[],
  words: Readonly<Record<string, string>>,
): Buffer {
  const one = Buffer.alloc(4)
  one.writeFloatLE(1)
  const list = channels.map(({ name, type }) => Buffer.concat([text(name), integers(TYPES[type].code, 0, 1, 1)]))
  return Buffer.concat([
    integers(MAGIC, VERSION),
    attribute('channels', 'chlist', Buffer.concat([...list, Buffer.alloc(1)])),
    attribute('compression', 'compression', Buffer.of(ZIP)),
    attribute('dataWindow', 'box2i', integers(x, y, x + width - 1, y + height - 1)),
    attribute('displayWindow', 'box2i', integers(0, 0, frame[0] - 1, frame[1] - 1)),
    attribute('lineOrder', 'lineOrder', Buffer.of(0)),
    attribute('pixelAspectRatio', 'float', one),
    attribute('screenWindowCenter', 'v2f', integers(0, 0)),
    attribute('screenWindowWidth', 'float', one),
    ...Object.entries(words).map(([name, value]) => attribute(name, 'string', Buffer.from(value))),
    Buffer.alloc(1),
  ])
}

const attribute = (name: string, type: string, value: Buffer): Buffer =>
  Buffer.concat([text(name), text(type), integers(value.length), value])

const text = (word: string): Buffer => Buffer.from(`${word}\0`)

function integers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeInt32LE(value, i * 4)
  return bytes
}
