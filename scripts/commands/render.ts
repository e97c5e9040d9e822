/** `sortfirst render`: a scene to PNG frames. */
import { join } from 'node:path'
import { strategyByName } from '../../master/strategies/index.ts'
import type { FrameReport } from '../../shared/frame-report.ts'
import type { Summary } from '../../shared/summary.ts'
import { type OutputFolder, withOutputFolder } from '../files/output-folder.ts'
import { print } from '../files/standard-output.ts'
import { type Recorder, recordLive, withRecording } from '../recording/record.ts'
import { framesCsv } from '../report/frames-csv.ts'
import { KeptFrames } from '../report/kept-frames.ts'
import { summaryJson } from '../report/summary-json.ts'
import { printResult, summaryOf } from '../run/finish.ts'
import { FrameNumbers } from '../run/frame-numbers.ts'
import { FrameWriter } from '../run/frame-writer.ts'
import { hostCores } from '../run/host.ts'
import { watchHost } from '../run/host-load.ts'
import { interruptible } from '../run/interrupt.ts'
import { beginFilm, checkManifest, finishedFrames, type Manifest } from '../run/manifest.ts'
import { withNames } from '../run/named-strategies.ts'
import { withCluster } from '../run/open-cluster.ts'
import { FASTEST, type RawRunOptions, type RunOptions, resolveRunOptions } from '../run/options.ts'
import { prepareScene } from '../run/prepare-scene.ts'
import { createProgress } from '../run/progress.ts'
import { type FrameTaker, renderFrames } from '../run/render-frames.ts'
import { type TraceFile, withTraceFile } from '../run/trace-file.ts'

export async function render(
  sceneName: string,
  words: RawRunOptions & { strategy: string; resume?: boolean },
): Promise<void> {
  const raw = await withNames(words)
  const strategy = strategyByName(raw.strategy)
  const options = resolveRunOptions(sceneName, raw, join('out', 'render'), hostCores(), FASTEST, [strategy])
  const summary = await interruptible(signal =>
    withOutputFolder(options.out, folder =>
      withTraceFile(options.trace, trace =>
        withRecording(options.record, recorder =>
          renderInto({ folder, trace, recorder }, options, strategy.name, raw.resume === true, signal),
        ),
      ),
    ),
  )
  // After every file is in place: whoever reads this may leave early.
  if (summary) await printResult(summary, options, `frames: ${options.out}`)
  else if (options.json) await print('null\n')
}

/** What is written while frames come in. */
interface Outputs {
  readonly folder: OutputFolder
  readonly trace: TraceFile | undefined
  readonly recorder: Recorder | undefined
}

/** Undefined when all frames were there already. */
async function renderInto(
  { folder, trace, recorder }: Outputs,
  options: RunOptions,
  strategy: string,
  resume: boolean,
  signal: AbortSignal,
): Promise<Summary | undefined> {
  const progress = createProgress(process.stderr)
  const scene = await prepareScene(options.scene, options.size, options.camera, progress, signal)
  const manifest: Manifest = {
    version: 1,
    scene: { name: scene.name, sha256: scene.held.hash },
    size: options.size,
    quality: options.quality,
    camera: scene.cameraPath,
    exposure: scene.exposure,
    engine: options.engine,
  }
  if (resume) await checkManifest(options.out, manifest)
  const frames = new FrameNumbers(options.frames, resume ? await finishedFrames(options.out) : new Set())
  if (frames.length < options.frames)
    progress.info(`${options.frames - frames.length} of ${options.frames} frames are there already`)
  if (frames.length === 0) return undefined

  // Until the first frame is there, the folder stays as it was; a film that goes on has begun already.
  const begin = async () => {
    if (frames.length === options.frames) await beginFilm(folder, manifest)
  }
  const writer = new FrameWriter(folder, begin)
  const kept = new KeptFrames(strategy)
  const take = async (arrived: FrameReport, pixels: Uint8Array) => {
    const report = await recordLive(recorder, scene, options, arrived)
    kept.add(report)
    await trace?.frame(report)
    await writer.write(report.frame, report.size, pixels)
  }
  const taker: FrameTaker = {
    frame: take,
    spans: trace !== undefined || recorder !== undefined,
    ...(options.progressive ? { preview: ({ frame, pixels }) => writer.preview(frame, options.size, pixels) } : {}),
  }
  try {
    await trace?.begin(strategy)
    await withCluster(options, progress, signal, async cluster => {
      const watched = watchHost(cluster.processIds)
      await writer.during(signal, ended =>
        renderFrames({ scene, strategy, frames }, options, cluster, progress, taker, ended),
      )
      recorder?.load(strategy, watched(kept.totals.tracingMs))
    })
  } finally {
    if (signal.aborted)
      progress.info(
        `${kept.frames.length} of ${frames.length} frames are whole in ${options.out}; --resume renders the others`,
      )
  }
  const summary = summaryOf({ scene, runs: [kept] }, options)
  await folder.write('summary.json', summaryJson(summary))
  await folder.write('frames.csv', framesCsv(summary))
  return summary
}
