/**
 * The output folder of a run. It is created once, before expensive work begins, and must remain the same folder until the
 * run ends: if it were silently recreated, earlier files would be missing although the summary lists them.
 */
import { access, constants, type FileHandle, lstat, mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { SortfirstError } from '../../shared/errors.ts'
import { makeFolder } from '../../shared/node/make-folder.ts'
import { FolderLock } from './folder-lock.ts'
import { OutputError, obstacleIn } from './output-error.ts'
import { type Lasting, partOf, removeLeftovers, type WrittenData, writeWhole } from './write-whole.ts'

/**
 * Runs `work` with a folder that no other run writes into meanwhile. It is created if needed, and removed if that fails before there is
 * anything in it.
 * @throws OutputError, FolderInUseError, and whatever `work` throws
 */
export async function withOutputFolder<T>(path: string, work: (folder: OutputFolder) => Promise<T>): Promise<T> {
  const folder = await OutputFolder.open(path)
  let isDone = false
  try {
    await folder.lock(`--out ${path}`).catch((error: unknown) => {
      throw error instanceof SortfirstError ? error : new OutputError(`--out ${path}`, 'folder', obstacleIn(error))
    })
    const result = await work(folder)
    isDone = true
    return result
  } finally {
    await folder.close()
    if (!isDone) await folder.removeEmpty()
  }
}

export class OutputFolder {
  readonly path: string
  /** Held open, so that the system does not reuse its inode number and a replacement can be detected. */
  readonly #held: FileHandle
  readonly #writing = new Set<Promise<void>>()
  readonly #below = new Map<string, OutputFolder>()
  #lock: FolderLock | undefined
  /** What was created for it: itself and its parents, the innermost first. */
  readonly #made: readonly string[]

  private constructor(path: string, held: FileHandle, made: readonly string[] = []) {
    this.path = path
    this.#held = held
    this.#made = made
  }

  /** Creates the folder of `--out`, and its parents. @throws OutputError */
  static async open(path: string): Promise<OutputFolder> {
    const found = await stat(path).catch(() => undefined)
    if (found && !found.isDirectory()) throw new OutputError(`--out ${path}`, 'folder', 'a file')
    if (!found && (await lstat(path).catch(() => undefined))?.isSymbolicLink())
      throw new OutputError(`--out ${path}`, 'folder', 'a link that leads nowhere; remove it or use another folder')
    try {
      const made = await makeFolder(path)
      await access(path, constants.W_OK)
      return new OutputFolder(path, await open(path, 'r'), made)
    } catch (error) {
      throw new OutputError(`--out ${path}`, 'folder', obstacleIn(error))
    }
  }

  /**
   * Keeps other runs out until it is closed, and removes what killed ones have begun in it. Rejects with FolderInUseError, or as the system
   * does.
   * @param place names it in messages
   */
  async lock(place: string): Promise<void> {
    this.#lock = await FolderLock.take(this.path, place)
    await removeLeftovers(this.path)
  }

  /** A subfolder, created if needed; locked, and closed, together with this one. @throws OutputError, FolderInUseError */
  async below(name: string): Promise<OutputFolder> {
    const known = this.#below.get(name)
    if (known) return known
    const path = join(this.path, name)
    try {
      await this.#check()
      const isNew = await mkdir(path).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error
          return false
        },
      )
      const folder = new OutputFolder(path, await open(path, 'r'), isNew ? [path] : [])
      try {
        await folder.#check()
        await folder.lock(path)
      } catch (error) {
        await folder.close()
        throw error
      }
      this.#below.set(name, folder)
      return folder
    } catch (error) {
      throw midway(path, 'folder', error)
    }
  }

  /** Writes a file into the folder, whole or not at all; see `writeWhole`. @returns its path @throws OutputError */
  async write(name: string, data: WrittenData, lasting?: Lasting): Promise<string> {
    return this.#put(name, (path, part) => writeWhole(path, data, lasting, part))
  }

  /**
   * Changes a file of the folder in place. The change is on the disk when this resolves; if the machine stops before, there may be parts of
   * it. The file is not held open: that would keep its disk from being mounted read-only. @throws OutputError
   */
  async patch(name: string, text: string, position: number): Promise<void> {
    await this.#put(name, async path => {
      const file = await open(path, 'r+')
      try {
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length; )
          at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten
        await file.datasync()
      } finally {
        await file.close()
      }
    })
  }

  /**
   * Puts a file into the folder that another program makes, whole or not at all.
   * @param making makes the file at the path it is given
   * @returns its path
   * @throws OutputError, and the errors of `making` with a code of their own
   */
  async make(name: string, making: (path: string) => Promise<void>): Promise<string> {
    return this.#put(name, async (path, part) => {
      try {
        await making(part)
        await onDisk(part)
        await rename(part, path)
      } finally {
        await rm(part, { force: true }).catch(() => {})
      }
    })
  }

  /** @param write also gets a path for what it has begun */
  async #put(name: string, write: (path: string, part: string) => Promise<void>): Promise<string> {
    const path = join(this.path, name)
    const part = partOf(path)
    const writing = this.#check().then(() => write(path, part))
    this.#writing.add(writing)
    try {
      await writing
      return path
    } catch (error) {
      // If the folder was moved meanwhile, the partial file moved along. On Linux, the open descriptor still leads to it.
      await rm(join('/proc/self/fd', String(this.#held.fd), basename(part)), { force: true }).catch(() => {})
      throw error instanceof SortfirstError ? error : midway(path, 'file', error)
    } finally {
      this.#writing.delete(writing)
    }
  }

  /** Gives a file of the folder another name, which may be in use. @returns whether there is such a file @throws OutputError */
  async move(name: string, to: string): Promise<boolean> {
    let isThere = true
    await this.#put(to, path =>
      rename(join(this.path, name), path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        isThere = false
      }),
    )
    return isThere
  }

  /** Removes a file from the folder, if it exists and the folder is still this run's. Never fails, because it cleans up after failures. */
  async remove(name: string): Promise<void> {
    await this.#check()
      .then(() => rm(join(this.path, name), { force: true }))
      .catch(() => {})
  }

  /** Checks that it and its subfolders are still in place. @throws OutputError */
  async check(): Promise<void> {
    await this.#check().catch(error => {
      throw midway(this.path, 'folder', error)
    })
    for (const folder of this.#below.values()) await folder.check()
  }

  /** Resolves when pending files are whole or absent; nothing can be written afterwards. */
  async close(): Promise<void> {
    for (const folder of this.#below.values()) await folder.close()
    await Promise.allSettled(this.#writing)
    // The names of its files; not every system can.
    await this.#held.sync().catch(() => {})
    await this.#held.close()
    await this.#lock?.release()
  }

  /** Removes what was created and has nothing in it, after a run that failed. Never fails. */
  async removeEmpty(): Promise<void> {
    for (const folder of this.#below.values()) await folder.removeEmpty()
    for (const path of this.#made)
      if (
        !(await rmdir(path).then(
          () => true,
          () => false,
        ))
      )
        return
  }

  async #check(): Promise<void> {
    // Before the folder is looked at: one that is moved away has taken the lock along.
    const isTaken = (await this.#lock?.isHeld()) === false
    const [held, there] = await Promise.all([this.#held.stat(), stat(this.path)])
    if (!there.isDirectory() || held.dev !== there.dev || held.ino !== there.ino) {
      const found = there.isDirectory() ? 'a different folder from the one the run began with' : 'a file'
      const advice = 'run it again, and do not replace it during the run'
      throw new OutputError(this.path, 'folder', `${found}; ${advice}`, 'midway')
    }
    if (isTaken) throw new OutputError(this.path, 'folder', TAKEN_OVER, 'midway')
  }
}

const TAKEN_OVER =
  'one that another run has taken over: the lock of this one is gone, as after a long pause; run it again with another folder'

/** Resolves when a file that another program has written is on the disk. */
async function onDisk(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

const midway = (path: string, what: 'folder' | 'file', error: unknown): SortfirstError =>
  error instanceof SortfirstError ? error : new OutputError(path, what, obstacleIn(error, 'midway'), 'midway')
