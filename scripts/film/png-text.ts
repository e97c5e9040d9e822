/**
 * A text in a PNG file, in a chunk behind its header (W3C, "Portable Network Graphics (PNG) Specification", third edition, §11.3.3.2). Programs that
 * show pictures skip it.
 *
 *     8 signature | 25 IHDR | u32 length, 'tEXt', 'Comment\0…', u32 CRC of type and data | …
 */
import { crc32 } from 'node:zlib'

/** Bytes of the signature and of the header, which is first in every file. */
export const HEADER_BYTES = 8 + 25

/** @param png a whole file @param comment one of `comment` */
export const withComment = (png: Uint8Array, comment: Uint8Array): Uint8Array =>
  Buffer.concat([png.subarray(0, HEADER_BYTES), comment, png.subarray(HEADER_BYTES)])

/** The chunk of a comment. The format has Latin-1 alone: `?` stands for what is not. */
export function comment(text: string): Buffer {
  const latin = text.replaceAll(/[^\x20-\x7e\xa0-\xff]/gu, '?')
  const named = Buffer.from(`tEXtComment\0${latin}`, 'latin1')
  const made = Buffer.alloc(named.length + 8)
  made.writeUInt32BE(named.length - 4, 0)
  named.copy(made, 4)
  made.writeUInt32BE(crc32(named), named.length + 4)
  return made
}
