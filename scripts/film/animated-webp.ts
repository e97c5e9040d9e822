/** Films as animated WebP: every browser shows them without a player, and this package needs no other program for them. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { FILM_FILES, frameFile } from '../files/frame-names.ts'
import { FilmError } from './film-error.ts'
import { type FilmFrames, inOrder, picture } from './frame-pictures.ts'
import { fileHeader, frameChunk, LENGTH_AT, lengthField, MAX_WEBP_BYTES } from './webp-container.ts'

/** Frames that are encoded at the same time. */
const AT_ONCE = 4

/**
 * Writes an animated WebP in an endless loop, each frame compressed by itself. Transparent frames stay so.
 * @throws FilmError, errors of the file system, the reason of `signal`
 */
export async function writeAnimatedWebp(
  film: FilmFrames,
  fps: number,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const { size } = film
  const file = await open(path, 'w')
  try {
    let bytes = 0
    const add = async (more: Buffer) => {
      bytes += more.length
      if (bytes > MAX_WEBP_BYTES)
        throw new FilmError(FILM, 'less than 4 GiB', 'more', 'use --output mp4, or fewer or smaller frames')
      await file.writeFile(more)
    }
    for await (const { webp, hasAlpha, frame } of inOrder(film, AT_ONCE, frame => encode(film, frame))) {
      signal.throwIfAborted()
      if (bytes === 0) await add(fileHeader(size, hasAlpha))
      await add(frameChunk(webp, size, delayOf(frame - film.firstFrame, fps)))
    }
    await file.write(lengthField(bytes), 0, undefined, LENGTH_AT)
  } finally {
    await file.close()
  }
}

const FILM = FILM_FILES['animated-webp']

const encode = (film: FilmFrames, frame: number) =>
  picture(join(film.folder, frameFile(frame)), film.size, FILM, async bytes => {
    const { hasAlpha } = await sharp(bytes).metadata()
    return { frame, hasAlpha, webp: await sharp(bytes).webp({ quality: 90, effort: 4 }).toBuffer() }
  })

/** How long a frame of the film is shown, whole ms: rounded so that later frames are at their time. */
export const delayOf = (index: number, fps: number): number =>
  Math.round(((index + 1) * 1000) / fps) - Math.round((index * 1000) / fps)
