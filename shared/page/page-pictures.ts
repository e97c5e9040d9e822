/**
 * Pictures on their way to a page, one binary message each: the length of the facts (u32, little-endian), the facts as JSON in UTF-8, and then
 * the bytes of a JPEG or PNG file.
 */
import type { PictureFacts } from './page-messages.ts'

const HEAD_BYTES = 4

export function packPicture(facts: PictureFacts, file: Uint8Array): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(facts))
  const bytes = new Uint8Array(HEAD_BYTES + json.length + file.length)
  new DataView(bytes.buffer).setUint32(0, json.length, true)
  bytes.set(json, HEAD_BYTES)
  bytes.set(file, HEAD_BYTES + json.length)
  return bytes
}

/** @throws RangeError, SyntaxError for what is no such message */
export function unpackPicture(bytes: Uint8Array<ArrayBuffer>): {
  readonly facts: PictureFacts
  readonly file: Uint8Array<ArrayBuffer>
} {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  if (HEAD_BYTES + length > bytes.length)
    throw new RangeError(`facts of ${length} bytes in a message of ${bytes.length}`)
  const json = new TextDecoder().decode(bytes.subarray(HEAD_BYTES, HEAD_BYTES + length))
  return { facts: JSON.parse(json) as PictureFacts, file: bytes.subarray(HEAD_BYTES + length) }
}
