/** Decodes the pictures of one scene, in whatever form each is, within the memory that there is for all of them. */
import { isKtx2, Ktx2Decoder } from './ktx2.ts'
import type { Picture } from './picture.ts'

/** Most bytes of all pictures of a scene: as many as one that fits into a kernel's memory has. */
const MOST_BYTES = 2 ** 31

export class PictureDecoder {
  readonly #most: number
  readonly #ktx2 = new Ktx2Decoder()
  #count = 0
  #bytes = 0

  /** @param most bytes of all pictures together */
  constructor(most = MOST_BYTES) {
    this.#most = most
  }

  /** How many pictures were decoded, and their bytes. */
  get decoded(): { readonly count: number; readonly bytes: number } {
    return { count: this.#count, bytes: this.#bytes }
  }

  /** Rejects with what is wrong with a picture that is damaged, too large, or one too many. */
  async decode(bytes: Uint8Array): Promise<Picture> {
    const reserve = (size: number) => this.reserve(size)
    const picture = await (isKtx2(bytes) ? this.#ktx2.decode(bytes, reserve) : decoded(bytes, reserve))
    this.#count++
    return picture
  }

  /**
   * Takes memory for what is made of a picture. Pictures are decoded side by side: what one will need is taken before the next is
   * looked at.
   * @throws Error if there is not as much
   */
  reserve(bytes: number): void {
    if (this.#bytes + bytes > this.#most) throw new Error('the pictures of the scene need more memory than there is')
    this.#bytes += bytes
  }
}

/** The image library is loaded when it is needed: most meshes have no pictures. */
async function decoded(bytes: Uint8Array, reserve: (bytes: number) => void): Promise<Picture> {
  const { decodePicture } = await import('./picture.ts')
  return decodePicture(bytes, reserve)
}
