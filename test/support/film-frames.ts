/** Frames of a film as PNG files, each of one colour of its own. */
import { join } from 'node:path'
import sharp from 'sharp'
import { frameFile } from '../../scripts/files/frame-names.ts'
import type { FilmFrames } from '../../scripts/film/frame-pictures.ts'
import type { Size } from '../../shared/frame/rect.ts'

/** sRGB of a frame. */
export const colorOf = (frame: number): readonly [number, number, number] => [40 + frame * 20, 120, 200 - frame * 10]

/** Writes them into an existing folder. @param alpha of all pixels, 0 to 1; absent: the files have none */
export async function filmFrames(
  folder: string,
  frames: number,
  size: Size,
  { firstFrame = 0, alpha }: { firstFrame?: number; alpha?: number } = {},
): Promise<FilmFrames> {
  const [width, height] = size
  for (let frame = firstFrame; frame < firstFrame + frames; frame++) {
    const [r, g, b] = colorOf(frame)
    const background = alpha === undefined ? { r, g, b } : { r, g, b, alpha }
    await sharp({ create: { width, height, channels: alpha === undefined ? 3 : 4, background } })
      .png()
      .toFile(join(folder, frameFile(frame)))
  }
  return { folder, firstFrame, frames, size }
}
