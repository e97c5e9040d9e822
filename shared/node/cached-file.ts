/**
 * One file of the cache: content behind a header that tells whether it is complete and undamaged. The content is checked in pieces,
 * so that several can be read at once, in any order, straight to where they belong.
 *
 *     u32 magic 'SFCF' | u32 format | u32 checksum | u32 0 | f64 length | content
 *
 * The checksum is the CRC-32 of the CRC-32s (u32 each) of the content's pieces.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

const MAGIC = 0x46434653 // 'SFCF' read as little-endian u32
const FORMAT = 2
export const HEADER_BYTES = 24

/** Large enough for the calls to cost nothing, small enough to be shared evenly among the readers. */
const PIECE_BYTES = 8 << 20
/** Pieces that are read at once, as many as Node has threads for files: while some are read, another is checked. */
const READERS = 4

/** An open file. What happens to its name does not concern it. */
export interface OpenContent {
  readonly bytes: number
  /** Reads it, once; false if it is damaged. */
  read(into: Uint8Array): Promise<boolean>
}

/** Closes the files that nobody can read any more: a scene whose content is not needed is never read. */
const forgotten = new FinalizationRegistry<FileHandle>(file => void file.close().catch(() => {}))

/** Opens a file; undefined if it is not one of ours, or has another length than it should. Rejects if it cannot be opened. */
export async function openContent(path: string): Promise<OpenContent | undefined> {
  const file = await open(path, 'r')
  const header = Buffer.alloc(HEADER_BYTES)
  try {
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
    const isOurs = header.readUInt32LE(0) === MAGIC && header.readUInt32LE(4) === FORMAT
    const { size } = await file.stat()
    if (bytesRead < HEADER_BYTES || !isOurs || size !== HEADER_BYTES + header.readDoubleLE(16)) {
      await file.close()
      return undefined
    }
  } catch (error) {
    await file.close()
    throw error
  }
  const bytes = header.readDoubleLE(16)
  const checksum = header.readUInt32LE(8)
  const token = {}
  const readOnce = async (into: Uint8Array): Promise<boolean> => {
    forgotten.unregister(token)
    try {
      return (await readPieces(file, into.subarray(0, bytes))) === checksum
    } catch {
      return false
    } finally {
      await file.close()
    }
  }
  forgotten.register(readOnce, file, token)
  return { bytes, read: readOnce }
}

/** Reads what follows the header; returns its checksum. */
async function readPieces(file: FileHandle, into: Uint8Array): Promise<number> {
  const sums = new Uint32Array(Math.ceil(into.length / PIECE_BYTES))
  let next = 0
  const readSome = async () => {
    for (let piece = next++; piece < sums.length; piece = next++) {
      const bytes = into.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES)
      for (let at = 0; at < bytes.length; ) {
        const position = HEADER_BYTES + piece * PIECE_BYTES + at
        const { bytesRead } = await file.read(bytes, at, bytes.length - at, position)
        if (bytesRead === 0) throw new Error('the file has become shorter')
        at += bytesRead
      }
      sums[piece] = crc32(bytes)
    }
  }
  await Promise.all(Array.from({ length: READERS }, readSome))
  return checksumOf(sums)
}

/** Writes a file; its header last, so that it is valid only when it is complete. */
export async function writeContent(path: string, content: readonly Uint8Array[]): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    const sums: number[] = []
    let sum = 0
    let end = 0
    for (const bytes of content)
      for (let at = 0; at < bytes.length; ) {
        const left = PIECE_BYTES - (end % PIECE_BYTES)
        const { bytesWritten } = await file.write(bytes, at, Math.min(left, bytes.length - at), HEADER_BYTES + end)
        sum = crc32(bytes.subarray(at, at + bytesWritten), sum)
        at += bytesWritten
        end += bytesWritten
        if (end % PIECE_BYTES > 0) continue
        sums.push(sum)
        sum = 0
      }
    if (end % PIECE_BYTES > 0) sums.push(sum)
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt32LE(MAGIC, 0)
    header.writeUInt32LE(FORMAT, 4)
    header.writeUInt32LE(checksumOf(sums), 8)
    header.writeDoubleLE(end, 16)
    await file.write(header, 0, HEADER_BYTES, 0)
  } finally {
    await file.close()
  }
}

function checksumOf(sums: ArrayLike<number>): number {
  const bytes = Buffer.alloc(sums.length * 4)
  for (let i = 0; i < sums.length; i++) bytes.writeUInt32LE(sums[i]!, i * 4)
  return crc32(bytes)
}
