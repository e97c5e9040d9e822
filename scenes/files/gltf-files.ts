/** The buffers and pictures of a glTF file: its own chunk, data URIs, and files in its folder or below. Nothing else is read, and nothing fetched. */
import { open, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { messageOf } from '../../shared/errors.ts'
import { printable } from '../../shared/printable.ts'
import { BadMeshError, TruncatedMeshError } from '../errors.ts'
import type { GltfFile } from './gltf-container.ts'

/** Buffers by number, each read when it is first asked for. */
export class GltfBuffers {
  readonly #file: GltfFile
  readonly #path: string
  readonly #asked: string[]
  readonly #known = new Map<number, Promise<Uint8Array>>()

  /** @param path of the glTF file; files that are read beside it are appended to `asked` */
  constructor(file: GltfFile, path: string, asked: string[]) {
    this.#file = file
    this.#path = path
    this.#asked = asked
  }

  /** As many bytes as the document says. Rejects with BadMeshError or TruncatedMeshError. */
  read(number: number): Promise<Uint8Array> {
    const known = this.#known.get(number) ?? this.#load(number)
    this.#known.set(number, known)
    return known
  }

  async #load(number: number): Promise<Uint8Array> {
    const { uri, byteLength } = this.#file.document.buffers[number]!
    const { body } = this.#file
    const bytes =
      uri === undefined
        ? number === 0
          ? body
          : undefined
        : uri.startsWith('data:')
          ? this.#decode(uri, `buffer ${number}`)
          : await this.#beside(uri, byteLength, `buffer ${number}`)
    if (!bytes) throw new BadMeshError(this.#path, `buffer ${number}: expected a file or a binary chunk with its bytes`)
    if (bytes.length < byteLength)
      throw new TruncatedMeshError(this.#path, `${byteLength} bytes in buffer ${number}`, `got ${bytes.length}`)
    return bytes.subarray(0, byteLength)
  }

  /** The bytes of a picture beside the file or in a data URI. Rejects with BadMeshError. */
  async picture(uri: string | undefined, number: number): Promise<Uint8Array> {
    const what = `image ${number}`
    if (uri === undefined) throw new BadMeshError(this.#path, `${what}: expected a file or a buffer view with it`)
    return uri.startsWith('data:') ? this.#decode(uri, what) : this.#beside(uri, MOST_PICTURE_BYTES, what)
  }

  #decode(uri: string, what: string): Uint8Array {
    const comma = uri.indexOf(',')
    if (comma < 0) throw new BadMeshError(this.#path, `${what}: expected a comma in its data URI`)
    const data = uri.slice(comma + 1)
    return /;base64$/i.test(uri.slice(0, comma)) ? Buffer.from(data, 'base64') : Buffer.from(this.#plain(data, what))
  }

  #plain(text: string, what: string): string {
    try {
      return decodeURIComponent(text)
    } catch {
      throw new BadMeshError(this.#path, `${what}: expected a URI, got '${shortened(text)}'`)
    }
  }

  async #beside(uri: string, most: number, what: string): Promise<Uint8Array> {
    const refuse = (why: string, cause?: unknown) =>
      new BadMeshError(this.#path, `${what}: ${why}, got '${shortened(uri)}'`, { cause })
    if (SCHEME.test(uri) || uri.startsWith('//'))
      throw refuse('expected a file in the folder of the scene, because nothing is fetched')
    const name = this.#plain(uri, what)
    const folder = dirname(resolve(this.#path))
    const place = resolve(folder, name)
    if (name.includes('\0') || isAbsolute(name) || !isWithin(folder, place))
      throw refuse('expected a file in the folder of the scene')
    this.#asked.push(place)
    // A link may lead out of the folder.
    const real = await realpath(place).catch((error: unknown) => {
      throw refuse('its file was not found', error)
    })
    if (!isWithin(await realpath(folder), real))
      throw refuse('expected a file in the folder of the scene, not a link out of it')
    return readPart(real, most).catch((error: unknown) => {
      throw new BadMeshError(this.#path, `${what}: '${shortened(uri)}' cannot be read: ${messageOf(error)}`, {
        cause: error,
      })
    })
  }
}

/** A picture that is larger as a file is not read whole, and so not decoded. */
const MOST_PICTURE_BYTES = 2 ** 29

/** Also the drive of a Windows path. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** For messages. */
const shortened = (text: string): string => printable(text.length > 80 ? `${text.slice(0, 80)}…` : text)

function isWithin(folder: string, place: string): boolean {
  const inside = relative(folder, place)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

/** The beginning of a regular file: at most `most` bytes. */
async function readPart(path: string, most: number): Promise<Uint8Array> {
  // Before it is opened: that would wait for the other end of a pipe.
  const found = await stat(path)
  if (!found.isFile()) throw new Error('expected a regular file')
  const file = await open(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.min(found.size, most))
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, Math.min(bytes.length - at, STEP), at)
      if (bytesRead === 0) return bytes.subarray(0, at)
      at += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

/** Bytes per read: the system limits them. */
const STEP = 1 << 30
