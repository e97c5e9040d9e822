/**
 * A folder on this machine in which processes share what is expensive to build: files with a checksum, written under a temporary
 * name and renamed, of bounded total size. A folder that cannot be used counts as empty; no process depends on it.
 *
 *     u32 magic 'SFCF' | u32 format | u32 checksum | u32 0 | f64 length | content
 */
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

const MAGIC = 0x46434653 // 'SFCF' read as little-endian u32
const FORMAT = 1
const HEADER_BYTES = 24

/** A scene with an engine's acceleration structure; a packed scene; and the marker of a process that is building a structure. */
export const ENDINGS = { tree: '.tree', scene: '.scene', building: '.building' } as const

const KEPT = /\.(tree|scene)$/
/** A file that is being written: by the process with this pid, which may write several of one name. */
const PART = /\.(tree|scene)\.\d+(-\d+)?$/
let written = 0

/** After how long without a change a file that is being written counts as abandoned, ms. */
const SILENT_MS = 10_000

/** Bound of the total size of the files, bytes. */
export const MAX_CACHE_BYTES = 4 * 2 ** 30

/** The default: the system's folder for cache files. */
export function defaultCacheFolder({ env, platform } = process): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'sortfirst', 'Cache')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'sortfirst')
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sortfirst')
}

export interface CachedFile {
  readonly name: string
  readonly bytes: number
  /** When it was last used, ms since 1970. */
  readonly usedAt: number
}

/** A file found in the cache. */
export interface CachedContent {
  readonly bytes: number
  /** Reads it, once; a damaged file is removed and gives false. */
  read(into: Uint8Array): Promise<boolean>
}

/** The files in a cache folder, the least recently used first; none if there is no such folder. */
export async function cachedFiles(folder: string): Promise<CachedFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found = names
    .filter(name => KEPT.test(name))
    .map(async name => {
      const { size, mtimeMs } = (await stat(join(folder, name)).catch(() => undefined)) ?? {}
      return size === undefined ? [] : [{ name, bytes: size, usedAt: mtimeMs! }]
    })
  return (await Promise.all(found)).flat().sort((a, b) => a.usedAt - b.usedAt)
}

/** Removes everything from a cache folder, including unfinished files; returns the files that were there. */
export async function clearCache(folder: string): Promise<readonly CachedFile[]> {
  const files = await cachedFiles(folder)
  const names = await readdir(folder).catch(() => [])
  const ours = names.filter(name => KEPT.test(name) || PART.test(name) || name.endsWith(ENDINGS.building))
  await Promise.all(ours.map(name => rm(join(folder, name), { force: true })))
  return files
}

/** Opens a file of valid form; undefined if there is none. Marks it as used now. */
export async function openCached(folder: string, name: string): Promise<CachedContent | undefined> {
  const path = join(folder, name)
  const found = await withFile(path, 'r', async file => {
    const header = Buffer.alloc(HEADER_BYTES)
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
    const bytes = bytesRead === HEADER_BYTES ? header.readDoubleLE(16) : 0
    const isOurs = header.readUInt32LE(0) === MAGIC && header.readUInt32LE(4) === FORMAT
    return {
      bytes,
      checksum: header.readUInt32LE(8),
      fits: isOurs && (await file.stat()).size === HEADER_BYTES + bytes,
    }
  }).catch(() => undefined)
  if (found && !found.fits) await rm(path, { force: true })
  if (!found?.fits) return undefined
  await touch(path)
  const { bytes, checksum } = found
  return {
    bytes,
    async read(into) {
      const sum = await withFile(path, 'r', file => readContent(file, into.subarray(0, bytes))).catch(() => undefined)
      if (sum === checksum) return true
      await rm(path, { force: true })
      return false
    },
  }
}

/** Stores a file, evicting the least recently used ones to make room for it. Rejects on failure. */
export async function putCached(
  folder: string,
  name: string,
  content: readonly Uint8Array[],
  mostBytes = MAX_CACHE_BYTES,
): Promise<void> {
  const part = join(folder, `${name}.${process.pid}-${++written}`)
  try {
    await makeCacheFolder(folder)
    await removeLeftovers(folder)
    await makeRoom(folder, HEADER_BYTES + content.reduce((sum, { length }) => sum + length, 0), mostBytes)
    await withFile(part, 'w', file => writeContent(file, content))
    await rename(part, join(folder, name))
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

/** Not accessible to other users: the content of the folder is trusted. */
export async function makeCacheFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Removes files of processes that ended while writing: a live writer changes its file all the time. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const path of names.filter(name => PART.test(name)).map(name => join(folder, name)))
    if (await isSilent(path)) await rm(path, { force: true })
}

async function makeRoom(folder: string, bytes: number, mostBytes: number): Promise<void> {
  const files = await cachedFiles(folder)
  let total = files.reduce((sum, file) => sum + file.bytes, 0)
  for (const file of files) {
    if (total + bytes <= mostBytes) return
    await rm(join(folder, file.name), { force: true })
    total -= file.bytes
  }
}

/** Whether the file exists and has not changed for so long that its writer must be gone. */
export async function isSilent(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > SILENT_MS
}

export async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => {})
}

/** Reads what follows the header; returns its checksum. */
async function readContent(file: FileHandle, into: Uint8Array): Promise<number> {
  let sum = 0
  for (let at = 0; at < into.length; ) {
    const { bytesRead } = await file.read(into, at, Math.min(PIECE_BYTES, into.length - at), HEADER_BYTES + at)
    if (bytesRead === 0) break
    sum = crc32(into.subarray(at, at + bytesRead), sum)
    at += bytesRead
  }
  return sum
}

const PIECE_BYTES = 8 << 20

async function writeContent(file: FileHandle, content: readonly Uint8Array[]): Promise<void> {
  let sum = 0
  let end = 0
  for (const bytes of content)
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, at, Math.min(PIECE_BYTES, bytes.length - at), HEADER_BYTES + end)
      sum = crc32(bytes.subarray(at, at + bytesWritten), sum)
      at += bytesWritten
      end += bytesWritten
    }
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt32LE(FORMAT, 4)
  header.writeUInt32LE(sum, 8)
  header.writeDoubleLE(end, 16)
  await file.write(header, 0, HEADER_BYTES, 0)
}

async function withFile<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o600)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
