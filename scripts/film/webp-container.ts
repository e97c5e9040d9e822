/**
 * The container of an animated WebP, so that it can be written frame by frame: sharp makes one only of all frames at once, which
 * takes memory for each of them and cannot be interrupted. Chunks are those of "WebP Container Specification", Google, 2023. Pure.
 *
 *   RIFF: 'WEBP', VP8X (size, alpha), ANIM (loop), then of each frame ANMF (its time), which holds its ALPH, VP8 or VP8L
 */
import type { Size } from '../../shared/frame/rect.ts'

/** Bytes of the longest file: a chunk's length has 32 bits, and is even. */
export const MAX_WEBP_BYTES = 2 ** 32 - 2

/** Where the length of all that follows it is in the file. */
export const LENGTH_AT = 4

const HEADER_BYTES = 8
const VP8X = { animated: 0x02, alpha: 0x10 } as const
/** The frame replaces what was there: by default, it would be blended with it. */
const REPLACES = 0x02

/** What comes before the frames, without the length. In an endless loop. */
export function fileHeader([width, height]: Size, hasAlpha: boolean): Buffer {
  const extended = Buffer.alloc(10)
  extended[0] = VP8X.animated | (hasAlpha ? VP8X.alpha : 0)
  extended.writeUIntLE(width - 1, 4, 3)
  extended.writeUIntLE(height - 1, 7, 3)
  // Colour behind the frames, which nothing shows, and no limit of loops.
  const animation = Buffer.alloc(6)
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), chunk('VP8X', extended), chunk('ANIM', animation)])
}

/** The length of a file, as it stands in it. */
export function lengthField(fileBytes: number): Buffer {
  const field = Buffer.alloc(4)
  field.writeUInt32LE(fileBytes - HEADER_BYTES)
  return field
}

/** A frame. `webp` is a file of its own, of the animation's size. */
export function frameChunk(webp: Buffer, [width, height]: Size, ms: number): Buffer {
  const place = Buffer.alloc(16)
  place.writeUIntLE(width - 1, 6, 3)
  place.writeUIntLE(height - 1, 9, 3)
  place.writeUIntLE(ms, 12, 3)
  place[15] = REPLACES
  return chunk('ANMF', Buffer.concat([place, ...pictureChunks(webp)]))
}

function* pictureChunks(webp: Buffer): Generator<Buffer> {
  let at = 12
  while (at + HEADER_BYTES <= webp.length) {
    const name = webp.toString('latin1', at, at + 4)
    const end = at + HEADER_BYTES + even(webp.readUInt32LE(at + 4))
    if (PICTURES.has(name)) yield webp.subarray(at, end)
    at = end
  }
}

const PICTURES = new Set(['ALPH', 'VP8 ', 'VP8L'])

function chunk(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(name, 'latin1')
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, content, Buffer.alloc(even(content.length) - content.length)])
}

const even = (bytes: number): number => bytes + (bytes % 2)
