/** Pictures of textures: PNG, JPEG, WebP and the other formats of `picture-format.ts`, to RGBA bytes. */
import sharp from 'sharp'
import { messageOf } from '../../../shared/errors.ts'
import { MAX_TEXTURE_SIDE, TEXEL_BYTES } from '../../../shared/scene/texture.ts'
import { formatOf } from './picture-format.ts'

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
 * Rejects with what is wrong with what is not a whole picture, or too large a one.
 * @param reserve is told the bytes of the pixels before any is decoded, and throws if there is no room for them
 */
export async function decodePicture(bytes: Uint8Array, reserve: (bytes: number) => void): Promise<Picture> {
  const format = formatOf(bytes)
  const whole = <T>(decoding: Promise<T>): Promise<T> =>
    decoding.catch((cause: unknown) => {
      throw new Error(`its ${format} data is damaged${reasonIn(messageOf(cause))}`, { cause })
    })
  // Of the header alone: a small file may claim a large size.
  const { width, height } = await whole(sharp(bytes, { limitInputPixels: false }).metadata())
  if (Math.max(width, height) > MAX_TEXTURE_SIDE)
    throw new Error(`expected at most ${MAX_TEXTURE_SIDE} px a side, got ${width} × ${height}`)
  reserve(width * height * TEXEL_BYTES)
  const picture = sharp(bytes, { limitInputPixels: MAX_TEXTURE_SIDE ** 2, failOn: 'error', ignoreIcc: true })
  const pixels = picture.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { data, info } = await whole(pixels)
  return { data: new Uint8Array(data.buffer, data.byteOffset, data.length), width: info.width, height: info.height }
}

/** The decoder's first words, without its own names and bare numbers. */
function reasonIn(message: string): string {
  const reason = message.split('\n')[0]!.replace(/^(Input buffer has corrupt header(: )?)?(\w+: )*/, '')
  return /[a-z]{3}/i.test(reason) ? `: ${reason}` : ''
}
