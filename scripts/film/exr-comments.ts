/** The text of an EXR file: its header's attribute `comments` ("OpenEXR File Layout", openexr.com; one of the standard attributes). */
import { invariant } from '../../shared/errors.ts'

/** What follows magic number and version. */
const HEADER_AT = 8
const ADDRESS_BYTES = 8

/** Rows of a chunk, by the number of the compression: none, RLE, ZIPS, ZIP. */
const CHUNK_ROWS = [1, 1, 1, 16]

/** A file of a single part, with a comment: what comes after the header moves, and so do the addresses in the table behind it. */
export function withComments(file: Uint8Array, text: string): Uint8Array {
  const { end, chunks } = headerOf(file)
  const words = new TextEncoder().encode(text)
  const attribute = Buffer.concat([Buffer.from('comments\0string\0'), uint32(words.length), words])
  const made = new Uint8Array(Buffer.concat([file.subarray(0, end), attribute, file.subarray(end)]))
  const view = new DataView(made.buffer, made.byteOffset)
  // The byte 0 that ends the header comes before the table.
  const table = end + attribute.length + 1
  for (let at = table; at < table + chunks * ADDRESS_BYTES; at += ADDRESS_BYTES)
    view.setBigUint64(at, view.getBigUint64(at, true) + BigInt(attribute.length), true)
  return made
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** Where the header ends, and how many chunks there are. */
function headerOf(file: Uint8Array): { readonly end: number; readonly chunks: number } {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  let [at, rows, compression] = [HEADER_AT, 0, 0]
  const word = (): string => {
    const end = bytes.indexOf(0, at)
    const text = bytes.toString('latin1', at, end)
    at = end + 1
    return text
  }
  while (bytes[at] !== 0) {
    const name = word()
    word()
    const length = bytes.readUInt32LE(at)
    at += 4
    // Its window is xMin, yMin, xMax, yMax.
    if (name === 'dataWindow') rows = bytes.readInt32LE(at + 12) - bytes.readInt32LE(at + 4) + 1
    if (name === 'compression') compression = bytes[at]!
    at += length
  }
  const chunkRows = CHUNK_ROWS[compression]
  invariant(chunkRows, `an EXR file of ours has a compression up to ${CHUNK_ROWS.length - 1}, not ${compression}`)
  return { end: at, chunks: Math.ceil(rows / chunkRows) }
}
