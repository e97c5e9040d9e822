/** Pictures of textures: PNG, JPEG, WebP and what else the image library decodes, to RGBA bytes. */
import sharp from 'sharp'
import { MAX_TEXTURE_SIDE, TEXEL_BYTES } from '../../shared/scene/texture.ts'

export interface Picture {
  /** RGBA8, by rows from the top. */
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** White, so that the material's plain colour shows: stands for a picture that cannot be had. */
export const WHITE: Picture = { data: Uint8Array.of(255, 255, 255, 255), width: 1, height: 1 }

/**
 * The bytes as they stand, whatever colour profile the file names: a scene says itself what its textures mean.
 * Rejects with the decoder's words for what is not a whole picture, or too large a one.
 * @param reserve is told the bytes of the pixels before any is decoded, and throws if there is no room for them
 */
export async function decodePicture(bytes: Uint8Array, reserve: (bytes: number) => void): Promise<Picture> {
  const picture = sharp(bytes, { limitInputPixels: MAX_TEXTURE_SIDE ** 2, failOn: 'error', ignoreIcc: true })
  const { width, height } = await picture.metadata()
  // Before a pixel is decoded: a small file may claim a large size.
  if (Math.max(width, height) > MAX_TEXTURE_SIDE)
    throw new Error(`expected at most ${MAX_TEXTURE_SIDE} px a side, got ${width} × ${height}`)
  reserve(width * height * TEXEL_BYTES)
  const { data, info } = await picture.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data.buffer, data.byteOffset, data.length), width: info.width, height: info.height }
}
