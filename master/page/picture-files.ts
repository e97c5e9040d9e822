/** Pictures as files that every browser reads, encoded in threads of the system's pool: the event loop of a master has other things to do. */
import type { Size } from '../../shared/frame/rect.ts'

export type EncodePicture = (pixels: Uint8Array, size: Size, how: PictureCoding) => Promise<Uint8Array>

/** Coarse and small while the view moves; better for a preview; without loss when it is finished. */
export type PictureCoding = 'moving' | 'preview' | 'finished'

/** Of 1280 × 720: 7 to 11 ms and 69 KiB; 16 to 21 ms and some 150 KiB. */
const JPEG = {
  moving: { quality: 55, chromaSubsampling: '4:2:0' },
  preview: { quality: 85, chromaSubsampling: '4:4:4' },
} as const
/** Stronger compression takes several times as long for a tenth of the bytes. */
const PNG = { compressionLevel: 4 } as const

/** The encoder is loaded when the first picture is encoded: most masters show none. */
export const encodePicture: EncodePicture = async (pixels, [width, height], how) => {
  const { default: sharp } = await import('sharp')
  const raw = sharp(pixels, { raw: { width, height, channels: 3 } })
  return how === 'finished' ? raw.png(PNG).toBuffer() : raw.jpeg(JPEG[how]).toBuffer()
}
