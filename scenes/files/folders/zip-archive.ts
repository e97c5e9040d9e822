/**
 * Reads the files in a zip archive, each when it is asked for; nothing is written to disk. An archive may be made to fill the memory:
 * its sizes are added up before anything is unpacked, no file may be longer than it says, and none is unpacked too often.
 */
import { posix } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { messageOf } from '../../../shared/errors.ts'
import { printable } from '../../../shared/text/printable.ts'
import { BadArchiveError } from '../../errors.ts'
import { checkName, OUTSIDE, type SceneFolder } from './scene-folder.ts'

/** Most bytes of all files together: as many as a kernel's memory has. */
const MOST_BYTES = 2 ** 32
/** Each takes memory even if it is empty. */
const MOST_FILES = 2 ** 16

export class ZipArchive {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #most: number
  #unpacked = 0

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, most: number) {
    this.#zip = zip
    this.#entries = entries
    this.#most = most
  }

  /** Reads its directory. @param most bytes of all files, unpacked. Rejects with BadArchiveError. */
  static async open(path: string, most = MOST_BYTES): Promise<ZipArchive> {
    const unreadable = (cause: unknown) => {
      throw new BadArchiveError(path, `is not a readable zip archive: ${messageOf(cause)}`, { cause })
    }
    const zip = await openPromise(path, { autoClose: false }).catch(unreadable)
    try {
      if (zip.entryCount > MOST_FILES)
        throw new BadArchiveError(path, `expected at most ${MOST_FILES} files in it, got ${zip.entryCount}`)
      const entries = new Map<string, Entry>()
      let bytes = 0
      for await (const entry of zip.eachEntry()) {
        bytes += entry.uncompressedSize
        // Others would forge messages, and no scene asks for them.
        const isPlain = printable(entry.fileName) === entry.fileName
        if (isPlain && !entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
      }
      if (bytes > most)
        throw new BadArchiveError(path, `expected files of at most ${most} bytes when unpacked, got ${bytes}`)
      return new ZipArchive(zip, entries, most)
    } catch (error) {
      zip.close()
      return error instanceof BadArchiveError ? Promise.reject(error) : unreadable(error)
    }
  }

  /** Of files, with forward slashes. */
  get names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** A whole file. Rejects with an Error that says why it cannot be had. */
  async read(name: string): Promise<Uint8Array> {
    const entry = this.#entries.get(name)
    if (!entry) throw new Error('its file was not found')
    if (!entry.canDecodeFileData()) throw new Error('its file is encrypted, or packed in a way that is not supported')
    this.#unpacked += entry.uncompressedSize
    if (this.#unpacked > this.#most) throw new Error(`expected at most ${this.#most} bytes of files, got more`)
    const bytes = Buffer.alloc(entry.uncompressedSize)
    let at = 0
    // It ends with an error as soon as it is longer than it says.
    for await (const chunk of await this.#zip.openReadStreamPromise(entry)) at += (chunk as Buffer).copy(bytes, at)
    if (crc32(bytes) !== entry.crc32) throw new Error('its file in the archive is damaged')
    return bytes
  }

  close(): void {
    this.#zip.close()
  }
}

/** The folder of a scene file in an archive. */
export class ZipFolder implements SceneFolder {
  readonly #archive: ZipArchive
  readonly #folder: string

  /** @param name of the scene file */
  constructor(archive: ZipArchive, name: string) {
    this.#archive = archive
    this.#folder = posix.dirname(name)
  }

  async read(name: string, most: number): Promise<Uint8Array> {
    checkName(name)
    const inside = posix.normalize(name)
    if (inside === '..' || inside.startsWith('../')) throw new Error(OUTSIDE)
    return (await this.#archive.read(posix.join(this.#folder, inside))).subarray(0, most)
  }
}
