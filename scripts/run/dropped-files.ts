/**
 * Scene files that pages of a view send, one at a time: each is in a temporary folder of its own, alone, as long as its scene is shown, because another
 * sun or another time reads it again. Only a program that is killed leaves the folder behind.
 */
import { rmSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { ComingFile, ShownView } from '../../master/page/view-source.ts'
import { UnknownExtensionError } from '../../scenes/errors.ts'
import { ARCHIVE_EXTENSION, extensionOf, FILE_EXTENSIONS, formatOf } from '../../scenes/files/extensions.ts'
import { messageOf } from '../../shared/errors.ts'
import { printable } from '../../shared/text/printable.ts'

/** A scene that a view shows. */
export interface ViewedScene {
  readonly shown: ShownView
  /** Ends what it takes. */
  close(): Promise<void>
}

/** In a folder, a name has at most 255 bytes. */
const MOST_CHARACTERS = 60

/** The name that a file has in its folder: its own, as far as it is harmless. @throws UnknownExtensionError if it is not that of a scene file */
export function droppedName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!
  const plain = [...last.replaceAll(/[^\p{L}\p{M}\p{N} ._()+-]/gu, '-')].slice(-MOST_CHARACTERS).join('')
  const named = plain.replace(/^[ .-]+/, '')
  const isArchive = named.toLowerCase().endsWith(ARCHIVE_EXTENSION) && extensionOf(named) === ARCHIVE_EXTENSION
  if (isArchive || formatOf(named)) return named
  throw new UnknownExtensionError(printable(last), extensionOf(named), [...FILE_EXTENSIONS, ARCHIVE_EXTENSION])
}

export class DroppedFiles {
  readonly #make: (path: string, name: string) => Promise<ViewedScene>
  #now: ViewedScene | undefined
  /** Of what is shown, and of what comes. */
  readonly #folders = new Set<string>()
  #isComing = false
  /** The scene that is being made. */
  #making: Promise<unknown> = Promise.resolve()
  #isOver = false
  readonly #atExit = () => {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
  }

  /** @param make loads the scene of a file of this name */
  constructor(make: (path: string, name: string) => Promise<ViewedScene>) {
    this.#make = make
    process.on('exit', this.#atExit)
  }

  /** This is shown at first. */
  begin(first: ViewedScene): void {
    this.#now = first
  }

  /** Rejects with why the file is not taken. */
  async receive(given: string): Promise<ComingFile> {
    const name = droppedName(given)
    if (this.#isComing) throw new Error('another file is being opened: wait until it is there')
    if (this.#isOver) throw new Error('the view has ended')
    this.#isComing = true
    let folder = ''
    try {
      // The one before it may be there already, and still take the place of another one.
      await this.#making
      folder = await mkdtemp(join(tmpdir(), 'sortfirst-view-'))
      this.#folders.add(folder)
      const path = join(folder, name)
      return this.#comingTo({ folder, path, name, handle: await open(path, 'wx', 0o600) })
    } catch (error) {
      this.#isComing = false
      await this.#remove(folder)
      throw withoutFolder(error, folder)
    }
  }

  /** Nothing is shown any more. */
  async close(): Promise<void> {
    this.#isOver = true
    await this.#making
    await this.#now?.close()
    for (const folder of [...this.#folders]) await this.#remove(folder)
    process.off('exit', this.#atExit)
  }

  #comingTo(file: OpenFile): ComingFile {
    const { folder, handle } = file
    let isShown = false
    let isDropped = false
    return {
      write: async piece => {
        await handle.appendFile(piece).catch(error => {
          throw withoutFolder(error, folder)
        })
      },
      open: async show => {
        const opening = this.#open(file, show)
        this.#making = opening.catch(() => {})
        await opening
        isShown = true
      },
      drop: async () => {
        if (isDropped) return
        isDropped = true
        this.#isComing = false
        await handle.close().catch(() => {})
        await this.#making
        if (!isShown) await this.#remove(folder)
      },
    }
  }

  async #open({ folder, path, name, handle }: OpenFile, show: (shown: ShownView) => void): Promise<void> {
    let made: ViewedScene | undefined
    try {
      await handle.close()
      made = await this.#make(path, name)
      if (this.#isOver) throw new Error('the view has ended')
      show(made.shown)
    } catch (error) {
      await made?.close().catch(() => {})
      throw withoutFolder(error, folder)
    }
    const before = this.#now
    this.#now = made
    await before?.close().catch(() => {})
    for (const other of [...this.#folders]) if (other !== folder) await this.#remove(other)
  }

  async #remove(folder: string): Promise<void> {
    this.#folders.delete(folder)
    if (folder !== '') await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

interface OpenFile {
  readonly folder: string
  readonly path: string
  readonly name: string
  readonly handle: FileHandle
}

/** Whoever sent the file knows it by its name. */
const withoutFolder = (error: unknown, folder: string): Error =>
  new Error(messageOf(error).replaceAll(`${folder}${sep}`, ''), { cause: error })
