/**
 * Pictures of unfinished frames say so: a text chunk behind the header of the PNG file (W3C, "Portable Network Graphics (PNG) Specification",
 * third edition, §11.3.3.2). Programs that show pictures skip it; whoever reads the beginning of a file can tell a preview from a frame.
 *
 *     8 signature | 25 IHDR | u32 length, 'tEXt', 'Comment\0unfinished frame', u32 CRC of type and data | …
 */
import { crc32 } from 'node:zlib'
import { openRegular } from '../../shared/node/regular-file.ts'

/** Bytes of the signature and of the header, which is first in every file. */
const HEADER_BYTES = 8 + 25

const CHUNK = chunk('tEXt', 'Comment\0unfinished frame')

/** @param png a whole file */
export const unfinished = (png: Uint8Array): Uint8Array =>
  Buffer.concat([png.subarray(0, HEADER_BYTES), CHUNK, png.subarray(HEADER_BYTES)])

/** Whether a file is a picture of an unfinished frame; false if it cannot be read. */
export async function isUnfinished(path: string): Promise<boolean> {
  const file = await openRegular(path).catch(() => undefined)
  if (!file) return false
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK.length), 0, CHUNK.length, HEADER_BYTES)
    return bytesRead === CHUNK.length && buffer.equals(CHUNK)
  } catch {
    return false
  } finally {
    await file.close()
  }
}

function chunk(type: string, text: string): Buffer {
  const named = Buffer.from(`${type}${text}`, 'latin1')
  const made = Buffer.alloc(named.length + 8)
  made.writeUInt32BE(text.length, 0)
  named.copy(made, 4)
  made.writeUInt32BE(crc32(named), named.length + 4)
  return made
}
