/**
 * One run at a time writes into a folder. Every run puts a file into it whose name says which process it is, and which nobody else will
 * ever use again, so any process that finds a file of one that has ended can remove it, at any time. A lock of one fixed name could not be
 * taken over safely: two that find its owner gone would each remove what the other has just made.
 *
 *     .run-<place>-<pid>-<started>.lock     empty while its run looks for others; one byte long from when it has found none
 *
 * A process that finds a lock that is held gives up. Among those that come in the same moment, the first by name goes on: one that has not yet looked
 * is waited for. (A simple case of Lamport, "A New Solution of Dijkstra's Concurrent Programming Problem", CACM 1974.)
 */
import { type FileHandle, lstat, open, readdir, readlink, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { UsageError } from '../../shared/errors.ts'
import { lifeOf, PROCESS_WORDS, type ProcessName, thisProcess, wordsOf } from './running-process.ts'

/** Another run writes into the folder. */
export class FolderInUseError extends UsageError {
  readonly code = 'FOLDER_IN_USE'
  constructor(place: string, { pid }: ProcessName, isHere: boolean) {
    const who = `process ${pid}${isHere ? '' : ', on another machine or in another container'}`
    super(
      `${place}: expected a folder that no other run writes into, got that of a run in progress (${who}); wait until it ends, or use another folder`,
    )
  }
}

/** How often an owner says that it is alive, for those that cannot ask the system, ms. */
const REFRESH_MS = 2000
/** After how long without that it counts as gone, ms. */
const SILENT_MS = 10_000
/** How often another process's file is looked at again, ms. */
const LOOK_MS = 20

export class FolderLock {
  readonly #path: string
  /** For reading: a file that is open for writing would keep its disk from being mounted read-only. */
  readonly #file: FileHandle
  readonly #refreshing: NodeJS.Timeout

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
    this.#refreshing = setInterval(() => {
      const now = new Date()
      file.utimes(now, now).catch(() => {})
    }, REFRESH_MS).unref()
  }

  /**
   * Rejects with FolderInUseError, or as the system does.
   * @param place names the folder in messages
   * @param wait resolves after so many ms
   */
  static async take(folder: string, place: string, own = thisProcess(), wait: Wait = delay): Promise<FolderLock> {
    const name = nameOf(own)
    const refuse = (other: ProcessName): never => {
      throw new FolderInUseError(place, other, other.place === own.place)
    }
    const path = join(folder, name)
    await writeFile(path, '', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return refuse(own)
      throw error
    })
    const file = await open(path, 'r').catch(async (error: unknown) => {
      await rm(path, { force: true }).catch(() => {})
      throw error
    })
    const lock = new FolderLock(path, file)
    try {
      for (const other of await othersIn(folder, name))
        if ((await stateOf(other, own, wait)) === 'held') refuse(other.process)
      await truncate(path, 1)
      for (const other of await othersIn(folder, name))
        if ((await decidedState(other, own, wait)) === 'held' && other.name < name) refuse(other.process)
      return lock
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /**
   * Whether it is still there. A run that was stopped for long, as one in a virtual machine that was paused, counts as gone for machines that
   * cannot ask for it: they remove its lock, and write into the folder.
   */
  async isHeld(): Promise<boolean> {
    const [own, found] = await Promise.all([this.#file.stat(), lstat(this.#path).catch(() => undefined)])
    return found !== undefined && found.dev === own.dev && found.ino === own.ino
  }

  /** Never fails. */
  async release(): Promise<void> {
    clearInterval(this.#refreshing)
    // If the folder was moved meanwhile, the file moved along: on Linux, the open descriptor knows where to.
    const moved = await readlink(`/proc/self/fd/${this.#file.fd}`).catch(() => this.#path)
    await this.#file.close().catch(() => {})
    for (const path of [this.#path, moved]) await rm(path, { force: true }).catch(() => {})
  }
}

interface Other {
  readonly name: string
  readonly path: string
  readonly process: ProcessName
}

const NAME = new RegExp(`^\\.run-${PROCESS_WORDS}\\.lock$`)
const nameOf = (process: ProcessName): string => `.run-${wordsOf(process)}.lock`

async function othersIn(folder: string, own: string): Promise<Other[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.flatMap(entry => {
    const { name } = entry
    const [, place, pid, startedAt] = NAME.exec(name) ?? []
    if (place === undefined || name === own || !entry.isFile()) return []
    return { name, path: join(folder, name), process: { place, pid: Number(pid), startedAt: Number(startedAt) } }
  })
}

type Wait = (ms: number) => Promise<unknown>
type State = 'looking' | 'held' | 'gone'

/** The state of a lock, whose file is removed if its process has ended. */
async function stateOf({ path, process }: Other, own: ProcessName, wait: Wait): Promise<State> {
  const life = lifeOf(process, own)
  const isGone = life === 'ended' || (life === 'unknown' && (await isSilent(path, wait)))
  // Others may not be allowed to.
  if (isGone) await rm(path, { force: true }).catch(() => {})
  const found = isGone ? undefined : await lstat(path).catch(() => undefined)
  return found === undefined ? 'gone' : found.size > 0 ? 'held' : 'looking'
}

/** The same when it has looked: that takes milliseconds, unless the process has been stopped. */
async function decidedState(other: Other, own: ProcessName, wait: Wait): Promise<Exclude<State, 'looking'>> {
  for (let waitedMs = 0; waitedMs < SILENT_MS; waitedMs += LOOK_MS) {
    const state = await stateOf(other, own, wait)
    if (state !== 'looking') return state
    await wait(LOOK_MS)
  }
  return 'held'
}

/** Whether its owner is not heard of. The clocks of two machines may differ, so only a change counts. */
async function isSilent(path: string, wait: Wait): Promise<boolean> {
  const touchedAt = async () => (await lstat(path).catch(() => undefined))?.mtimeMs
  const first = await touchedAt()
  for (let waitedMs = 0; waitedMs < SILENT_MS; waitedMs += LOOK_MS) {
    await wait(LOOK_MS)
    if ((await touchedAt()) !== first) return false
  }
  return true
}
