/**
 * Packs and unpacks pixels for the wire: raw on loopback, LZ4 elsewhere. LZ4 is a native addon; where it does not load (a
 * platform without a prebuilt binary, a system without a required library) peers agree on raw pixels and lose nothing but time.
 */
import { bytesPerPixel, CHANNELS, type ChannelName } from '../../channels.ts'
import { invariant } from '../../errors.ts'
import { MAX_PLANES, packLight, planesBytes, unpackLight } from '../light-planes.ts'
import type { Encoding } from '../messages.ts'
import { ProtocolError } from '../protocol-error.ts'

const lz4 = await import('lz4-napi').catch(() => undefined)

/** The encodings that this process can read and write. */
export const AVAILABLE_ENCODINGS: readonly Encoding[] = lz4 ? ['raw', 'lz4'] : ['raw']

/** How to send pixels to a peer that reads `theirs`: on loopback, packing costs more than it saves. */
export const chooseEncoding = (theirs: readonly Encoding[], loopback: boolean): Encoding =>
  !loopback && AVAILABLE_ENCODINGS.includes('lz4') && theirs.includes('lz4') ? 'lz4' : 'raw'

/** Packs a channel's components (f64: little-endian at a multiple of 8). With `raw`, `rgb` is returned as the very array given. */
export function encodePixels(encoding: Encoding, channel: ChannelName, pixels: Uint8Array): Uint8Array {
  const plain = channel === 'light' ? packLight(doublesOf(pixels)) : pixels
  if (encoding === 'raw') return plain
  invariant(lz4, 'LZ4 was negotiated but is not available')
  return lz4.compressSync(asBuffer(plain))
}

/**
 * Unpacks the components of a channel, `rawBytes` in memory; never allocates for more.
 * @throws ProtocolError if the body does not match exactly
 */
export function decodePixels(encoding: Encoding, channel: ChannelName, body: Uint8Array, rawBytes: number): Uint8Array {
  if (channel === 'rgb') return plainBytes(encoding, body, [rawBytes])
  const values = (rawBytes / bytesPerPixel(channel)) * CHANNELS[channel].components
  const lengths = Array.from({ length: MAX_PLANES + 1 }, (_, planes) => planesBytes(values, planes))
  return new Uint8Array(unpackLight(plainBytes(encoding, body, lengths), values).buffer)
}

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

const doublesOf = ({ buffer, byteOffset, length }: Uint8Array): Float64Array =>
  new Float64Array(buffer, byteOffset, length / Float64Array.BYTES_PER_ELEMENT)

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
