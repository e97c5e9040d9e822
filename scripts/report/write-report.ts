/** Writes what a run leaves behind: numbers for programs, a page for people, and pictures of who traced what. */
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import type { Summary } from '../../shared/summary.ts'
import { writeWhole } from '../run/write-whole.ts'
import { provideFonts } from './fonts.ts'
import { frameTimesChart } from './frame-times.ts'
import { framesCsv } from './frames-csv.ts'
import { type ReportImage, reportHtml } from './report-html.ts'
import { tileFilm } from './tile-film.ts'
import { type OverlayTile, tileOverlay } from './tile-overlay.ts'
import { workerNames } from './worker-axis.ts'

/** A frame as it was rendered. */
export interface RenderedFrame {
  readonly strategy: string
  readonly frame: number
  /** RGB8, row-major, of the summary's size; borrowed. */
  readonly pixels: Uint8Array
}

export interface TiledFrame extends RenderedFrame {
  readonly tiles: readonly OverlayTile[]
}

export interface ReportData {
  readonly summary: Summary
  /** Frames to draw the tiles into; the page shows the last one of each strategy. */
  readonly tiled: readonly TiledFrame[]
  /** Frames in order to make a film of per strategy; fewer than two make none. @default none */
  readonly films?: readonly (readonly TiledFrame[])[]
  /** Frames to show as they are, such as the first and the last. @default none */
  readonly pictures?: readonly RenderedFrame[]
}

/**
 * Writes `summary.json`, `frames.csv`, `report.html`, `frame-times.png`, `<strategy>/tiles-NNNN.png` and `tiles.webp` into `folder`,
 * each whole or not at all.
 *
 * @returns the paths written
 */
export async function writeReport(
  folder: string,
  { summary, tiled, films = [], pictures = [] }: ReportData,
): Promise<string[]> {
  provideFonts(process.env)
  const written: string[] = []
  const write = async (name: string, data: string | Uint8Array): Promise<void> => {
    const path = join(folder, name)
    await writeWhole(path, data)
    written.push(path)
  }
  // Numbers first: should a picture fail, the run is not lost.
  await write('summary.json', `${JSON.stringify(summary, undefined, 1)}\n`)
  await write('frames.csv', framesCsv(summary))
  await write('frame-times.png', await chartPng(frameTimesChart(summary)))

  const [width, height] = summary.size
  const workers = [...workerNames(summary)].map(([id, name]) => ({ id, name }))
  const shown = new Map<string, ReportImage>()
  const strategies = new Set(tiled.map(frame => frame.strategy)).size
  for (const { strategy, frame, pixels, tiles } of tiled) {
    const png = await tileOverlay({ pixels, width, height }, tiles, workers)
    await write(join(folderName(strategy), `tiles-${String(frame).padStart(4, '0')}.png`), png)
    shown.set(strategy, { strategy, frame, dataUri: await embedded(sharp(png), strategies > 4 ? 800 : 1280) })
  }
  const moving: ReportImage[] = []
  for (const frames of films) {
    const [first] = frames
    if (!first || frames.length < 2) continue
    const { strategy, frame } = first
    const webp = await tileFilm(
      frames.map(({ pixels, tiles }) => ({ pixels, width, height, tiles })),
      workers,
    )
    await write(join(folderName(strategy), 'tiles.webp'), webp)
    moving.push({ strategy, frame, dataUri: `data:image/webp;base64,${webp.toString('base64')}` })
  }
  const images: ReportImage[] = []
  for (const { strategy, frame, pixels } of pictures) {
    images.push({
      strategy,
      frame,
      dataUri: await embedded(sharp(pixels, { raw: { width, height, channels: 3 } }), 960),
    })
  }
  await write('report.html', reportHtml(summary, { tiles: [...shown.values()], films: moving, pictures: images }))
  return written
}

/** PNG of a chart at twice its size, for slides and print. */
export const chartPng = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg), { density: 144 }).flatten({ background: 'white' }).png({ compressionLevel: 9 }).toBuffer()

/** A strategy's folder inside the report's: its name, as far as it can be one. */
export function folderName(strategy: string): string {
  const plain = strategy.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^\.+/, '')
  return plain === '' ? 'strategy' : plain
}

/** Data URI of a picture at most `maxWidth` px wide; colour at full resolution, because tile borders are thin. */
async function embedded(image: Sharp, maxWidth: number): Promise<string> {
  const jpeg = await image
    .resize({ width: maxWidth, withoutEnlargement: true })
    .jpeg({ quality: 86, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}
