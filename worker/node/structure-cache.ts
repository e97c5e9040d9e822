/**
 * Built scenes in a folder on this machine: the first worker that needs one builds it, the others wait and then read it, as does
 * the next run. A file is named after its scene and the fingerprint of the engine that built it.
 *
 *     <scene>-<kernel>.tree        the engine's image of a built scene
 *     <scene>-<kernel>.building    lock of the worker that builds it: its process id
 */
import { lstat, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  ENDINGS,
  isSilent,
  MAX_CACHE_BYTES,
  makeCacheFolder,
  openCached,
  putCached,
  touch,
} from '../../shared/node/cache-folder.ts'
import type { BuildClaim, StoredStructure, StructureStore } from '../scenes.ts'

/** How often waiting workers check for the structure, ms. */
const LOOK_MS = 20
/** How often the building worker refreshes its lock, ms. */
const REFRESH_MS = 2000

export class StructureCache implements StructureStore {
  readonly #folder: string
  readonly #kernel: string
  readonly #mostBytes: number
  readonly #writing: Set<Promise<void>>

  /**
   * @param kernel the engine's fingerprint: structures of engines with other ones are of no use
   * @param writing collects what is being written, for a process that is about to end
   */
  constructor(
    folder: string,
    kernel: string,
    mostBytes = MAX_CACHE_BYTES,
    writing: Set<Promise<void>> = new Set<Promise<void>>(),
  ) {
    this.#folder = folder
    this.#kernel = kernel
    this.#mostBytes = mostBytes
    this.#writing = writing
  }

  async claim(scene: string, signal: AbortSignal): Promise<StoredStructure | BuildClaim> {
    const name = `${scene}-${this.#kernel}`
    const held = join(this.#folder, name + ENDINGS.building)
    try {
      await makeCacheFolder(this.#folder)
      while (!signal.aborted) {
        const stored = await openCached(this.#folder, name + ENDINGS.tree)
        if (stored) return { found: true, ...stored }
        if (await lock(held)) return this.#claimed(name, held)
        await delay(LOOK_MS, undefined, { signal }).catch(() => {})
      }
    } catch {
      // The folder does not exist and cannot be created, or has something else in the lock's place.
    }
    return { found: false, put: async () => {}, drop: async () => {} }
  }

  #claimed(name: string, held: string): BuildClaim {
    const refreshing = setInterval(() => void touch(held), REFRESH_MS).unref()
    const drop = async () => {
      clearInterval(refreshing)
      await rm(held, { force: true }).catch(() => {})
    }
    return {
      found: false,
      drop,
      put: image => {
        const writing = putCached(this.#folder, name + ENDINGS.tree, [image], this.#mostBytes)
          .catch(() => {})
          .then(drop)
          .finally(() => this.#writing.delete(writing))
        this.#writing.add(writing)
        return writing
      },
    }
  }
}

/** Takes the build lock; removes one whose owner is gone, for the next attempt. Rejects if there can be none. */
async function lock(path: string): Promise<boolean> {
  try {
    await writeNew(path, `${process.pid}`)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // Reading a pipe would wait for its other end, and a folder would never be gone.
    if ((await lstat(path).catch(() => undefined))?.isFile() === false) throw error
  }
  const holder = Number(await readFile(path, 'utf8').catch(() => ''))
  // The pid of a process in another container means nothing here, but a live owner would have refreshed the file. Between its
  // creation and the first byte the file is empty.
  const isGone = (holder > 0 && !isAlive(holder)) || (await isSilent(path))
  if (isGone) await rm(path, { force: true })
  return false
}

/** Rejects with EEXIST if there is something, or if the disk has no room: then nothing remains. */
async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(text)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
