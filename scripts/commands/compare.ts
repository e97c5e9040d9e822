/**
 * `sortfirst compare`: renders the same frames once per strategy, or in several rounds, and reports them side by side.
 * Rounds are interleaved, A B C A B C, so that slow changes of the machine affect all strategies alike.
 */
import { join } from 'node:path'
import type { PlugIns } from '../../master/sessions/methods.ts'
import type { MasterAccess } from '../../shared/access/node/master-access.ts'
import { OptionError, OptionRuleError, SortfirstError } from '../../shared/errors.ts'
import type { Summary } from '../../shared/frame/summary.ts'
import { COMPARED_STRATEGIES } from '../../shared/session/default-strategy.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import type { MeasuredRun, Outputs } from '../compare/compared-run.ts'
import { conditionsOf, newManifest, resumedManifest, writeManifest } from '../compare/manifest.ts'
import { Rounds } from '../compare/rounds.ts'
import { withOutputFolder } from '../files/output-folder.ts'
import { clientAccess } from '../options/access-options.ts'
import type { Words } from '../options/declare/group.ts'
import { camerasOf } from '../options/groups/camera-file.ts'
import { exposureFrom } from '../options/groups/exposure.ts'
import { wholeSize } from '../options/groups/film.ts'
import { readRun } from '../options/groups/index.ts'
import { DEFAULT_INTEGRATOR } from '../options/groups/light.ts'
import { type RunOptions, resolveRunOptions } from '../options/run.ts'
import { parseStrategies } from '../options/strategies.ts'
import { warnOfCache } from '../options/worker-options.ts'
import { withRecording } from '../recording/record.ts'
import { doubtsOf, type OtherLoad } from '../report/figures/doubts.ts'
import type { KeptFrames } from '../report/figures/kept-frames.ts'
import { folderName, writeReport } from '../report/write-report.ts'
import { printResult, summaryOf } from '../run/finish.ts'
import { hostCores } from '../run/host.ts'
import { loadOf, otherCores } from '../run/host-load.ts'
import { withNames } from '../run/named-strategies.ts'
import { withCluster } from '../run/open-cluster.ts'
import { comparedFiles, expectRoom, refuseClashes } from '../run/own-files.ts'
import { prepareScene, warnOfGaps } from '../run/prepare-scene.ts'
import { withTraceFile } from '../run/trace-file.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'

/** Two strategies produced different pixels for the same frame, so their results are not comparable. */
export class FramesDifferError extends SortfirstError {
  readonly code = 'FRAMES_DIFFER'
  constructor(frame: number, a: string, b: string) {
    super(
      `frame ${frame} has different pixels with ${b} than with ${a}; please report this with the command that showed it`,
    )
  }
}

export async function compare(sceneName: string, words: Words, tileWords: string | undefined): Promise<void> {
  refuseFiles(words)
  const { given, plugIns } = await withNames(readRun('compare', words))
  // Otherwise `tile` would decide by the scene.
  const tileCommand =
    tileWords && given.integrator === undefined ? `${tileWords} --integrator ${DEFAULT_INTEGRATOR}` : tileWords
  const strategies = parseStrategies(given.strategies ?? COMPARED_STRATEGIES, plugIns.strategies)
  const cameras = await camerasOf(given)
  const context = { command: 'compare', cores: hostCores(), chosen: strategies, plugIns, cameras, tileCommand } as const
  const options = resolveRunOptions(sceneName, given, context)
  const names = strategies.map(strategy => strategy.name)
  const { repeat: repeats, resume } = options
  const order = { names, plugIns, repeats, resume, access: clientAccess(given, process.env) }
  if (order.resume) refuseParts(options)
  const own = comparedFiles(options, names.map(folderName))
  await refuseClashes(options, own)
  const progress = createProgress(process.stderr, options.logForm)
  await warnOfCache(given.noCache ?? given.cache, progress)
  const { summary, rounds } = await interruptible(signal =>
    withOutputFolder(options.out, async folder => {
      await expectRoom(options.out, own)
      // All of them now: another run could take one before its strategy's turn.
      for (const name of own.folders) await folder.below(name)
      return withTraceFile(options.trace, trace =>
        withRecording(options.record, recorder =>
          compareInto({ folder, trace, recorder }, options, order, progress, signal),
        ),
      )
    }),
  )
  // After all files are written: the reader may close the pipe early.
  await printResult(summary, options, `report: ${join(options.out, 'report.html')}`)
  if (!options.mixEngines) checkSamePixels(rounds.flat())
}

/** Options of `render` for files that a comparison has no use for. @throws OptionError */
function refuseFiles(words: Words): void {
  for (const name of ['output', 'aov'] as const)
    if (words[name] !== undefined)
      throw new OptionError(`--${name}`, 'it for render only: compare writes PNG files', `'${words[name]}'`)
}

/** Existing runs cannot be added to a trace or recording. @throws OptionError */
function refuseParts({ trace, record }: RunOptions): void {
  for (const [option, path] of Object.entries({ '--trace': trace, '--record': record }))
    if (path !== undefined)
      throw new OptionRuleError(option, 'cannot be combined with --resume: it would lack the runs that already exist')
}

/** What to compare. */
interface Order {
  readonly names: readonly string[]
  readonly plugIns: PlugIns
  readonly repeats: number
  /** Whether complete runs are reused. */
  readonly resume: boolean
  readonly access: MasterAccess
}

async function compareInto(
  outputs: Outputs,
  options: RunOptions,
  order: Order,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ readonly summary: Summary; readonly rounds: readonly (readonly KeptFrames[])[] }> {
  const { camera, look, cache } = options
  const loaded = await prepareScene(options.scene, wholeSize(options), camera, progress, signal, { ...look, cache })
  warnOfGaps(loaded, options.quality, progress)
  const scene = { ...loaded, exposure: exposureFrom(options.exposure, loaded.exposure) }
  const conditions = conditionsOf(scene, options, order.names)
  const before = order.resume ? await resumedManifest(options.out, conditions) : undefined
  const manifest = before ?? newManifest(conditions)
  const place = { folder: outputs.folder, comparison: manifest.comparison }
  const runs = new Rounds(order.names, order.repeats, place)
  if (before) {
    await untilAborted(signal, runs.takeSaved())
    progress.info(`${runs.complete} of ${runs.wanted} runs exist already`)
  } else if (order.resume) progress.info(`${options.out} has no comparison to go on with: all runs are made`)

  // The folder stays unchanged until the first frame is done; a resumed comparison has already begun.
  let begun = before ? Promise.resolve() : undefined
  const begin = (): Promise<void> => {
    begun ??= writeManifest(outputs.folder, manifest)
    return begun
  }
  try {
    if (runs.complete < runs.wanted)
      await withCluster({ ...options, access: order.access }, progress, signal, async opened =>
        runs.makeMissing(
          { plugIns: order.plugIns, scene, options, cluster: await opened(), progress, outputs, begin },
          signal,
        ),
      )
  } catch (error) {
    if (signal.aborted || runs.complete > 0)
      progress.info(`${runs.complete} of ${runs.wanted} runs are complete in ${options.out}; --resume makes the others`)
    throw error
  }
  await outputs.folder.check()
  const rounds: readonly (readonly MeasuredRun[])[] = [runs.first, ...runs.later]
  const [first, ...others] = rounds.map(round => round.map(run => run.kept))
  const summary = withDoubts(summaryOf({ scene, runs: first!, later: others }, options), rounds)
  for (const warning of summary.warnings) progress.warn(warning)
  const writing = writeReport(outputs.folder, {
    summary,
    tiled: runs.first.map(run => run.last),
    runs: runs.first.flatMap(run => run.frames ?? []),
    films: runs.first.map(run => run.film),
    pictures: runs.first.slice(0, 1).map(run => run.last),
  })
  await untilAborted(signal, writing)
  return { summary, rounds: [first!, ...others] }
}

/** Adds the host's other load and warnings about doubtful results to the summary. */
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

/** Every strategy must have produced identical frames, in every round. @throws FramesDifferError */
function checkSamePixels([first, ...others]: readonly KeptFrames[]): void {
  for (const other of others) {
    for (const [i, hash] of other.hashes.entries()) {
      if (hash !== first?.hashes[i])
        throw new FramesDifferError(other.frames[i]?.frame ?? i, first?.name ?? '', other.name)
    }
  }
}
