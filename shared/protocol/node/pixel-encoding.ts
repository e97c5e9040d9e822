/**
 * Packs and unpacks pixels for the wire: raw on loopback, LZ4 elsewhere. LZ4 is a native addon; where it does not load (a
 * platform without a build of it, a system without a library it needs) peers agree on raw pixels and lose nothing but time.
 */
import { invariant } from '../../errors.ts'
import { type Encoding, ProtocolError } from '../messages.ts'

const lz4 = await import('lz4-napi').catch(() => undefined)

/** What this process can read and write. */
export const AVAILABLE_ENCODINGS: readonly Encoding[] = lz4 ? ['raw', 'lz4'] : ['raw']

/** How to send pixels to a peer that reads `theirs`: packing costs more than it saves on loopback. */
export const chooseEncoding = (theirs: readonly Encoding[], loopback: boolean): Encoding =>
  !loopback && AVAILABLE_ENCODINGS.includes('lz4') && theirs.includes('lz4') ? 'lz4' : 'raw'

/** The packed pixels; with `raw` the very array that was given. */
export function encodePixels(encoding: Encoding, pixels: Uint8Array): Uint8Array {
  if (encoding === 'raw') return pixels
  invariant(lz4, 'LZ4 was agreed on where it is not available')
  return lz4.compressSync(asBuffer(pixels))
}

/**
 * The pixels of a message that promised `rawBytes` of them.
 * @throws ProtocolError when the body is not exactly that
 */
export function decodePixels(encoding: Encoding, body: Uint8Array, rawBytes: number): Uint8Array {
  if (encoding === 'raw') {
    if (body.length !== rawBytes) throw new ProtocolError(`pixels: expected ${rawBytes} bytes, got ${body.length}`)
    return body
  }
  if (!lz4) throw new ProtocolError('pixels: LZ4 was not agreed on')
  // The body begins with its own idea of the decoded size, from which the library allocates: compare before believing it.
  const declared = body.length >= 4 ? new DataView(body.buffer, body.byteOffset, 4).getUint32(0, true) : -1
  if (declared !== rawBytes) throw new ProtocolError(`pixels: LZ4 declares ${declared} bytes, expected ${rawBytes}`)
  let pixels: Uint8Array
  try {
    pixels = lz4.uncompressSync(asBuffer(body))
  } catch {
    throw new ProtocolError('pixels: LZ4 data is damaged')
  }
  if (pixels.length !== rawBytes) throw new ProtocolError(`pixels: expected ${rawBytes} bytes, got ${pixels.length}`)
  return pixels
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
