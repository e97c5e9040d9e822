/** Resolves the options of a run from what `render`, `compare` or `tile` was told. Nothing here accesses sockets. */
import { excessOf } from '../../master/clients/order-cost.ts'
import type { PlugIns } from '../../master/sessions/methods.ts'
import type { Strategy } from '../../master/strategies/strategy.ts'
import { checkLook, type SceneLook } from '../../scenes/look/scene-look.ts'
import { OptionError } from '../../shared/errors.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import type { EngineName } from '../../worker/engine/engine.ts'
import { checkMixed, engineElsewhere, runnableEngine } from '../../worker/node/engines.ts'
import { type CommandName, commandLine } from './declare/group.ts'
import { type CameraOptions, meshUp, resolveCamera } from './groups/camera.ts'
import type { CameraList } from './groups/camera-file.ts'
import { type LocalOptions, type RemoteOptions, resolveCluster, resolveVerify } from './groups/cluster.ts'
import { type Display, resolveDisplay } from './groups/display.ts'
import type { Exposure } from './groups/exposure.ts'
import { type Cut, type FilmTime, resolveCut, resolveTime, stillFrames } from './groups/film.ts'
import { GROUPS, type RunGiven, type RunSettled, settledRun } from './groups/index.ts'
import { lookFlag, lookOf } from './groups/look.ts'
import { channelsOf, type OutputOptions, resolveOutput } from './groups/output.ts'
import { type Picture, resolvePicture } from './picture.ts'
import { flagOf, refuseRuleOptions, resolveStrategyOptions } from './strategies.ts'
import { cacheOption, engineOption } from './worker-options.ts'

/** Options with another form once they are resolved. */
type Replaced =
  | 'exposure'
  | 'view'
  | keyof Cut
  | keyof Display
  | keyof Own
  | keyof Picture
  | keyof FilmTime
  | keyof OutputOptions

/** All options: as they were said, with defaults, or what was made of them. */
export interface RunOptions extends Omit<RunSettled, Replaced>, Own, Cut, Display, Picture, FilmTime, OutputOptions {}

interface Own {
  readonly scene: string
  /** Whether the scene may decide how many frames there are (`film-length.ts`). */
  readonly isLengthOpen: boolean
  /** Number of frames instead, if the camera turns out to be the scene's own. */
  readonly stillFrames?: number
  readonly camera: CameraOptions
  /** Linear scale before tone mapping, or stops from the scene's; undefined: the scene's. */
  readonly exposure: Exposure | undefined
  /** Whether it shall suit the film instead. */
  readonly isExposureOpen: boolean
  readonly look: SceneLook
  /** Options for the strategies. */
  readonly strategy: StrategyOptions
  readonly engine: EngineName
  /** Workers of a running master, or of a cluster started here. */
  readonly cluster: RemoteOptions | LocalOptions
  /** Folder for scenes, and for those that local workers build; false: none. */
  readonly cache: string | false
  /** Share of each frame's rows that are traced twice; undefined: none. */
  readonly verify: number | undefined
  /** The command line that traces a tile of a frame alone. */
  readonly tileCommand?: string
}

export interface RunContext {
  readonly command: CommandName
  /** Of this machine. */
  readonly cores: number
  /** Strategies that will run. */
  readonly chosen: readonly Strategy[]
  /** Those that are not built in. @default none */
  readonly plugIns?: PlugIns
  /** Those of the file that `--camera` names. */
  readonly cameras?: CameraList | undefined
  readonly tileCommand?: string | undefined
}

/** @throws OptionError, UnknownNameError, EngineUnavailableError */
export function resolveRunOptions(scene: string, given: RunGiven, context: RunContext): RunOptions {
  const { command, cores, chosen, plugIns, cameras, tileCommand } = context
  if (scene.trim() === '')
    throw new OptionError('scene', 'the name of a built-in scene or the path of a mesh', 'nothing')
  const all = settledRun(command, given)
  const voice = commandLine(GROUPS, command)
  const picture = resolvePicture(given, voice)
  const cut = resolveCut(all, voice)
  const still = stillFrames(command)
  const isStill = given.eye !== undefined || given.cameraName !== undefined
  const time = resolveTime(given, cameras, isStill ? still : undefined)
  const camera = resolveCamera(given, time, cameras)
  const isSpread = typeof camera === 'object' && (camera.kind === 'sweep' || camera.kind === 'listed')
  const isLengthOpen = given.frames === undefined && given.duration === undefined && !isSpread
  const cluster = resolveCluster(given, command, cores, all.mixEngines)
  if (cluster.kind === 'local' && cluster.accelerators.length === 0) refuseRuleOptions(given, '--accelerator')
  const look = lookOf(given, meshUp(given))
  checkLook(look, scene, lookFlag)
  const engine = engineOption(all)
  checkMixed(engine, all.mixEngines, '--mix-engines')
  const options: RunOptions = {
    ...all,
    ...cut,
    ...picture,
    ...resolveDisplay(given, voice),
    ...time,
    ...resolveOutput(all, cut.size, all.progressive),
    scene,
    isLengthOpen,
    ...(isLengthOpen && still !== undefined ? { stillFrames: still } : {}),
    camera,
    exposure: all.exposure === 'auto' ? undefined : all.exposure,
    isExposureOpen: all.exposure === 'auto',
    look,
    strategy: resolveStrategyOptions(given, chosen, given.record !== undefined, plugIns?.predictors),
    // Remote workers may have engines that this machine lacks.
    engine:
      cluster.kind === 'local' ? runnableEngine(engine, cluster.accelerators) : engineElsewhere(engine, '--engine'),
    cluster,
    verify: resolveVerify(given, cluster),
    cache: cacheOption(all.noCache ?? all.cache),
    ...(tileCommand === undefined ? {} : { tileCommand }),
  }
  for (const strategy of chosen) checkCost(options, strategy)
  return options
}

/** Before anything is started: the master would refuse it. @throws OptionError */
function checkCost(options: RunOptions, strategy: Strategy): void {
  const { size, quality, passes, progressive, inFlight, noise, verify, transparent, denoise, record, cluster, time } =
    options
  const excess = excessOf({
    size,
    quality,
    passes,
    progressive,
    inFlight,
    strategy,
    options: options.strategy,
    record: record !== undefined,
    minWorkers: cluster.workers,
    channels: channelsOf(options),
    ...(transparent ? { transparent } : {}),
    ...(denoise === 'on' ? { denoise: true } : {}),
    ...(noise === undefined ? {} : { noise }),
    ...(time === undefined ? {} : { timeMs: time * 1000 }),
    ...(verify === undefined ? {} : { verify }),
  })
  if (!excess) return
  const flags = {
    minWorkers: '--workers',
    passes: options.shutter ? '--time-steps' : '--passes',
    size: options.region ? '--region' : '--size',
  }
  const { option } = excess
  const flag = option === 'tile' || option === 'scatter' || option === 'cell' ? flagOf(option) : flags[option]
  throw new OptionError(flag, excess.expected, excess.got)
}
