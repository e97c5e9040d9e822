/**
 * Pictures on their way to a page, one binary message each: the length of the facts (u32, little-endian), the facts as JSON in UTF-8, the depths
 * if the facts tell of some, and then the bytes of a JPEG or PNG file.
 */
import { depthBytes } from './page-depths.ts'
import type { PictureFacts } from './page-messages.ts'

export interface ArrivedPicture {
  readonly facts: PictureFacts
  readonly file: Uint8Array<ArrayBuffer>
  /** Empty if the facts tell of none. */
  readonly depths: Uint8Array<ArrayBuffer>
}

const HEAD_BYTES = 4

const NONE = new Uint8Array()

/** @param depths as many bytes as the facts tell of */
export function packPicture(facts: PictureFacts, file: Uint8Array, depths: Uint8Array = NONE): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(facts))
  const bytes = new Uint8Array(HEAD_BYTES + json.length + depths.length + file.length)
  new DataView(bytes.buffer).setUint32(0, json.length, true)
  bytes.set(json, HEAD_BYTES)
  bytes.set(depths, HEAD_BYTES + json.length)
  bytes.set(file, HEAD_BYTES + json.length + depths.length)
  return bytes
}

/** @throws RangeError, SyntaxError for what is no such message */
export function unpackPicture(bytes: Uint8Array<ArrayBuffer>): ArrivedPicture {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  if (HEAD_BYTES + length > bytes.length)
    throw new RangeError(`facts of ${length} bytes in a message of ${bytes.length}`)
  const json = new TextDecoder().decode(bytes.subarray(HEAD_BYTES, HEAD_BYTES + length))
  const facts = JSON.parse(json) as PictureFacts
  const from = HEAD_BYTES + length
  const to = from + (facts.depths ? depthBytes(facts.depths) : 0)
  if (to > bytes.length) throw new RangeError(`depths up to byte ${to} in a message of ${bytes.length}`)
  return { facts, depths: bytes.subarray(from, to), file: bytes.subarray(to) }
}
