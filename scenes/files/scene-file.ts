/** Finds the file that a path means: itself, or the only scene in a folder or in a zip archive. */
import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { messageOf } from '../../shared/errors.ts'
import { expectRegular, readRegular } from '../../shared/node/regular-file.ts'
import {
  BadMeshError,
  SceneFileMissingError,
  SceneFileUnreadableError,
  TruncatedMeshError,
  UnknownExtensionError,
} from '../errors.ts'
import {
  ARCHIVE_EXTENSION,
  extensionOf,
  FILE_EXTENSIONS,
  type FileExtension,
  formatOf,
  isModulePath,
  MODULE_EXTENSIONS,
} from './extensions.ts'
import { onlySceneIn } from './folders/only-scene.ts'
import { DiskFolder, type SceneFolder } from './folders/scene-folder.ts'
import { ZipArchive, ZipFolder } from './folders/zip-archive.ts'

export interface SceneFile {
  /** For messages. In an archive, it is the path of that, and the name in it. */
  readonly path: string
  readonly format: FileExtension
  /** Without the compression of a `.gz`. */
  readonly bytes: Uint8Array
  readonly folder: SceneFolder
  /** Paths of what was read and looked for so far; of folders that were searched. */
  used(): readonly string[]
  /** Of those, links that lead out of its folder, which were not followed. */
  unfollowed(): readonly string[]
  close(): void
}

/** Most bytes of a file that is compressed: as many as one has that is not, and that can be read. */
const MOST_BYTES = 2 ** 31

/**
 * @param path of a scene file, of a folder or a zip archive with one, or of a file in an archive: `house.zip/house.glb`
 * @throws one of the errors in `errors.ts`
 */
export async function openSceneFile(path: string): Promise<SceneFile> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error)
  if (found instanceof Error) {
    const archive = found.code === 'ENOTDIR' ? await archiveAbove(path) : undefined
    if (archive) return inArchive(archive, relative(archive, path).replaceAll(sep, '/'))
    throw found.code === 'ENOENT' || found.code === 'ENOTDIR'
      ? new SceneFileMissingError(path)
      : new SceneFileUnreadableError(path, found)
  }
  if (found.isDirectory()) return inFolder(path)
  if (extensionOf(path) === ARCHIVE_EXTENSION) return inArchive(regular(path, found))
  return onDisk(path, [])
}

/** @param folders that were searched for it */
async function onDisk(path: string, folders: readonly string[]): Promise<SceneFile> {
  const format = checkedFormat(path)
  const bytes = await readRegular(path).catch((error: NodeJS.ErrnoException) => {
    // Node.js puts this character in place of what it cannot read in the names of a folder.
    const isOther = error.code === 'ENOENT' && path.includes('\uFFFD')
    throw new SceneFileUnreadableError(path, isOther ? 'expected a name in UTF-8, got another one; rename it' : error)
  })
  const folder = new DiskFolder(path)
  const used = () => [...folders, path, ...folder.asked]
  const unfollowed = () => folder.unfollowed
  return { path, format, bytes: await unpacked(bytes, path), folder, used, unfollowed, close: () => {} }
}

async function inFolder(path: string): Promise<SceneFile> {
  const top = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw new SceneFileUnreadableError(path, error)
  })
  // Not those that links lead to: they may be anywhere.
  const folders = top.filter(entry => entry.isDirectory()).map(({ name }) => name)
  const names = top.filter(entry => entry.isFile()).map(({ name }) => name)
  for (const folder of folders) {
    const inner = await readdir(join(path, folder), { withFileTypes: true }).catch(() => [])
    names.push(...inner.filter(entry => entry.isFile()).map(({ name }) => `${folder}/${name}`))
  }
  const searched = [path, ...folders.map(folder => join(path, folder))]
  return onDisk(join(path, onlySceneIn(names, path)), searched)
}

async function inArchive(path: string, name?: string): Promise<SceneFile> {
  const archive = await ZipArchive.open(path)
  try {
    const chosen = name ?? onlySceneIn(archive.names, path)
    const full = join(path, chosen)
    if (!archive.has(chosen)) throw new SceneFileMissingError(full)
    const format = checkedFormat(full)
    const bytes = await archive.read(chosen).catch((error: unknown) => {
      throw new BadMeshError(full, messageOf(error), { cause: error })
    })
    const folder = new ZipFolder(archive, chosen)
    return {
      path: full,
      format,
      bytes: await unpacked(bytes, full),
      folder,
      used: () => [path],
      unfollowed: () => [],
      close: () => archive.close(),
    }
  } catch (error) {
    archive.close()
    throw error
  }
}

/** The path, if there is a regular file. @throws SceneFileUnreadableError */
function regular(path: string, found: Stats): string {
  try {
    expectRegular(found)
    return path
  } catch (error) {
    throw new SceneFileUnreadableError(path, error)
  }
}

/** The archive that a path leads into. */
async function archiveAbove(path: string): Promise<string | undefined> {
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
    const found = await stat(above).catch(() => undefined)
    if (found) return found.isFile() && extensionOf(above) === ARCHIVE_EXTENSION ? above : undefined
  }
  return undefined
}

/** @throws UnknownExtensionError */
function checkedFormat(path: string): FileExtension {
  const format = formatOf(path)
  if (format) return format
  const extension = extensionOf(path)
  // One that comes here is compressed, or in an archive.
  const modules = isModulePath(extension) ? [] : MODULE_EXTENSIONS
  throw new UnknownExtensionError(path, extension, [...FILE_EXTENSIONS, ARCHIVE_EXTENSION, ...modules])
}

async function unpacked(bytes: Uint8Array, path: string): Promise<Uint8Array> {
  if (!path.toLowerCase().endsWith('.gz')) return bytes
  return promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new BadMeshError(path, `expected a file of at most ${MOST_BYTES} bytes when unpacked, got more`)
    throw error.code === 'Z_BUF_ERROR'
      ? new TruncatedMeshError(path, 'a complete gzip stream', 'got only part of one')
      : new BadMeshError(path, `is not a readable gzip file: ${error.message}`, { cause: error })
  })
}
