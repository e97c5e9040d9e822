/**
 * The tiles of a run as a short film, because balancing is easiest to see in motion. An animated WebP, which browsers show
 * without a player.
 */
import sharp from 'sharp'
import { type OverlayTile, type OverlayWorker, type Picture, tileOverlay } from './tile-overlay.ts'

/** One frame of the film: a rendered frame and its tiles. */
export interface FilmFrame extends Picture {
  readonly tiles: readonly OverlayTile[]
}

/** Later frames are left out: the film is an illustration. */
export const MAX_FILM_FRAMES = 40

const WIDTH_PX = 640
const FRAME_MS = 300

/** An animated WebP of at least two frames of one size, at most 640 px wide, in an endless loop. */
export async function tileFilm(frames: readonly FilmFrame[], workers: readonly OverlayWorker[]): Promise<Buffer> {
  const pictures: Buffer[] = []
  for (const frame of frames.slice(0, MAX_FILM_FRAMES)) {
    const overlay = await tileOverlay(frame, frame.tiles, workers)
    pictures.push(
      await sharp(overlay)
        .resize({ width: WIDTH_PX, withoutEnlargement: true })
        .png({ compressionLevel: 1 })
        .toBuffer(),
    )
  }
  return sharp(pictures, { join: { animated: true } })
    .webp({ quality: 78, effort: 2, delay: pictures.map(() => FRAME_MS), loop: 0 })
    .toBuffer()
}
