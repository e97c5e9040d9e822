/**
 * `sortfirst compare`: the same frames once per strategy, or in several rounds, and a report that sets them side by side. Rounds are in
 * turn, A B C A B C: what changes on a machine in the course of time then happens to all strategies alike.
 */
import { join } from 'node:path'
import { SortfirstError } from '../../shared/errors.ts'
import type { FrameReport } from '../../shared/frame-report.ts'
import type { Summary } from '../../shared/summary.ts'
import { untilAborted } from '../../shared/until-aborted.ts'
import { type OutputFolder, withOutputFolder } from '../files/output-folder.ts'
import type { Cluster } from '../library/cluster.ts'
import { type Recorder, recordLive, withRecording } from '../recording/record.ts'
import { doubtsOf, type OtherLoad } from '../report/doubts.ts'
import { timelineOf } from '../report/frame-timeline.ts'
import { KeptFrames } from '../report/kept-frames.ts'
import { MAX_FILM_FRAMES } from '../report/tile-film.ts'
import { folderName, type RenderedFrame, type TiledFrame, writeReport } from '../report/write-report.ts'
import { printResult, summaryOf } from '../run/finish.ts'
import { FrameNumbers } from '../run/frame-numbers.ts'
import { FrameWriter } from '../run/frame-writer.ts'
import { hostCores } from '../run/host.ts'
import { type HostLoad, loadOf, otherCores, watchHost } from '../run/host-load.ts'
import { interruptible } from '../run/interrupt.ts'
import { withNames } from '../run/named-strategies.ts'
import { withCluster } from '../run/open-cluster.ts'
import { wholeNumber } from '../run/option-values.ts'
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

/** One strategy's frames in one round, in numbers. */
interface MeasuredRun {
  readonly kept: KeptFrames
  /** What else the host did meanwhile, where that is known. */
  readonly load: HostLoad | undefined
}

/** A run of the first round, with what is shown of it. */
interface ComparedRun extends MeasuredRun {
  readonly name: string
  /** The first frames, as many as `MAX_SPANS` allows. */
  readonly reports: readonly FrameReport[]
  /** The last frame, to be drawn with its tiles. */
  readonly last: RenderedFrame & TiledFrame
  /** The first frames, as many as a film and the memory take. */
  readonly film: readonly TiledFrame[]
}

/** As commander hands them over. */
type RawCompareOptions = RawRunOptions & { readonly strategies: string; readonly repeat: string }

const MOST_ROUNDS = 1000

export async function compare(sceneName: string, words: RawCompareOptions): Promise<void> {
  const raw = await withNames(words)
  const strategies = parseStrategies(raw.strategies)
  const options = resolveRunOptions(sceneName, raw, join('out', 'compare'), hostCores(), EIGHT_MACHINES, strategies)
  const names = strategies.map(strategy => strategy.name)
  const repeats = wholeNumber('--repeat', raw.repeat, 1, MOST_ROUNDS)
  const { summary, rounds } = await interruptible(signal =>
    withOutputFolder(options.out, folder =>
      withTraceFile(options.trace, trace =>
        withRecording(options.record, recorder =>
          compareInto({ folder, trace, recorder }, options, { names, repeats }, signal),
        ),
      ),
    ),
  )
  // After every file is in place: whoever reads this may leave early.
  await printResult(summary, options, `report: ${join(options.out, 'report.html')}`)
  checkSamePixels(rounds.flat())
}

/** What is written while frames come in. */
interface Outputs {
  readonly folder: OutputFolder
  readonly trace: TraceFile | undefined
  readonly recorder: Recorder | undefined
}

/** What is compared. */
interface Order {
  readonly names: readonly string[]
  readonly repeats: number
}

async function compareInto(
  outputs: Outputs,
  options: RunOptions,
  { names, repeats }: Order,
  signal: AbortSignal,
): Promise<{ readonly summary: Summary; readonly rounds: readonly (readonly KeptFrames[])[] }> {
  const progress = createProgress(process.stderr)
  const scene = await prepareScene(options.scene, options.size, options.camera, progress, signal)
  const pictures = new Map<string, Uint8Array>()

  const runs: ComparedRun[] = []
  const later: MeasuredRun[][] = Array.from({ length: repeats - 1 }, () => [])
  await withCluster(options, progress, signal, async cluster => {
    for (let round = 0; round < repeats; round++) {
      for (const [index, name] of names.entries()) {
        const which = repeats > 1 ? `, round ${round + 1} of ${repeats}` : ''
        if (names.length > 2 || repeats > 1) progress.info(`${name}: strategy ${index + 1} of ${names.length}${which}`)
        const order = { name, scene, options, cluster, progress, outputs, pictures }
        if (round === 0) runs.push(await runStrategy(order, signal))
        else later[round - 1]!.push(await runAgain(order, signal))
      }
    }
  })
  await outputs.folder.check()
  const rounds: readonly (readonly MeasuredRun[])[] = [runs, ...later]
  const [first, ...others] = rounds.map(round => round.map(run => run.kept))
  const summary = withDoubts(summaryOf({ scene, runs: first!, later: others }, options), rounds)
  for (const warning of summary.warnings) progress.warn(warning)
  const writing = writeReport(outputs.folder, {
    summary,
    tiled: runs.map(run => run.last),
    timelines: runs.flatMap(run => timelineOf(run) ?? []),
    films: runs.map(run => run.film),
    pictures: runs.slice(0, 1).map(run => run.last),
  })
  await untilAborted(signal, writing)
  return { summary, rounds: [first!, ...others] }
}

/** The summary with what a reader must know of the conditions. */
function withDoubts(summary: Summary, rounds: readonly (readonly MeasuredRun[])[]): Summary {
  const runs = rounds.flat()
  const loads = new Map<string | undefined, OtherLoad>()
  for (const name of [undefined, ...summary.strategies.map(strategy => strategy.name)]) {
    const load = loadOf(runs.filter(run => name === undefined || run.kept.name === name).map(run => run.load))
    const other = otherCores(load)
    if (load && other !== undefined) loads.set(name, { cores: load.cores, otherCores: other })
  }
  const whole = loads.get(undefined)
  const host = whole ? { ...summary.host, otherCores: whole.otherCores } : summary.host
  return { ...summary, host, warnings: doubtsOf(summary, loads) }
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
  const { trace, recorder } = outputs
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
  }
  await trace?.begin(name)
  const load = await writeFrames({ name, scene, options, cluster, progress, outputs }, take, signal)
  return { name, kept, load: load(kept.totals.tracingMs), reports, last: last!, film }
}

/** One more round: it does all that the first did, files included, so that its times are of the same; only numbers are kept. */
async function runAgain(order: StrategyOrder, signal: AbortSignal): Promise<MeasuredRun> {
  const kept = new KeptFrames(order.name, true)
  const load = await writeFrames(order, async report => kept.add(report), signal)
  return { kept, load: load(kept.totals.tracingMs) }
}

/**
 * Has all frames made with one strategy, and writes them after `take` has looked at them. The answer tells what else the host
 * did meanwhile; of workers that others started it cannot say what is theirs.
 */
async function writeFrames(
  { name, scene, options, cluster, progress, outputs }: Omit<StrategyOrder, 'pictures'>,
  take: (report: FrameReport, pixels: Uint8Array) => Promise<void>,
  signal: AbortSignal,
): Promise<ReturnType<typeof watchHost>> {
  const writer = new FrameWriter(await outputs.folder.below(folderName(name)))
  const frame = async (report: FrameReport, pixels: Uint8Array): Promise<void> => {
    await take(report, pixels)
    await writer.write(report.frame, report.size, pixels)
  }
  const frames = new FrameNumbers(options.frames)
  const load = cluster.processIds ? watchHost(cluster.processIds) : () => undefined
  await writer.during(signal, ended =>
    renderFrames({ scene, strategy: name, frames }, options, cluster, progress, { frame, spans: true }, ended),
  )
  return load
}

/** Every strategy must have made the very same frames, in every round. @throws FramesDifferError */
function checkSamePixels([first, ...others]: readonly KeptFrames[]): void {
  for (const other of others) {
    for (const [i, hash] of other.hashes.entries()) {
      if (hash !== first?.hashes[i])
        throw new FramesDifferError(other.frames[i]?.frame ?? i, first?.name ?? '', other.name)
    }
  }
}
