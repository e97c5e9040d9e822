/**
 * A folder on this machine in which processes share what is expensive to build: files with a checksum (`cached-file.ts`), written
 * under a temporary name and renamed, of bounded total size. A folder that cannot be used counts as empty; no process depends on it.
 */
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { HEADER_BYTES, type OpenContent, openContent, writeContent } from './cached-file.ts'

/**
 * A scene with an engine's acceleration structure; a packed scene; what is known of a scene that was asked for; and the marker of
 * a process that is building a structure.
 */
export const ENDINGS = { tree: '.tree', scene: '.scene', facts: '.facts', building: '.building' } as const

const KEPT = /\.(tree|scene|facts)$/
/** A file that is being written: by the process with this pid, which may write several of one name. */
const PART = /\.(tree|scene|facts)\.(\d+)(-\d+)?$/
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

/** Opens a file of valid form; undefined if there is none. Marks it as used now. A damaged file is removed, as soon as that is found out. */
export async function openCached(folder: string, name: string): Promise<OpenContent | undefined> {
  const path = join(folder, name)
  try {
    const content = await openContent(path)
    if (!content) {
      await rm(path, { force: true })
      return undefined
    }
    await touch(path)
    const read = async (into: Uint8Array): Promise<boolean> => {
      if (await content.read(into)) return true
      await rm(path, { force: true }).catch(() => {})
      return false
    }
    return { bytes: content.bytes, read }
  } catch {
    return undefined
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
    await writeContent(part, content)
    await rename(part, join(folder, name))
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

/** Whether a process is writing a file there: it has begun one, and changed it within the last second. */
export async function isWriting(folder: string, pid: number): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  const changes = names
    .filter(name => PART.exec(name)?.[2] === `${pid}`)
    .map(async name => (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0)
  return (await Promise.all(changes)).some(changedAt => Date.now() - changedAt < 1000)
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
