/**
 * A frame with its tiles drawn in: each tinted and framed in its worker's colour and labelled with the worker and the
 * CPU time it took. Borders are drawn inside their tile on whole pixels, so neighbours never cover each other.
 */
import sharp from 'sharp'
import type { Rect } from '../../shared/rect.ts'
import { labelsSvg } from './overlay-labels.ts'
import { cssColor, type Rgb, workerColors } from './worker-colors.ts'

/** RGB8 pixels, row-major from the top left; borrowed, not changed. */
export interface Picture {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

export interface OverlayTile {
  readonly rect: Rect
  /** Id of the worker that traced it. */
  readonly worker: string
  readonly cpuMs: number
}

export interface OverlayWorker {
  readonly id: string
  readonly name: string
}

/**
 * PNG of a frame with its tiles, as large as the frame.
 *
 * @param workers in a fixed order: it is what gives a worker the same colour in every picture
 */
export async function tileOverlay(
  picture: Picture,
  tiles: readonly OverlayTile[],
  workers: readonly OverlayWorker[],
): Promise<Buffer> {
  const { width, height } = picture
  const colors = workerColors([...workers.map(worker => worker.id), ...tiles.map(tile => tile.worker)])
  const names = new Map(workers.map(worker => [worker.id, worker.name]))
  const borderPx = borderFor(width, height)

  const pixels = Uint8Array.from(picture.pixels)
  for (const tile of tiles) paint(pixels, picture, tile.rect, colors.get(tile.worker)!, borderPx)

  const labels = labelsSvg(
    tiles.map(({ rect, worker, cpuMs }) => ({
      rect,
      name: names.get(worker) ?? worker,
      cpuMs,
      color: cssColor(colors.get(worker)!),
    })),
    width,
    height,
    borderPx,
  )
  const image = sharp(pixels, { raw: { width, height, channels: 3 } })
  if (labels) image.composite([{ input: Buffer.from(labels), left: 0, top: 0 }])
  return image.removeAlpha().png({ compressionLevel: 7 }).toBuffer()
}

const TINT = 0.2

/** 2 px at 720p: thick enough to survive being shown at half size. */
const borderFor = (width: number, height: number): number => Math.max(1, Math.round(Math.min(width, height) / 300))

function paint(pixels: Uint8Array, { width, height }: Picture, rect: Rect, color: Rgb, borderPx: number): void {
  // A border must not eat the tile: of a tile a few pixels wide only the tint is left.
  const border = Math.min(borderPx, Math.floor(Math.min(rect.w, rect.h) / 6))
  const [right, bottom] = [Math.min(width, rect.x + rect.w), Math.min(height, rect.y + rect.h)]
  for (let y = rect.y; y < bottom; y++) {
    const edgeRow = y < rect.y + border || y >= bottom - border
    for (let x = rect.x; x < right; x++) {
      const opacity = edgeRow || x < rect.x + border || x >= right - border ? 1 : border === 0 ? 2 * TINT : TINT
      const at = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel++) {
        const before = pixels[at + channel]!
        pixels[at + channel] = Math.round(before + (color[channel]! - before) * opacity)
      }
    }
  }
}
