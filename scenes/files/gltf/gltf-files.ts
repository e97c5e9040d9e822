/** The buffers and pictures of a glTF file: its own chunk, data URIs, and files in its folder. */
import { messageOf } from '../../../shared/errors.ts'
import { printable } from '../../../shared/text/printable.ts'
import { BadMeshError, TruncatedMeshError } from '../../errors.ts'
import { MOST_FILE_BYTES, type SceneFolder } from '../folders/scene-folder.ts'
import type { GltfFile } from './gltf-container.ts'

/** Most bytes of all buffers: as many as a kernel's memory has. Several may be the same file. */
const MOST_BYTES = 2 ** 32

/** Buffers by number, each read when it is first asked for. */
export class GltfBuffers {
  readonly #file: GltfFile
  readonly #path: string
  readonly #folder: SceneFolder
  readonly #known = new Map<number, Promise<Uint8Array>>()
  #bytes = 0

  /** @param path of the glTF file, for messages */
  constructor(file: GltfFile, path: string, folder: SceneFolder) {
    this.#file = file
    this.#path = path
    this.#folder = folder
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
    this.#bytes += bytes?.length ?? 0
    if (this.#bytes > MOST_BYTES)
      throw new BadMeshError(this.#path, `buffer ${number}: expected at most ${MOST_BYTES} bytes of buffers in all`)
    if (!bytes) throw new BadMeshError(this.#path, `buffer ${number}: expected a file or a binary chunk with its bytes`)
    if (bytes.length < byteLength)
      throw new TruncatedMeshError(this.#path, `${byteLength} bytes in buffer ${number}`, `got ${bytes.length}`)
    return bytes.subarray(0, byteLength)
  }

  /** The bytes of a picture beside the file or in a data URI. Rejects with BadMeshError. */
  async picture(uri: string | undefined, number: number): Promise<Uint8Array> {
    const what = `image ${number}`
    if (uri === undefined) throw new BadMeshError(this.#path, `${what}: expected a file or a buffer view with it`)
    return uri.startsWith('data:') ? this.#decode(uri, what) : this.#beside(uri, MOST_FILE_BYTES, what)
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
    try {
      if (SCHEME.test(uri)) throw new Error('expected a file in the folder of the scene, because nothing is fetched')
      return await this.#folder.read(this.#plain(uri, what), most)
    } catch (error) {
      if (error instanceof BadMeshError) throw error
      const problem = messageOf(error)
      // Of a file that is there, it says already what it is.
      const named = problem.includes(', got ') ? ' in place of' : ', got'
      throw new BadMeshError(this.#path, `${what}: ${problem}${named} '${shortened(uri)}'`, { cause: error })
    }
  }
}

/** Also the drive of a Windows path. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** For messages. */
export const shortened = (text: string): string => printable(text.length > 80 ? `${text.slice(0, 80)}…` : text)
