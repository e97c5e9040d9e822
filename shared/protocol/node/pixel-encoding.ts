/**
 * Packs and unpacks pixels for the wire: raw on loopback, LZ4 elsewhere. LZ4 is a native addon; where it does not load (a
 * platform without a prebuilt binary, a system without a required library) peers agree on raw pixels and lose nothing but time.
 */

import { invariant } from '../../errors.ts'
import { bytesPerPixel, CHANNELS, type ChannelName } from '../../frame/channels.ts'
import { type EncodedTile, encodeTileWith, plainChannel } from '../encoded-tile.ts'
import { MAX_PLANES, planesBytes, unpackLight } from '../light-planes.ts'
import type { Encoding } from '../messages.ts'
import { ProtocolError } from '../protocol-error.ts'

const lz4 = await import('lz4-napi').catch(() => undefined)

/** The encodings that this process can read and write. */
export const AVAILABLE_ENCODINGS: readonly Encoding[] = lz4 ? ['raw', 'lz4'] : ['raw']

/** How to send pixels to a peer that reads `theirs`: on loopback, packing costs more than it saves. */
export const chooseEncoding = (theirs: readonly Encoding[], loopback: boolean): Encoding =>
  !loopback && AVAILABLE_ENCODINGS.includes('lz4') && theirs.includes('lz4') ? 'lz4' : 'raw'

/** Packs the channels of a tile of `pixels` pixels. */
export const encodeTile = (
  encoding: Encoding,
  channels: readonly ChannelName[],
  pixels: number,
  tile: Uint8Array,
): EncodedTile => encodeTileWith(plain => encodeBytes(encoding, plain), channels, pixels, tile)

/**
 * Unpacks the channels of a tile of `pixels` pixels; never allocates for more.
 * @throws ProtocolError if the bytes do not match exactly
 */
export function decodeTile(
  encoding: Encoding,
  channels: readonly ChannelName[],
  pixels: number,
  { body, channelBytes = [] }: EncodedTile,
): Uint8Array {
  if (channelBytes.length !== channels.length - 1)
    throw new ProtocolError(
      `pixels: expected the lengths of ${channels.length} channels, got ${channelBytes.length + 1}`,
    )
  let at = 0
  const planes = channels.map((channel, i) => {
    const encoded = body.subarray(at, at + (channelBytes[i] ?? body.length))
    at += encoded.length
    return decodePixels(encoding, channel, encoded, pixels * bytesPerPixel(channel))
  })
  if (planes.length === 1) return planes[0]!
  // A new buffer, so that every channel is aligned.
  const tile = new Uint8Array(planes.reduce((sum, { length }) => sum + length, 0))
  let to = 0
  for (const plane of planes) {
    tile.set(plane, to)
    to += plane.length
  }
  return tile
}

/** Packs a channel's components (f64: little-endian at a multiple of 8). With `raw`, bytes are returned as the very array given. */
export const encodePixels = (encoding: Encoding, channel: ChannelName, pixels: Uint8Array): Uint8Array =>
  encodeBytes(encoding, plainChannel(channel, pixels))

/** Packs bytes of any kind. With `raw` they are returned as the very array given. */
export function encodeBytes(encoding: Encoding, plain: Uint8Array): Uint8Array {
  if (encoding === 'raw') return plain
  invariant(lz4, 'LZ4 was negotiated but is not available')
  return lz4.compressSync(asBuffer(plain))
}

/** The same in another thread: a large frame takes tens of milliseconds. The bytes must not be written to meanwhile. */
export async function encodeAside(encoding: Encoding, plain: Uint8Array): Promise<Uint8Array> {
  if (encoding === 'raw') return plain
  invariant(lz4, 'LZ4 was negotiated but is not available')
  return lz4.compress(asBuffer(plain))
}

/**
 * Unpacks the components of a channel, `rawBytes` in memory; never allocates for more.
 * @throws ProtocolError if the body does not match exactly
 */
export function decodePixels(encoding: Encoding, channel: ChannelName, body: Uint8Array, rawBytes: number): Uint8Array {
  if (CHANNELS[channel].type !== 'f64') return decodeBytes(encoding, body, rawBytes)
  const values = (rawBytes / bytesPerPixel(channel)) * CHANNELS[channel].components
  const lengths = Array.from({ length: MAX_PLANES + 1 }, (_, planes) => planesBytes(values, planes))
  return new Uint8Array(unpackLight(plainBytes(encoding, body, lengths), values).buffer)
}

/** Unpacks `rawBytes` bytes of any kind; never allocates for more. @throws ProtocolError if the body does not match exactly */
export const decodeBytes = (encoding: Encoding, body: Uint8Array, rawBytes: number): Uint8Array =>
  plainBytes(encoding, body, [rawBytes])

/** The bytes before LZ4, whose length must be one of `lengths`. */
function plainBytes(encoding: Encoding, body: Uint8Array, lengths: readonly number[]): Uint8Array {
  const expected = lengths.join(' or ')
  if (encoding === 'raw') {
    if (!lengths.includes(body.length))
      throw new ProtocolError(`pixels: expected ${expected} bytes, got ${body.length}`)
    return body
  }
  if (!lz4) throw new ProtocolError('pixels: LZ4 was not negotiated')
  // The body begins with its decoded size, which the library allocates: compare before trusting it.
  const declared = body.length >= 4 ? new DataView(body.buffer, body.byteOffset, 4).getUint32(0, true) : -1
  if (!lengths.includes(declared))
    throw new ProtocolError(`pixels: LZ4 declares ${declared} bytes, expected ${expected}`)
  let pixels: Uint8Array
  try {
    pixels = lz4.uncompressSync(asBuffer(body))
  } catch {
    throw new ProtocolError('pixels: LZ4 data is damaged')
  }
  if (pixels.length !== declared) throw new ProtocolError(`pixels: expected ${declared} bytes, got ${pixels.length}`)
  return pixels
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
