/**
 * Pictures of a glTF file's textures, decoded: in its chunk, in data URIs, or in files of its folder. One that is missing or cannot be
 * decoded is white, so that the material's plain colour shows, and is told once.
 */
import { Texture, TextureSource } from 'three'
import { messageOf } from '../../../shared/errors.ts'
import { FewAtOnce } from '../folders/few-at-once.ts'
import { type Picture, WHITE } from '../pictures/picture.ts'
import { PictureDecoder } from '../pictures/picture-decoder.ts'
import type { GltfAccessors } from './gltf-accessors.ts'
import { type GltfBuffers, shortened } from './gltf-files.ts'
import type { Gltf } from './gltf-schema.ts'

/** As many threads decode. The bytes of a picture that is not decoded yet take memory, too. */
const MOST_AT_ONCE = 4

export class GltfImages {
  readonly #document: Gltf
  readonly #accessors: GltfAccessors
  readonly #buffers: GltfBuffers
  readonly #path: string
  readonly #pictures: PictureDecoder
  readonly #turns = new FewAtOnce(MOST_AT_ONCE)
  readonly #sources = new Map<number, Promise<TextureSource<Picture>>>()
  readonly #problems = new Map<number, string>()

  /** @param path of the file, which readers put before what they say @param most bytes of all pictures together */
  constructor(document: Gltf, accessors: GltfAccessors, buffers: GltfBuffers, path: string, most?: number) {
    this.#path = path
    this.#document = document
    this.#accessors = accessors
    this.#buffers = buffers
    this.#pictures = new PictureDecoder(most)
  }

  /** One sentence for each picture that is not shown, in the order of the file. */
  get problems(): string[] {
    return [...this.#problems].sort(([a], [b]) => a - b).map(([, problem]) => problem)
  }

  /** How many pictures were decoded, and their bytes. */
  get decoded(): { readonly count: number; readonly bytes: number } {
    return this.#pictures.decoded
  }

  /** A texture with the picture; textures of one picture share it. */
  async textureOf(number: number): Promise<Texture> {
    const known = this.#sources.get(number) ?? this.#load(number).then(picture => new TextureSource(picture))
    this.#sources.set(number, known)
    const texture = new Texture()
    texture.source = await known
    texture.userData.missing = texture.source.data === WHITE
    return texture
  }

  async #load(number: number): Promise<Picture> {
    const image = this.#document.images[number]
    try {
      return await this.#turns.run(async () => {
        const bytes =
          image?.bufferView !== undefined
            ? await this.#accessors.view(image.bufferView)
            : await this.#buffers.picture(image?.uri, number)
        return this.#pictures.decode(bytes)
      })
    } catch (error) {
      const name = image?.name || (image?.uri?.startsWith('data:') ? undefined : image?.uri)
      const which = name ? `image ${number} ('${shortened(name)}')` : `image ${number}`
      const why = messageOf(error).split('\n')[0]!.replace(`${this.#path}: `, '').replace(`image ${number}: `, '')
      this.#problems.set(number, `${which} is shown white: ${why}`)
      return WHITE
    }
  }
}
