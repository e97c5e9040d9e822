/**
 * Built scenes in a folder of this machine: whichever worker needs one first builds it, the others wait for it and read it, and so
 * does the next run. A file is named by its scene and by the engine that built it, is written aside and renamed when it is
 * whole, and carries a checksum. Where the folder cannot be used, everybody builds for themselves: nothing depends on it.
 *
 *     <scene>-<engine>.tree        what the engine calls the image of a built scene, after a header
 *     <scene>-<engine>.building    held by whoever builds it: its process id
 */
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { BuildClaim, StoredStructure, StructureStore } from '../scenes.ts'

const MAGIC = 0x45525453 // 'STRE' read as little-endian u32
const FORMAT = 1
/** u32 magic, format, checksum, 0; f64 length of the image. */
const HEADER_BYTES = 24

const TREE = '.tree'
/** One that is being written, by the process of this number. */
const PART = /\.tree\.\d+$/
const BUILDING = '.building'

/** How often those who wait look whether it is there, ms. */
const LOOK_MS = 20
/** How often whoever builds shows that it is there, and after how long without it is taken for gone, ms. */
const REFRESH_MS = 2000
const GONE_MS = 10_000
/** Files of all scenes together, bytes. */
export const MAX_CACHE_BYTES = 4 * 2 ** 30

/** Where structures are kept unless somebody says otherwise: the folder that this system has for such files. */
export function defaultCacheFolder({ env, platform } = process): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'sortfirst', 'Cache')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'sortfirst')
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sortfirst')
}

export interface CachedFile {
  readonly name: string
  readonly bytes: number
  /** When it was used last, ms since 1970. */
  readonly usedAt: number
}

/** What is in a cache folder, the least recently used first. Nothing where there is none. */
export async function cachedFiles(folder: string): Promise<CachedFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found = names
    .filter(name => name.endsWith(TREE))
    .map(async name => {
      const { size, mtimeMs } = (await stat(join(folder, name)).catch(() => undefined)) ?? {}
      return size === undefined ? [] : [{ name, bytes: size, usedAt: mtimeMs! }]
    })
  return (await Promise.all(found)).flat().sort((a, b) => a.usedAt - b.usedAt)
}

/** Removes everything from a cache folder, what is being written, too; answers how much that was. */
export async function clearCache(folder: string): Promise<{ files: number; bytes: number }> {
  const files = await cachedFiles(folder)
  const names = await readdir(folder).catch(() => [])
  const ours = names.filter(name => name.includes(TREE) || name.endsWith(BUILDING))
  await Promise.all(ours.map(name => rm(join(folder, name), { force: true })))
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
}

export class StructureCache implements StructureStore {
  readonly #folder: string
  readonly #engine: string
  readonly #mostBytes: number

  /** @param engine its name and fingerprint: what others built is of no use */
  constructor(folder: string, engine: string, mostBytes = MAX_CACHE_BYTES) {
    this.#folder = folder
    this.#engine = engine
    this.#mostBytes = mostBytes
  }

  async claim(scene: string, signal: AbortSignal): Promise<StoredStructure | BuildClaim> {
    const path = join(this.#folder, `${scene}-${this.#engine}`)
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      while (!signal.aborted) {
        const stored = await openStructure(path + TREE)
        if (stored) return stored
        if (await lock(path + BUILDING)) return this.#claimed(path)
        await delay(LOOK_MS, undefined, { signal }).catch(() => {})
      }
    } catch {
      // No such folder, and none to be had.
    }
    return { found: false, put: async () => {}, drop: async () => {} }
  }

  #claimed(path: string): BuildClaim {
    const refreshing = setInterval(() => void touch(path + BUILDING), REFRESH_MS).unref()
    const drop = async () => {
      clearInterval(refreshing)
      await rm(path + BUILDING, { force: true }).catch(() => {})
    }
    return {
      found: false,
      drop,
      put: async image => {
        const part = `${path}${TREE}.${process.pid}`
        try {
          await this.#removeLeftovers()
          await this.#makeRoom(image.length + HEADER_BYTES)
          await writeStructure(part, image)
          await rename(part, path + TREE)
        } catch {
          await rm(part, { force: true }).catch(() => {})
        } finally {
          await drop()
        }
      },
    }
  }

  /** Removes what was begun by a process that ended while it wrote: who writes changes its file all the time. */
  async #removeLeftovers(): Promise<void> {
    const names = await readdir(this.#folder)
    for (const path of names.filter(name => PART.test(name)).map(name => join(this.#folder, name)))
      if (await isSilent(path)) await rm(path, { force: true })
  }

  /** Removes what was not used for the longest time, until there is room. */
  async #makeRoom(bytes: number): Promise<void> {
    const files = await cachedFiles(this.#folder)
    let total = files.reduce((sum, file) => sum + file.bytes, 0)
    for (const file of files) {
      if (total + bytes <= this.#mostBytes) return
      await rm(join(this.#folder, file.name), { force: true })
      total -= file.bytes
    }
  }
}

/** Takes the lock of whoever builds, also from one who is gone. */
async function lock(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid}`, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const holder = Number(await readFile(path, 'utf8').catch(() => ''))
  // Of another container the number says nothing, but it would have shown that it is there. Between its creation and the first byte
  // nothing is in the file.
  const isGone = (holder > 0 && !isAlive(holder)) || (await isSilent(path))
  if (isGone) await rm(path, { force: true })
  return false
}

/** Whether a file is there that nobody has changed for so long that whoever should is gone. */
async function isSilent(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > GONE_MS
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => {})
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A structure that is there, as far as its header tells; undefined where there is none that can be used. */
async function openStructure(path: string): Promise<StoredStructure | undefined> {
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
    found: true,
    bytes,
    async read(into) {
      const sum = await withFile(path, 'r', file => readImage(file, into.subarray(0, bytes))).catch(() => undefined)
      if (sum === checksum) return true
      await rm(path, { force: true })
      return false
    },
  }
}

/** Reads what follows the header; answers its checksum. */
async function readImage(file: FileHandle, into: Uint8Array): Promise<number> {
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

const writeStructure = (path: string, image: Uint8Array): Promise<unknown> =>
  withFile(path, 'w', async file => {
    let sum = 0
    for (let at = 0; at < image.length; ) {
      const { bytesWritten } = await file.write(image, at, Math.min(PIECE_BYTES, image.length - at), HEADER_BYTES + at)
      sum = crc32(image.subarray(at, at + bytesWritten), sum)
      at += bytesWritten
    }
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt32LE(MAGIC, 0)
    header.writeUInt32LE(FORMAT, 4)
    header.writeUInt32LE(sum, 8)
    header.writeDoubleLE(image.length, 16)
    await file.write(header, 0, HEADER_BYTES, 0)
  })

async function withFile<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o600)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
