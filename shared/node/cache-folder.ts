/**
 * A folder on this machine in which processes share what is expensive to build: files with a checksum (`cached-file.ts`), written
 * under a temporary name and renamed, of bounded total size. A folder that cannot be used counts as empty; no process depends on it.
 *
 * Users choose the folder, and may have files of their own in it. What this program removes is a regular file with a name that it
 * gives, a SHA-256 first, that begins as its files do; a file that is being written is known by its name alone.
 */
import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { access, constants, lstat, readdir, rename, rm, utimes } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'
import { beginsAsOurs, HEADER_BYTES, openContent, type StoredContent, writeContent } from './cached-file.ts'
import { makeFolder } from './make-folder.ts'

/**
 * A scene with an engine's acceleration structure; a packed scene; what is known of a scene that was asked for; and the marker of
 * a process that is building a structure.
 */
export const ENDINGS = { tree: '.tree', scene: '.scene', facts: '.facts', building: '.building' } as const

const KEPT = /^[0-9a-f]{64}(-[0-9a-f]+)?\.(tree|scene|facts)$/
/**
 * A file that is being written: by the process with this pid, which may write several of one name. Processes in containers that share the
 * folder may have equal pids, so a random number tells their files apart.
 */
const PART = /^[0-9a-f]{64}(?:-[0-9a-f]+)?\.(?:tree|scene|facts)\.(\d+)(-[0-9a-f]+)?$/
const MARKER = /^[0-9a-f]{64}(-[0-9a-f]+)?\.building$/

/** After how long without a change a file that is being written counts as abandoned, ms. */
const SILENT_MS = 10_000
/** By how much the clocks of machines that share a folder may differ, ms. */
const SKEW_MS = 60_000

/** Bound of the total size of the files, bytes. */
export const MAX_CACHE_BYTES = 4 * 2 ** 30

/** The default: the system's folder for cache files; false if this user has none. */
export function defaultCacheFolder({ env, platform } = process, homeOf = homedir): string | false {
  if (platform === 'win32')
    return below(env.LOCALAPPDATA, 'sortfirst', 'Cache') || below(homeOf, 'AppData', 'Local', 'sortfirst', 'Cache')
  if (platform === 'darwin') return below(homeOf, 'Library', 'Caches', 'sortfirst')
  return below(env.XDG_CACHE_HOME, 'sortfirst') || below(homeOf, '.cache', 'sortfirst')
}

/**
 * A relative path would be another folder for each command, and one that is not UTF-8 cannot be written down. A user without an entry in
 * the system's list has no home.
 */
function below(folder: string | undefined | (() => string), ...names: string[]): string | false {
  try {
    const path = typeof folder === 'function' ? folder() : folder
    return path !== undefined && isAbsolute(path) && !path.includes('\uFFFD') && join(path, ...names)
  } catch {
    return false
  }
}

export interface CachedFile {
  readonly name: string
  readonly bytes: number
  /** When it was last used, ms since 1970. */
  readonly usedAt: number
}

/** The files of this program in a folder, the least recently used first; none if there is no such folder. */
export async function cachedFiles(folder: string): Promise<CachedFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found: CachedFile[] = []
  // One after the other: files that are open are limited.
  for (const name of names.filter(name => KEPT.test(name))) {
    const path = join(folder, name)
    const { size, mtimeMs } = (await regularFile(path)) ?? {}
    if (size !== undefined && (await beginsAsOurs(path).catch(() => false)))
      found.push({ name, bytes: size, usedAt: mtimeMs! })
  }
  return found.sort((a, b) => a.usedAt - b.usedAt)
}

/** Removes all files of this program from a folder, including unfinished ones; returns those that were finished. */
export async function clearCache(folder: string): Promise<readonly CachedFile[]> {
  const files = await cachedFiles(folder)
  const names = await readdir(folder).catch(() => [])
  const unfinished = names.filter(name => PART.test(name) || MARKER.test(name))
  for (const name of [...files.map(({ name }) => name), ...unfinished]) {
    const path = join(folder, name)
    if (await regularFile(path)) await rm(path, { force: true })
  }
  return files
}

/** A file of valid form; undefined if there is none. Marks it as used now. */
export async function openCached(folder: string, name: string): Promise<StoredContent | undefined> {
  const path = join(folder, name)
  try {
    if (!(await regularFile(path))) return undefined
    const content = await openContent(path)
    if (content) await touch(path)
    return content
  } catch {
    return undefined
  }
}

/**
 * Stores a file, evicting the least recently used ones to make room for it. A regular file of its name is replaced, whatever is in it:
 * damage may have reached its first bytes. Rejects on failure.
 */
export async function putCached(
  folder: string,
  name: string,
  content: readonly Uint8Array[],
  mostBytes = MAX_CACHE_BYTES,
): Promise<void> {
  const part = join(folder, `${name}.${process.pid}-${randomBytes(8).toString('hex')}`)
  try {
    await makeCacheFolder(folder)
    await removeLeftovers(folder)
    await makeRoom(folder, HEADER_BYTES + content.reduce((sum, { length }) => sum + length, 0), mostBytes)
    await writeContent(part, content)
    const place = join(folder, name)
    if ((await lstat(place).catch(() => undefined))?.isFile() === false)
      throw new Error(`${place} is not a regular file`)
    await rename(part, place)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

/** Whether a process is writing a file there: it has begun one, and changed it within the last second. */
export async function isWriting(folder: string, pid: number): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  const changes = names
    .filter(name => PART.exec(name)?.[1] === `${pid}`)
    .map(async name => (await regularFile(join(folder, name)))?.mtimeMs ?? 0)
  return (await Promise.all(changes)).some(changedAt => Date.now() - changedAt < 1000)
}

/** Not accessible to other users: the content of the folder is trusted. */
export async function makeCacheFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700)
}

/** Creates the folder if needed. Rejects as the system does if no files can be put into it. */
export async function expectWritable(folder: string): Promise<void> {
  await makeCacheFolder(folder)
  // Not a file.
  await access(`${folder}${sep}.`, constants.W_OK)
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

/** What the system says of a regular file; undefined for links, folders and whatever else is there. */
async function regularFile(path: string): Promise<Stats | undefined> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() ? found : undefined
}

/**
 * Whether the file exists and has not changed for so long that its writer must be gone. A time far in the future is no sign of life, either:
 * a clock was wrong, and a process that waited for that time would wait for ever.
 */
export async function isSilent(path: string): Promise<boolean> {
  const found = await regularFile(path)
  if (found === undefined) return false
  const ageMs = Date.now() - found.mtimeMs
  return ageMs > SILENT_MS || ageMs < -SKEW_MS
}

export async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => {})
}
