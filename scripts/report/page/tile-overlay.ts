/**
 * A frame with its tiles drawn over it: each tinted and framed in its worker's colour; rectangles with enough room are also
 * labelled with the worker and its CPU time. Borders are drawn inside their tile on whole pixels, so neighbours never
 * overlap. Tiles that are patterns appear as cells in their worker's colour, with edges between different workers.
 */
import sharp from 'sharp'
import { cssColor, type Rgb, workerColors } from '../../../shared/dashboard/worker-colors.ts'
import { forEachRun, type PixelSet } from '../../../shared/frame/pixel-set.ts'
import type { Rect } from '../../../shared/frame/rect.ts'
import { labelsSvg } from './overlay-labels.ts'

/** A frame to draw on. */
export interface Picture {
  /** RGB8, row-major from the top left; borrowed, not changed. Absent if nothing was rendered: a blank sheet. */
  readonly pixels?: Uint8Array
  readonly width: number
  readonly height: number
}

export interface OverlayTile extends PixelSet {
  /** Id of the worker that traced it. */
  readonly worker: string
  readonly cpuMs: number
}

export interface OverlayStyle {
  /** @default true */
  readonly labels?: boolean
  /** Opacity of colours over the image, 0 to 1. @default 0.2, or more on a blank sheet */
  readonly tint?: number
}

export interface OverlayWorker {
  readonly id: string
  readonly name: string
}

/**
 * PNG of a frame with its tiles, in the frame's size.
 *
 * @param workers in a fixed order, which gives each worker the same colour in every image
 */
export async function tileOverlay(
  picture: Picture,
  tiles: readonly OverlayTile[],
  workers: readonly OverlayWorker[],
  { labels = true, tint = picture.pixels ? 0.2 : 0.35 }: OverlayStyle = {},
): Promise<Buffer> {
  const { width, height } = picture
  const colors = workerColors([...workers.map(worker => worker.id), ...tiles.map(tile => tile.worker)])
  const names = new Map(workers.map(worker => [worker.id, worker.name]))
  const borderPx = borderFor(width, height)

  const canvas: Canvas = {
    width,
    height,
    pixels: Uint8Array.from(picture.pixels ?? new Uint8Array(width * height * 3).fill(BLANK)),
    tint,
  }
  const solid = tiles.filter(isRectangle)
  for (const tile of solid) paintRectangle(canvas, tile.rect, colors.get(tile.worker)!, borderPx)
  paintCells(canvas, tiles.filter(isCellular), colors)

  const drawn = labelsSvg(
    (labels ? solid : []).map(({ rect, worker, cpuMs }) => ({
      rect,
      name: names.get(worker) ?? worker,
      cpuMs,
      color: cssColor(colors.get(worker)!),
    })),
    width,
    height,
    borderPx,
  )
  const image = sharp(canvas.pixels, { raw: { width, height, channels: 3 } })
  if (drawn) image.composite([{ input: Buffer.from(drawn), left: 0, top: 0 }])
  return image.removeAlpha().png({ compressionLevel: 7 }).toBuffer()
}

interface Canvas {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
  readonly tint: number
}

const BLANK = 244

/** A complete rectangle, or one without the single pixels that were probed before, which belong to the probing workers. */
const isRectangle = ({ pattern }: OverlayTile): boolean => !pattern || pattern.kind === 'gaps'
const isCellular = ({ pattern }: OverlayTile): boolean => pattern?.kind === 'strided' || pattern?.kind === 'cells'

/** 2 px at 720p: thick enough to be visible at half size. */
const borderFor = (width: number, height: number): number => Math.max(1, Math.round(Math.min(width, height) / 300))

function paintRectangle(canvas: Canvas, rect: Rect, color: Rgb, borderPx: number): void {
  const { width, height, tint } = canvas
  // A border must not cover the tile: tiles a few pixels wide are only tinted.
  const border = Math.min(borderPx, Math.floor(Math.min(rect.w, rect.h) / 6))
  const inside = border === 0 ? 2 * tint : tint
  const [right, bottom] = [Math.min(width, rect.x + rect.w), Math.min(height, rect.y + rect.h)]
  for (let y = rect.y; y < bottom; y++) {
    const edgeRow = y < rect.y + border || y >= bottom - border
    for (let x = rect.x; x < right; x++) {
      const edge = edgeRow || x < rect.x + border || x >= right - border
      mix(canvas.pixels, y * width + x, color, edge ? 1 : inside)
    }
  }
}

function paintCells(canvas: Canvas, tiles: readonly OverlayTile[], colors: ReadonlyMap<string, Rgb>): void {
  const { pixels, width, height, tint } = canvas
  /** For each pixel, one more than the index of its tile. */
  const owners = new Uint32Array(width * height)
  for (const [index, tile] of tiles.entries())
    forEachRun(tile, (x, y, length) => owners.fill(index + 1, y * width + x, y * width + x + length))
  const styles = tiles.map(({ worker, pattern }) => {
    const cell = pattern && 'cellW' in pattern ? Math.min(pattern.cellW, pattern.cellH) : 0
    return { color: colors.get(worker)!, edged: cell >= 8 }
  })
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const style = styles[owners[at]! - 1]
      if (!style) continue
      const edge =
        style.edged && ((x > 0 && owners[at - 1] !== owners[at]) || (y > 0 && owners[at - width] !== owners[at]))
      mix(pixels, at, style.color, edge ? 0.85 : 1.9 * tint)
    }
  }
}

function mix(pixels: Uint8Array, pixel: number, color: Rgb, opacity: number): void {
  for (let channel = 0; channel < 3; channel++) {
    const at = pixel * 3 + channel
    pixels[at] = Math.round(pixels[at]! + (color[channel]! - pixels[at]!) * opacity)
  }
}
