/** `sortfirst render`: renders a scene to files. */
import { join } from 'node:path'
import type { PlugIns } from '../../master/sessions/methods.ts'
import { strategyByName } from '../../master/strategies/index.ts'
import type { Summary } from '../../shared/frame/summary.ts'
import { autoExposure } from '../../shared/light/auto-exposure.ts'
import { lookOf } from '../../shared/light/tone-map.ts'
import { idNames } from '../../shared/scene/id-names.ts'
import { DEFAULT_STRATEGY } from '../../shared/session/default-strategy.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { PARTIAL_ENDING } from '../checkpoint/checkpoint-file.ts'
import type { Checkpoints, KeptFrame } from '../checkpoint/checkpoints.ts'
import { checkpointFile } from '../checkpoint/fitting.ts'
import { keptFrames } from '../checkpoint/kept-frames.ts'
import { CONTACT_SHEET_FILE, FILM_FILES, frameFile, frameOf, isMatte } from '../files/frame-names.ts'
import { type OutputFolder, withOutputFolder } from '../files/output-folder.ts'
import { print } from '../files/standard-output.ts'
import { type Ffmpeg, findFfmpeg } from '../film/ffmpeg.ts'
import { type FinishedFrames, finishedFrames } from '../film/finished-frames.ts'
import { beginFilm, type FrameList } from '../film/frame-list.ts'
import { FrameWriter } from '../film/frame-writer.ts'
import { filmManifest, type Manifest, ResumeError, resumedFilm, type WrittenFile } from '../film/manifest.ts'
import { findOidn, type Oidn } from '../film/oidn.ts'
import { putBackKept } from '../film/previews.ts'
import type { Cluster } from '../library/cluster.ts'
import type { SpareWorker } from '../library/worker-process.ts'
import { clientAccess } from '../options/access-options.ts'
import type { Words } from '../options/declare/group.ts'
import { FrameNumbers } from '../options/frame-numbers.ts'
import { camerasOf } from '../options/groups/camera-file.ts'
import { exposureFrom } from '../options/groups/exposure.ts'
import { wholeSize } from '../options/groups/film.ts'
import { readRun } from '../options/groups/index.ts'
import { type OpenRun, openRun } from '../options/integrator.ts'
import { type RunOptions, resolveRunOptions } from '../options/run.ts'
import { warnOfCache } from '../options/worker-options.ts'
import { type Recorder, recordLive, withRecording } from '../recording/record.ts'
import { KeptFrames } from '../report/figures/kept-frames.ts'
import { lightSaid } from '../report/figures/light-said.ts'
import { plural } from '../report/figures/numbers.ts'
import { SameWorkers } from '../report/figures/same-workers.ts'
import { summaryJson } from '../report/figures/summary-json.ts'
import { framesCsv } from '../report/tables/frames-csv.ts'
import { cleanFrame } from '../run/clean-frames.ts'
import { withLengthOf } from '../run/film-length.ts'
import { printResult, summaryOf } from '../run/finish.ts'
import { hostCores } from '../run/host.ts'
import { watchHost } from '../run/host-load.ts'
import { checkKept, checkpointsOf, keptKernel, keptPasses } from '../run/keep-frames.ts'
import { withNames } from '../run/named-strategies.ts'
import { withCluster } from '../run/open-cluster.ts'
import { expectRoom, refuseClashes, renderedFiles } from '../run/own-files.ts'
import { type PreparedScene, prepareScene, warnOfGaps } from '../run/prepare-scene.ts'
import { type FrameTaker, renderFrames } from '../run/render-frames.ts'
import { Clipping, exposureDoubt, smallPictures } from '../run/suit-exposure.ts'
import { type TraceFile, withTraceFile } from '../run/trace-file.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { withLongSteps } from '../terminal/long-steps.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'

/** What was begun, and found out, before the modules of this command were there. */
interface Beginning {
  readonly spare: SpareWorker | undefined
  readonly tileCommand: string | undefined
}

export async function render(sceneName: string, words: Words, { spare, tileCommand }: Beginning): Promise<void> {
  const { given, plugIns } = await withNames(readRun('render', words))
  const strategy = strategyByName(given.strategy ?? DEFAULT_STRATEGY, plugIns.strategies)
  const access = clientAccess(given, process.env)
  const cameras = await camerasOf(given)
  const context = { command: 'render', cores: hostCores(), chosen: [strategy], plugIns, cameras, tileCommand } as const
  const run = openRun(given, 'render', each => resolveRunOptions(sceneName, each, context))
  const { options } = run
  checkKept(options)
  const own = renderedFiles(options)
  await refuseClashes(options, own)
  const progress = createProgress(process.stderr, options.logForm)
  await warnOfCache(given.noCache ?? given.cache, progress)
  const ffmpeg = options.films.includes('mp4') ? await findFfmpeg() : undefined
  const oidn = options.denoise === 'oidn' ? await findOidn() : undefined
  if (oidn) progress.info(oidn.label)
  const job = { run, strategy: strategy.name, plugIns, resume: options.resume, progress }
  const { summary } = await interruptible(signal =>
    withOutputFolder(options.out, async folder => {
      await expectRoom(options.out, own)
      await putBackKept(folder)
      const rendered = await withTraceFile(options.trace, trace =>
        withRecording(options.record, recorder =>
          withCluster(
            { ...options, access },
            progress,
            signal,
            cluster => renderInto({ folder, trace, recorder, oidn }, job, cluster, signal),
            spare,
          ),
        ),
      )
      // The cluster has ended: films have the machine to themselves.
      await filmsOf(rendered, ffmpeg, folder, progress, signal)
      return rendered
    }),
  )
  // After all files are written: the reader may close the pipe early.
  if (summary) await printResult(summary, options, placesOf(options))
  else await print(options.json ? 'null\n' : `${placesOf(options)}\n`)
}

/** Makes what is wanted of all frames together. */
async function filmsOf(
  { scene, options }: Rendered,
  ffmpeg: Ffmpeg | undefined,
  folder: OutputFolder,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  if (options.films.length === 0 && !options.contactSheet) return
  const { makeFilms } = await import('../film/make-films.ts')
  await makeFilms(folder, { ...options, scene, ffmpeg }, progress, signal)
}

/** Where the results are, a line each. */
const placesOf = ({ out, films, contactSheet, frames, firstFrame, outputs }: RunOptions): string =>
  [
    frames === 1 && outputs.includes('png') ? `picture: ${join(out, frameFile(firstFrame, 'png'))}` : `frames: ${out}`,
    ...films.map(name => `film: ${join(out, FILM_FILES[name])}`),
    ...(contactSheet ? [`contact sheet: ${join(out, CONTACT_SHEET_FILE)}`] : []),
  ].join('\n')

/** Outputs that are written as frames arrive. */
interface Outputs {
  readonly folder: OutputFolder
  readonly trace: TraceFile | undefined
  readonly recorder: Recorder | undefined
  /** Cleans frames before they are written. */
  readonly oidn: Oidn | undefined
}

interface RenderJob {
  readonly run: OpenRun
  readonly strategy: string
  readonly plugIns: PlugIns
  readonly resume: boolean
  readonly progress: Progress
}

interface Rendered {
  /** Undefined if all frames existed already. */
  readonly summary: Summary | undefined
  /** Name of the scene. */
  readonly scene: string
  /** With the number of frames that the scene's camera decided. */
  readonly options: RunOptions
}

/** Renders on a cluster that is still starting. */
async function renderInto(
  { folder, trace, recorder, oidn }: Outputs,
  { run, strategy, plugIns, resume, progress }: RenderJob,
  opened: () => Promise<Cluster>,
  signal: AbortSignal,
): Promise<Rendered> {
  const { scene: name, camera, look, cache } = run.options
  const loaded = await prepareScene(name, wholeSize(run.options), camera, progress, signal, { ...look, cache })
  const { options: chosen, because } = run.of(loaded.lighting)
  if (because) progress.info(`integrator: path, for ${because}; --integrator ambient is faster`)
  const options = keptPasses(withLengthOf(chosen, loaded))
  warnOfGaps(loaded, options.quality, progress)
  const light = { options, cluster: opened, progress, signal }
  const exposure = await exposureFor(loaded, light)
  const scene = { ...loaded, exposure }
  const shown = lookOf({ ...options, exposure })
  const manifest = filmManifest(options, {
    scene: { name: scene.name, sha256: scene.held.hash },
    camera: scene.cameraPath,
    fps: scene.motion ? options.fps : null,
    exposure: scene.exposure,
    ...namesIn(scene, options),
  })
  const kernel = await keptKernel(options, opened, progress, signal)
  const checkpoints = checkpointsOf(options, kernel, folder, manifest, shown, progress)
  const asked = { resume, options, progress, signal }
  const finished = await whatIsThereAlready(manifest, checkpoints, asked).catch(async (error: unknown) => {
    // Its thread would keep the program from ending.
    await checkpoints?.end()
    throw error
  })
  const frames = new FrameNumbers(options, finished.frames)
  if (frames.length < options.frames)
    progress.info(`${countOf(options.frames - frames.length, options.frames)} complete already`)
  const rendered = { scene: scene.name, options }
  if (frames.length === 0) {
    await checkpoints?.end()
    return { ...rendered, summary: undefined }
  }

  // The folder stays unchanged until the first frame is done; previews put back what they replace.
  let list: FrameList | undefined
  const begin = async () => {
    const begun = await beginFilm(folder, manifest, finished.files)
    list = begun
    return {
      add: async (files: readonly WrittenFile[]) => {
        await begun.add(files)
        for (const frame of new Set(files.flatMap(({ name }) => frameOf(name) ?? [])))
          await checkpoints?.finished(frame)
      },
    }
  }
  // Told to the thread with every frame, and so only where they are needed.
  const names = options.aovs.some(isMatte) ? scene.names : undefined
  const said = { comments: lightSaid(options.quality), names }
  const writer = new FrameWriter(folder, begin, { ...options, look: shown, ...said })
  const kept = new KeptFrames(strategy)
  const clipping = new Clipping(shown)
  const same = new SameWorkers()
  const take: FrameTaker['frame'] = async (arrived, arrivedPixels, arrivedPlanes, camera) => {
    const recorded = await recordLive(recorder, scene, options, same.of(arrived), camera)
    const { report, pixels, planes } = oidn
      ? await cleanFrame(oidn, recorded, arrivedPlanes, shown, signal)
      : { report: recorded, pixels: arrivedPixels, planes: arrivedPlanes }
    kept.add(report)
    if (!options.transparent) clipping.add(pixels)
    await trace?.frame(report)
    await checkpoints?.taken(report.frame)
    await writer.write(report.frame, report.size, pixels, planes, report.tracedBy)
  }
  const taker: FrameTaker = {
    frame: take,
    spans: trace !== undefined || recorder !== undefined,
    keeper: checkpoints,
    ...(options.progressive ? { preview: ({ frame, pixels }) => writer.preview(frame, options.size, pixels) } : {}),
  }
  let doubt: string | undefined
  try {
    await trace?.begin(strategy)
    const cluster = await opened()
    const watched = watchHost(cluster.processIds)
    await writer.during(signal, ended =>
      renderFrames(
        { scene, strategy, plugIns, frames },
        tileOptions(options, exposure),
        cluster,
        progress,
        taker,
        ended,
      ),
    )
    await checkpoints?.end()
    await list?.rewrite()
    recorder?.load(strategy, watched(kept.totals.tracingMs))
    doubt = await lightDoubt(scene, clipping.mostly, light)
  } catch (error) {
    await checkpoints?.end()
    const there = options.frames - frames.length + writer.written
    const lost = await folder.check().then(
      () => false,
      () => true,
    )
    const kept = checkpoints?.kept ?? []
    if (!lost && (there > 0 || kept.length > 0 || signal.aborted))
      progress.info(whatIsThere(there, kept, options, resume, list !== undefined))
    throw error
  }
  const wentOn = checkpoints?.wentOn ?? []
  const figures = {
    ...summaryOf({ scene, runs: [kept] }, options),
    ...namesIn(scene, options),
    ...(wentOn.length > 0 ? { wentOn } : {}),
  }
  const summary = doubt ? { ...figures, warnings: [...figures.warnings, doubt] } : figures
  for (const warning of summary.warnings) progress.warn(warning)
  await folder.write('summary.json', summaryJson(summary))
  await folder.write('frames.csv', framesCsv(summary))
  return { ...rendered, summary }
}

/** What small pictures of a film are made with. */
interface LightProbe {
  readonly options: RunOptions
  readonly cluster: () => Promise<Cluster>
  readonly progress: Progress
  readonly signal: AbortSignal
}

async function exposureFor(scene: PreparedScene, { options, cluster, progress, signal }: LightProbe): Promise<number> {
  if (!options.isExposureOpen) return exposureFrom(options.exposure, scene.exposure)
  // Light is shown as it is.
  if (options.toneMapping === 'none') return scene.exposure
  const suited = autoExposure(await smallPictures(scene, options, await cluster(), progress, signal))
  const exposure = suited ?? scene.exposure
  progress.info(`exposure: ${exposure}${suited === undefined ? ', because nothing is lit' : ''}`)
  return exposure
}

/** A tile alone could not know what suits the film. */
const tileOptions = (options: RunOptions, exposure: number): RunOptions =>
  options.tileCommand === undefined
    ? options
    : { ...options, tileCommand: options.tileCommand.replace('--exposure auto', `--exposure ${exposure}`) }

/** Says so if most pixels of a film show nothing, because its exposure does not suit its light. */
async function lightDoubt(
  scene: PreparedScene,
  mostly: Clipping['mostly'],
  { options, cluster, progress, signal }: LightProbe,
): Promise<string | undefined> {
  // Without tone mapping there is no exposure.
  if (!mostly || options.isExposureOpen || options.toneMapping === 'none') return undefined
  // The film is done: what these do is not told.
  const log = { ...progress, step: () => {} }
  const pictures = await smallPictures(scene, options, await cluster(), log, signal)
  return exposureDoubt(mostly, scene.exposure, pictures)
}

/** What the ids in a film's files stand for. */
function namesIn({ names }: PreparedScene, { aovs }: RunOptions): Pick<Manifest, 'names'> {
  const said = idNames(names, aovs)
  return said ? { names: said } : {}
}

const NOTHING: FinishedFrames = { frames: new Set(), files: [], changed: 0 }

interface Asked {
  readonly resume: boolean
  readonly options: RunOptions
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** The frames of a resumed film that need not be rendered again; of others, what was kept is gone on with. @throws ResumeError */
async function whatIsThereAlready(
  manifest: Manifest,
  checkpoints: Checkpoints | undefined,
  { resume, options, progress, signal }: Asked,
): Promise<FinishedFrames> {
  const found = (await checkpoints?.look(frame => isIn(frame, options))) ?? []
  if (!resume) return NOTHING
  const film = await whatIsFinished(manifest, options, progress, signal).catch((error: unknown) => {
    // An earlier film is in the folder until the first frame of this one is complete.
    if (error instanceof ResumeError && checkpoints?.suits(found)) return NOTHING
    throw (error instanceof ResumeError && checkpoints?.problemOfSamples(found)) || error
  })
  if (!film && found.length === 0) progress.info(`${options.out} has no film to go on with: all frames are rendered`)
  const finished = film ?? NOTHING
  // What is kept of a complete still may have samples that its picture has not.
  if (!checkpoints?.keepsSums) for (const frame of finished.frames) await checkpoints?.finished(frame)
  await checkpoints?.resume(found, finished.frames)
  if (!checkpoints)
    for (const frame of await keptFrames(options.out))
      if (isIn(frame, options) && !finished.frames.has(frame))
        progress.warn(
          `${checkpointFile(frame)}: only a run without --time, --verify, --mix-engines and --checkpoint 0 goes on there; the frame is begun anew`,
        )
  return finished
}

const isIn = (frame: number, { firstFrame, frames }: RunOptions): boolean =>
  frame >= firstFrame && frame < firstFrame + frames

/** The frames of a resumed film that need not be rendered again; undefined: there is no film. @throws ResumeError */
async function whatIsFinished(
  manifest: Manifest,
  options: RunOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<FinishedFrames | undefined> {
  const film = await resumedFilm(options.out, manifest)
  if (!film) return undefined
  const finished = await withLongSteps(progress, steps => {
    steps.begin('comparing the frames that are there with what was written')
    return untilAborted(signal, finishedFrames(options.out, film, options))
  })
  const { frames, changed } = finished
  if (!film.written && frames.size > 0)
    progress.info('an earlier release made these frames: those whose pictures can be decoded count as complete')
  if (changed > 0)
    progress.warn(
      `${plural(changed, 'frame')} changed after ${changed === 1 ? 'it was' : 'they were'} written, and ${changed === 1 ? 'is' : 'are'} rendered again`,
    )
  return finished
}

/** What an interrupted run leaves, and how to resume. Until its film has begun, the folder holds what it did before. */
function whatIsThere(
  there: number,
  kept: readonly KeptFrame[],
  { frames, out, quality }: RunOptions,
  resume: boolean,
  begun: boolean,
): string {
  const command = resume ? 'the same command' : 'the same command with --resume'
  const some = there > 0 ? `${countOf(there, frames)} in ${out}` : 'no frame was finished'
  if (kept.length > 0) {
    const parts = kept.map(each => partOf(each, quality.samples)).join('; ')
    return `${some}; ${parts}${there > 0 ? '' : `, in ${out}`}; ${command} goes on there`
  }
  if (there === 0) return `${some}; ${begun ? `none of this film is in ${out}` : `${out} is unchanged`}`
  return `${some}; ${command} renders the others`
}

/** `frame 3 has 12.5 of 64 samples per pixel (19 %): 0003.checkpoint and 0003.partial.png`. */
const partOf = ({ frame, samples }: KeptFrame, most: number): string =>
  `frame ${frame} has ${Number(samples.toPrecision(3))} of ${plural(most, 'sample')} per pixel (${Math.floor((100 * samples) / most)} %): ${checkpointFile(frame)} and ${frameFile(frame, PARTIAL_ENDING)}`

/** `12 of 20 frames are`, `1 of 20 frames is`. */
const countOf = (some: number, all: number): string => `${some} of ${plural(all, 'frame')} ${some === 1 ? 'is' : 'are'}`
