/** Writes the results of a run: numbers for programs, a page for people, and images of the tiles. */
import sharp, { type Sharp } from 'sharp'
import type { RunFrames } from '../../shared/dashboard/report-frames.ts'
import type { Summary } from '../../shared/frame/summary.ts'
import { frameFile } from '../files/frame-names.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import type { WrittenData } from '../files/write-whole.ts'
import { provideFonts } from './charts/fonts.ts'
import { frameTimesChart } from './charts/frame-times.ts'
import { workerNames } from './charts/worker-axis.ts'
import { baselineOf, byMeanTime } from './figures/headline.ts'
import { summaryJson } from './figures/summary-json.ts'
import { dashboardProgram } from './page/report-dashboard.ts'
import { reportHtml } from './page/report-html.ts'
import { MAX_LARGE_PICTURES, type ReportImage } from './page/report-pictures.ts'
import { tileFilm } from './page/tile-film.ts'
import { type OverlayTile, type Picture, tileOverlay } from './page/tile-overlay.ts'
import { framesCsv } from './tables/frames-csv.ts'

/** A frame as rendered. */
export interface RenderedFrame {
  readonly strategy: string
  readonly frame: number
  /** RGB8, row-major, of the summary's size; borrowed. */
  readonly pixels: Uint8Array
}

/** The tiles of a frame. Without pixels they are drawn on a blank sheet. */
export interface TiledFrame extends Omit<RenderedFrame, 'pixels'> {
  readonly pixels?: Uint8Array
  readonly tiles: readonly OverlayTile[]
}

export interface ReportData {
  readonly summary: Summary
  /** Frames to draw with tiles; the page shows the last one of each strategy. */
  readonly tiled: readonly TiledFrame[]
  /** Frames of each strategy, to look into. @default none */
  readonly runs?: readonly RunFrames[]
  /**
   * Frames of a film per strategy, in order; at least two are needed. With many strategies only the baseline and the fastest
   * get a film, because one is as large as the rest of the page. @default none
   */
  readonly films?: readonly (readonly TiledFrame[])[]
  /** Frames to show unmodified, such as the first and the last. @default none */
  readonly pictures?: readonly RenderedFrame[]
}

/**
 * Writes `summary.json`, `frames.csv`, `report.html`, `frame-times.png`, `<strategy>/tiles-NNNN.png` and `tiles.webp` to
 * `folder`, each whole or not at all.
 *
 * @returns the paths written
 * @throws OutputError
 */
export async function writeReport(
  folder: OutputFolder,
  { summary, tiled, runs = [], films = [], pictures = [] }: ReportData,
): Promise<string[]> {
  provideFonts(process.env)
  const written: string[] = []
  const write = async (name: string, data: WrittenData, place = folder): Promise<void> => {
    written.push(await place.write(name, data))
  }
  // Numbers first: if an image fails, the run is not lost.
  await write('summary.json', summaryJson(summary))
  await write('frames.csv', framesCsv(summary))
  await write('frame-times.png', await chartPng(frameTimesChart(summary)))

  const [width, height] = summary.size
  const sheet = ({ pixels }: TiledFrame): Picture => ({ ...(pixels ? { pixels } : {}), width, height })
  const workers = [...workerNames(summary)].map(([id, name]) => ({ id, name }))
  const shown = new Map<string, ReportImage>()
  const strategies = new Set(tiled.map(frame => frame.strategy)).size
  for (const each of tiled) {
    const { strategy, frame, tiles } = each
    const png = await tileOverlay(sheet(each), tiles, workers)
    await write(`tiles-${frameFile(frame)}`, png, await folder.below(folderName(strategy)))
    // On a page with many, they are small: labels would be unreadable, and colours need to be stronger.
    const small = strategies > MAX_LARGE_PICTURES
    const seen = small ? await tileOverlay(sheet(each), tiles, workers, { labels: false, tint: 0.36 }) : png
    shown.set(strategy, { strategy, frame, dataUri: await embedded(sharp(seen), small ? 640 : 1280) })
  }
  const moving: ReportImage[] = []
  const stars = filmStars(summary)
  for (const frames of films) {
    const [first] = frames
    if (!first || frames.length < 2 || !stars.has(first.strategy)) continue
    const { strategy, frame } = first
    const webp = await tileFilm(
      frames.map(each => ({ ...sheet(each), tiles: each.tiles })),
      workers,
    )
    await write('tiles.webp', webp, await folder.below(folderName(strategy)))
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
  const extras = { tiles: [...shown.values()], films: moving, pictures: images, runs }
  const small = await smallPictures(runs, [...films.flat(), ...tiled], sheet)
  const dashboard = runs.length > 0 ? { dashboard: { ...dashboardProgram(), pictures: small } } : {}
  await write('report.html', reportHtml(summary, { ...extras, ...dashboard }))
  return written
}

/** Pictures under the dashboard's maps of tiles: for all frames that are at hand, as long as there is room. */
const SMALL_PX = 400
const MOST_SMALL_BYTES = 320_000

async function smallPictures(
  runs: readonly RunFrames[],
  frames: readonly TiledFrame[],
  sheet: (frame: TiledFrame) => Picture,
): Promise<ReportImage[]> {
  const wanted = new Set(runs.flatMap(run => run.frames.map(({ frame }) => frame)))
  const made: ReportImage[] = []
  let bytes = 0
  for (const each of frames) {
    const { pixels, width, height } = sheet(each)
    // All strategies make the same picture of a frame.
    if (!pixels || !wanted.delete(each.frame)) continue
    const webp = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .resize({ width: SMALL_PX, withoutEnlargement: true })
      .webp({ quality: 50, effort: 2 })
      .toBuffer()
    bytes += webp.length
    if (bytes > MOST_SMALL_BYTES) break
    made.push({
      strategy: each.strategy,
      frame: each.frame,
      dataUri: `data:image/webp;base64,${webp.toString('base64')}`,
    })
  }
  return made
}

const MAX_FILMS = 4

/** Strategies with a film on the page: all if few, else the baseline and the fastest. */
export function filmStars(summary: Summary): ReadonlySet<string> {
  const baseline = baselineOf(summary)
  const others = summary.strategies.filter(strategy => strategy !== baseline)
  const fastest = byMeanTime(others).slice(0, MAX_FILMS - 1)
  return new Set([baseline, ...fastest].map(strategy => strategy.name))
}

/** PNG of a chart at twice its size, for slides and print. */
export const chartPng = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg), { density: 144 }).flatten({ background: 'white' }).png({ compressionLevel: 9 }).toBuffer()

/** A strategy's subfolder of the report: its name, made safe for a path. */
export function folderName(strategy: string): string {
  const plain = strategy.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^\.+/, '')
  return plain === '' ? 'strategy' : plain
}

/** Data URI of an image at most `maxWidth` px wide; chroma at full resolution, because tile borders are thin. */
async function embedded(image: Sharp, maxWidth: number): Promise<string> {
  const jpeg = await image
    .resize({ width: maxWidth, withoutEnlargement: true })
    .jpeg({ quality: 86, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}
