/** `sortfirst compare`: the same frames once per strategy, and a report that sets them side by side. */
import { join } from 'node:path'
import { SortfirstError } from '../../shared/errors.ts'
import type { FrameReport } from '../../shared/frame-report.ts'
import type { Summary } from '../../shared/summary.ts'
import { untilAborted } from '../../shared/until-aborted.ts'
import { type OutputFolder, withOutputFolder } from '../files/output-folder.ts'
import type { Cluster } from '../library/cluster.ts'
import { type Recorder, recordLive, withRecording } from '../recording/record.ts'
import { timelineOf } from '../report/frame-timeline.ts'
import { KeptFrames } from '../report/kept-frames.ts'
import { MAX_FILM_FRAMES } from '../report/tile-film.ts'
import { folderName, type RenderedFrame, type TiledFrame, writeReport } from '../report/write-report.ts'
import { withCameras } from '../run/camera-file.ts'
import { printResult, summaryOf } from '../run/finish.ts'
import { FrameNumbers } from '../run/frame-numbers.ts'
import { FrameWriter } from '../run/frame-writer.ts'
import { hostCores } from '../run/host.ts'
import { interruptible } from '../run/interrupt.ts'
import { withNames } from '../run/named-strategies.ts'
import { withCluster } from '../run/open-cluster.ts'
import {
  EIGHT_MACHINES,
  parseStrategies,
  type RawRunOptions,
  type RunOptions,
  resolveRunOptions,
} from '../run/options.ts'
import { type PreparedScene, prepareScene } from '../run/prepare-scene.ts'
import { createProgress, type Progress } from '../run/progress.ts'
import { renderFrames } from '../run/render-frames.ts'
import { type TraceFile, withTraceFile } from '../run/trace-file.ts'

/** Two strategies made different pixels of the same frame: the promise that makes them comparable is broken. */
export class FramesDifferError extends SortfirstError {
  readonly code = 'FRAMES_DIFFER'
  constructor(frame: number, a: string, b: string) {
    super(
      `frame ${frame} has other pixels with ${b} than with ${a}; please report this with the command that showed it`,
    )
  }
}

/** Pixels kept for films. Strategies make the same frames, so each is kept once. */
const MAX_FILM_PIXELS = 32 * 2 ** 20

/** Spans kept of each strategy, for a picture of one frame; a trace has them all. */
const MAX_SPANS = 200_000

interface ComparedRun {
  readonly name: string
  readonly kept: KeptFrames
  /** The first frames, as many as `MAX_SPANS` allows. */
  readonly reports: readonly FrameReport[]
  /** The last frame, to be drawn with its tiles. */
  readonly last: RenderedFrame & TiledFrame
  /** The first frames, as many as a film and the memory take. */
  readonly film: readonly TiledFrame[]
}

export async function compare(sceneName: string, words: RawRunOptions & { strategies: string }): Promise<void> {
  const raw = await withCameras(await withNames(words))
  const strategies = parseStrategies(raw.strategies)
  const options = resolveRunOptions(sceneName, raw, join('out', 'compare'), hostCores(), EIGHT_MACHINES, strategies)
  const names = strategies.map(strategy => strategy.name)
  const { summary, runs } = await interruptible(signal =>
    withOutputFolder(options.out, folder =>
      withTraceFile(options.trace, trace =>
        withRecording(options.record, recorder => compareInto({ folder, trace, recorder }, options, names, signal)),
      ),
    ),
  )
  // After every file is in place: whoever reads this may leave early.
  await printResult(summary, options, `report: ${join(options.out, 'report.html')}`)
  checkSamePixels(runs)
}

/** What is written while frames come in. */
interface Outputs {
  readonly folder: OutputFolder
  readonly trace: TraceFile | undefined
  readonly recorder: Recorder | undefined
}

async function compareInto(
  outputs: Outputs,
  options: RunOptions,
  names: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly summary: Summary; readonly runs: readonly ComparedRun[] }> {
  const progress = createProgress(process.stderr)
  const scene = await prepareScene(options.scene, options.size, options.camera, progress, signal, options.look)
  const pictures = new Map<string, Uint8Array>()

  const runs: ComparedRun[] = []
  await withCluster(options, progress, signal, async cluster => {
    for (const [index, name] of names.entries()) {
      if (names.length > 2) progress.info(`${name}: strategy ${index + 1} of ${names.length}`)
      runs.push(await runStrategy({ name, scene, options, cluster, progress, outputs, pictures }, signal))
    }
  })
  await outputs.folder.check()
  const summary = summaryOf({ scene, runs: runs.map(run => run.kept) }, options)
  const writing = writeReport(outputs.folder, {
    summary,
    tiled: runs.map(run => run.last),
    timelines: runs.flatMap(run => timelineOf(run) ?? []),
    films: runs.map(run => run.film),
    pictures: runs.slice(0, 1).map(run => run.last),
  })
  await untilAborted(signal, writing)
  return { summary, runs }
}

interface StrategyOrder {
  readonly name: string
  readonly scene: PreparedScene
  readonly options: RunOptions
  readonly cluster: Cluster
  readonly progress: Progress
  readonly outputs: Outputs
  /** Frames that are kept, by the hash of their pixels: whoever makes the same frame shares them. */
  readonly pictures: Map<string, Uint8Array>
}

/** All frames with one strategy, written as PNG into a folder of its own. */
async function runStrategy(
  { name, scene, options, cluster, progress, outputs, pictures }: StrategyOrder,
  signal: AbortSignal,
): Promise<ComparedRun> {
  const { folder, trace, recorder } = outputs
  const writer = new FrameWriter(await folder.below(folderName(name)))
  const kept = new KeptFrames(name)
  const reports: FrameReport[] = []
  let spans = 0
  let last: (RenderedFrame & TiledFrame) | undefined
  const film: TiledFrame[] = []
  const filmFrames = Math.min(MAX_FILM_FRAMES, Math.floor(MAX_FILM_PIXELS / (options.size[0] * options.size[1])))
  const keep = (report: FrameReport, pixels: Uint8Array): RenderedFrame & TiledFrame => {
    const kept = pictures.get(report.sha256) ?? pixels
    pictures.set(report.sha256, kept)
    return { strategy: name, frame: report.frame, pixels: kept, tiles: report.tiles }
  }
  const take = async (arrived: FrameReport, pixels: Uint8Array) => {
    const report = await recordLive(recorder, scene, options, arrived)
    spans += report.spans.length
    kept.add(report)
    if (spans <= MAX_SPANS) reports.push(report)
    if (film.length < filmFrames) film.push(keep(report, pixels))
    if (kept.frames.length === options.frames) last = keep(report, pixels)
    await trace?.frame(report)
    await writer.write(report.frame, report.size, pixels)
  }
  const frames = new FrameNumbers(options)
  await trace?.begin(name)
  await writer.during(signal, ended =>
    renderFrames({ scene, strategy: name, frames }, options, cluster, progress, { frame: take, spans: true }, ended),
  )
  return { name, kept, reports, last: last!, film }
}

/** Every strategy must have made the very same frames. @throws FramesDifferError */
function checkSamePixels([first, ...others]: readonly ComparedRun[]): void {
  for (const other of others) {
    for (const [i, hash] of other.kept.hashes.entries()) {
      if (hash !== first?.kept.hashes[i])
        throw new FramesDifferError(other.kept.frames[i]?.frame ?? i, first?.name ?? '', other.name)
    }
  }
}
