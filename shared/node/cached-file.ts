/**
 * One file of the cache: content behind a header that tells whether it is complete and undamaged. The content is checked in pieces,
 * so that several can be read at once, in any order, straight to where they belong.
 *
 *     u32 magic 'SFCF' | u32 format | u32 checksum | u32 0 | f64 length | content
 *
 * The checksum is the CRC-32 of the CRC-32s (u32 each) of the content's pieces.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { invariant } from '../errors.ts'

const MAGIC = 0x46434653 // 'SFCF' read as little-endian u32
const FORMAT = 2
export const HEADER_BYTES = 24

/** Large enough for the calls to cost nothing, small enough to be shared evenly among the readers. */
const PIECE_BYTES = 8 << 20
/** Pieces that are read at once, as many as Node has threads for files: while some are read, another is checked. */
const READERS = 4

/** An open file of valid form. What happens to its name does not concern it. */
export interface StoredContent {
  readonly bytes: number
  /** Reads it, as often as it is wanted; false if it is damaged, or cannot be read. @param into of its length */
  read(into: Uint8Array): Promise<boolean>
}

interface Header {
  /** Of the content. */
  readonly bytes: number
  readonly checksum: number
}

/** Closes the files that nobody can read any more. */
const forgotten = new FinalizationRegistry<FileHandle>(file => void file.close().catch(() => {}))

/** Whether a file begins as those do that this program writes, in this format or another. Follows no link, waits for no pipe. */
export async function beginsAsOurs(path: string): Promise<boolean> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.readUInt32LE(0) === MAGIC
  } finally {
    await file.close()
  }
}

/**
 * Opens a file; undefined if it is not one of ours, or has another length than it should. A file that is found to be damaged, now or when it is
 * read, is removed; one that merely cannot be read is left alone. Rejects if it cannot be opened.
 */
export async function openContent(path: string): Promise<StoredContent | undefined> {
  const file = await open(path, 'r')
  try {
    const header = await headerOf(file)
    if (header) return contentOf(path, file, header)
    if (await beginsAsOurs(path)) await removeDamaged(path, file)
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return undefined
}

function contentOf(path: string, file: FileHandle, { bytes, checksum }: Header): StoredContent {
  const read = async (into: Uint8Array): Promise<boolean> => {
    invariant(into.length === bytes, `${bytes} bytes of the cache were to be read into ${into.length}`)
    try {
      if ((await checksumOfContent(file, into)) === checksum) return true
      await removeDamaged(path, file)
    } catch {
      // Whatever is in the way may be gone the next time.
    }
    return false
  }
  forgotten.register(read, file)
  return { bytes, read }
}

/** Another process may have found the file damaged first, and stored a good one under its name: that one stays. */
async function removeDamaged(path: string, file: FileHandle): Promise<void> {
  const [held, named] = await Promise.all([file.stat(), stat(path).catch(() => undefined)])
  if (named?.ino === held.ino && named.dev === held.dev) await rm(path, { force: true })
}

async function headerOf(file: FileHandle): Promise<Header | undefined> {
  const header = Buffer.alloc(HEADER_BYTES)
  const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
  const isOurs = header.readUInt32LE(0) === MAGIC && header.readUInt32LE(4) === FORMAT
  const bytes = header.readDoubleLE(16)
  const { size } = await file.stat()
  if (bytesRead < HEADER_BYTES || !isOurs || size !== HEADER_BYTES + bytes) return undefined
  return { bytes, checksum: header.readUInt32LE(8) }
}

/** Reads what follows the header; undefined if the file has become shorter. */
async function checksumOfContent(file: FileHandle, into: Uint8Array): Promise<number | undefined> {
  const sums = new Uint32Array(Math.ceil(into.length / PIECE_BYTES))
  let next = 0
  let isShort = false
  const readSome = async () => {
    for (let piece = next++; piece < sums.length && !isShort; piece = next++) {
      const bytes = into.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES)
      for (let at = 0; at < bytes.length; ) {
        const position = HEADER_BYTES + piece * PIECE_BYTES + at
        const { bytesRead } = await file.read(bytes, at, bytes.length - at, position)
        isShort ||= bytesRead === 0
        if (isShort) return
        at += bytesRead
      }
      sums[piece] = crc32(bytes)
    }
  }
  await Promise.all(Array.from({ length: READERS }, readSome))
  return isShort ? undefined : checksumOf(sums)
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
