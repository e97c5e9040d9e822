/** One strategy's frames in one round: rendered, written as PNG, and reduced to the data for the report. */
import type { PlugIns } from '../../master/sessions/methods.ts'
import type { RunFrames } from '../../shared/dashboard/report-frames.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { HostLoad } from '../../shared/time/host-load.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import { FrameWriter } from '../film/frame-writer.ts'
import type { Cluster } from '../library/cluster.ts'
import { FrameNumbers } from '../options/frame-numbers.ts'
import type { RunOptions } from '../options/run.ts'
import { type Recorder, recordLive } from '../recording/record.ts'
import { KeptFrames } from '../report/figures/kept-frames.ts'
import { bytesFor, FramesToShow } from '../report/figures/run-frames.ts'
import type { SameWorkers } from '../report/figures/same-workers.ts'
import { MAX_FILM_FRAMES } from '../report/page/tile-film.ts'
import { folderName, type RenderedFrame, type TiledFrame } from '../report/write-report.ts'
import { watchHost } from '../run/host-load.ts'
import type { PreparedScene } from '../run/prepare-scene.ts'
import { type FrameTaker, renderFrames } from '../run/render-frames.ts'
import type { TraceFile } from '../run/trace-file.ts'
import type { Progress } from '../terminal/progress.ts'

/** The measurements of a run. */
export interface MeasuredRun {
  readonly kept: KeptFrames
  /** Other load on the host during the run, if known. */
  readonly load: HostLoad | undefined
}

/** A frame with its tiles and pixels. */
export type ShownFrame = RenderedFrame & TiledFrame

/** A run of the first round, with the frames that the report shows. */
export interface ComparedRun extends MeasuredRun {
  /** Its frames, to look into; absent if they had no spans. */
  readonly frames?: RunFrames
  /** The last frame, drawn with its tiles. */
  readonly last: ShownFrame
  /** The first frames, as many as a film holds and memory permits. */
  readonly film: readonly ShownFrame[]
}

/** Outputs that are written as frames arrive. */
export interface Outputs {
  readonly folder: OutputFolder
  readonly trace: TraceFile | undefined
  readonly recorder: Recorder | undefined
}

/** Pixels kept for films. Strategies produce identical frames, so each frame is kept once. */
const MAX_FILM_PIXELS = 32 * 2 ** 20

/** Parameters of one run. */
export interface RunOrder {
  readonly name: string
  /** Number of strategies that are compared. */
  readonly strategies: number
  /** What the strategy's name, or the predictor's, may be that of. */
  readonly plugIns: PlugIns
  readonly scene: PreparedScene
  readonly options: RunOptions
  readonly cluster: Cluster
  readonly progress: Progress
  readonly outputs: Outputs
  /** Called once, before the first file of the comparison is written. */
  readonly begin: () => Promise<void>
  /** Kept frames by the hash of their pixels, shared by all runs that produce the same frame. */
  readonly pictures: Map<string, Uint8Array>
  /** Knows the workers of all runs. */
  readonly same: SameWorkers
}

/** Renders all frames with one strategy and writes them as PNG into the strategy's folder. */
export async function firstRun(order: RunOrder, signal: AbortSignal): Promise<ComparedRun> {
  const { name, scene, options, outputs, pictures, same } = order
  const { trace, recorder } = outputs
  const kept = new KeptFrames(name)
  const toShow = new FramesToShow(name, bytesFor(order.strategies))
  let last: ShownFrame | undefined
  const film: ShownFrame[] = []
  const filmFrames = Math.min(MAX_FILM_FRAMES, Math.floor(MAX_FILM_PIXELS / (options.size[0] * options.size[1])))
  const keep = (report: FrameReport, pixels: Uint8Array): ShownFrame => {
    const kept = pictures.get(report.sha256) ?? pixels
    pictures.set(report.sha256, kept)
    return { strategy: name, frame: report.frame, pixels: kept, tiles: report.tiles }
  }
  const take: FrameTaker['frame'] = async (arrived, pixels, _, camera) => {
    const report = await recordLive(recorder, scene, options, same.of(arrived), camera)
    kept.add(report)
    toShow.add(report)
    if (film.length < filmFrames) film.push(keep(report, pixels))
    if (kept.frames.length === options.frames) last = keep(report, pixels)
    await trace?.frame(report)
  }
  await trace?.begin(name)
  const watched = await writeFrames(order, take, signal)
  const load = watched(kept.totals.tracingMs)
  recorder?.load(name, load)
  const frames = toShow.run
  return { kept, load, last: last!, film, ...(frames ? { frames } : {}) }
}

/** Another round: does the same work as the first, including files, so that times are comparable; keeps only numbers. */
export async function laterRun(order: RunOrder, signal: AbortSignal): Promise<MeasuredRun> {
  const kept = new KeptFrames(order.name, true)
  const load = await writeFrames(order, async report => kept.add(order.same.of(report)), signal)
  return { kept, load: load(kept.totals.tracingMs) }
}

/**
 * Renders all frames with one strategy, and writes each after passing it to `take`. Returns a function that gives the other
 * load on the host meanwhile.
 */
async function writeFrames(
  { name, plugIns, scene, options, cluster, progress, outputs, begin }: RunOrder,
  take: FrameTaker['frame'],
  signal: AbortSignal,
): Promise<ReturnType<typeof watchHost>> {
  const writer = new FrameWriter(await outputs.folder.below(folderName(name)), async () => {
    await begin()
    return undefined
  })
  const frame: FrameTaker['frame'] = async (report, pixels, planes, camera) => {
    await take(report, pixels, planes, camera)
    await writer.write(report.frame, report.size, pixels, {}, report.tracedBy)
  }
  const frames = new FrameNumbers(options)
  const load = watchHost(cluster.processIds)
  await writer.during(signal, ended =>
    renderFrames({ scene, strategy: name, plugIns, frames }, options, cluster, progress, { frame, spans: true }, ended),
  )
  return load
}
