/** The frames of a film, read from their PNG files. */
import { join } from 'node:path'
import sharp from 'sharp'
import { messageOf } from '../../shared/errors.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { readRegular } from '../../shared/node/regular-file.ts'
import { frameFile } from '../files/frame-names.ts'
import { FilmError } from './film-error.ts'

export interface FilmFrames {
  /** Folder of the files. */
  readonly folder: string
  readonly firstFrame: number
  /** Number of frames. */
  readonly frames: number
  /** px */
  readonly size: Size
}

/** Size of frames whose sides are made even. */
export const evenSize = ([width, height]: Size): Size => [width + (width % 2), height + (height % 2)]

/** Frames that are read ahead for ffmpeg, which takes them one by one. */
const AHEAD = 2

/**
 * RGB8 of each frame, in order, transparent ones on black. An odd width or height gets a copy of its last column or row.
 * @param file name of the film, for errors
 * @throws FilmError
 */
export const evenPictures = (film: FilmFrames, file: string): AsyncGenerator<Uint8Array> =>
  inOrder(film, AHEAD, frame => evenPicture(join(film.folder, frameFile(frame)), film.size, file))

/** What `made` makes of each frame, in order, of `atOnce` frames at the same time. */
export async function* inOrder<T>(
  { firstFrame, frames }: Pick<FilmFrames, 'firstFrame' | 'frames'>,
  atOnce: number,
  made: (frame: number) => Promise<T>,
): AsyncGenerator<T> {
  const end = firstFrame + frames
  const pending: Promise<T>[] = []
  for (let frame = firstFrame; frame < end || pending.length > 0; ) {
    while (frame < end && pending.length < atOnce) {
      const making = made(frame++)
      // Thrown in its turn, if that comes.
      making.catch(() => {})
      pending.push(making)
    }
    yield await pending.shift()!
  }
}

async function evenPicture(path: string, [width, height]: Size, file: string): Promise<Uint8Array> {
  return picture(path, [width, height], file, async bytes =>
    sharp(bytes)
      .flatten({ background: '#000' })
      .extend({ right: width % 2, bottom: height % 2, extendWith: 'copy' })
      .toColourspace('srgb')
      .raw()
      .toBuffer(),
  )
}

/**
 * What `made` makes of the PNG file of a frame.
 * @throws FilmError if it is missing or damaged
 */
export async function picture<T>(
  path: string,
  size: Size,
  file: string,
  made: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const refuse = (got: string) =>
    new FilmError(
      file,
      `${path} to be a PNG of ${size.join('x')} px`,
      got,
      'remove it, and use the same command with --resume',
    )
  try {
    const bytes = await readRegular(path)
    const { width, height } = await sharp(bytes).metadata()
    if (width !== size[0] || height !== size[1]) throw refuse(`${width}x${height} px`)
    return await made(bytes)
  } catch (error) {
    throw error instanceof FilmError ? error : refuse(messageOf(error).split('\n')[0]!)
  }
}
