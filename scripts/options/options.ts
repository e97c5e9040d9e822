/**
 * Parses and validates the options that `render` and `compare` share. Nothing here accesses files or sockets.
 */
import { excessOf } from '../../master/sessions/order-cost.ts'
import { strategies, strategyByName } from '../../master/strategies/index.ts'
import type { Strategy } from '../../master/strategies/strategy.ts'
import type { SceneLook } from '../../scenes/look/scene-look.ts'
import { OptionError } from '../../shared/errors.ts'
import { CLOCKS, type Clock, MAX_FRAME_PX, MAX_SIDE_PX } from '../../shared/frame/frame-limits.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Quality } from '../../shared/frame/view.ts'
import { masterUrl } from '../../shared/protocol/master-address.ts'
import { BASELINE_STRATEGY } from '../../shared/session/default-strategy.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import { parseAccelerator } from '../../worker/accelerators/spec.ts'
import type { EngineName } from '../../worker/engine/engine.ts'
import { engineByName } from '../../worker/node/engines.ts'
import { evenThreads, type LocalWorkers, type Pacing, resolvePacing } from '../library/pacing.ts'
import type { Shutter } from '../library/shutter.ts'
import type { RawAccessOptions } from './access-options.ts'
import { type CameraOptions, type RawCameraOptions, resolveCamera } from './camera-options.ts'
import { type FilmTime, resolveTime } from './film-time.ts'
import { type RawLookOptions, resolveLook } from './look-options.ts'
import { number, oneOf, wholeNumber } from './option-values.ts'
import { channelsOf, type OutputOptions, type RawOutputOptions, resolveOutputOptions } from './output-options.ts'
import { type PassOptions, type RawPassOptions, resolvePassOptions } from './pass-options.ts'
import { type RawQualityOptions, resolveNoise, resolveQuality } from './quality-options.ts'
import { type RawShutterOptions, resolveShutter } from './shutter-options.ts'
import { flagOf, type RawStrategyOptions, refuseRuleOptions, resolveStrategyOptions } from './strategy-options.ts'
import { resolveVerify } from './verify-option.ts'
import { cacheOption, engineOption } from './worker-options.ts'

/** Raw options from commander: text, or true for a flag. */
export interface RawRunOptions
  extends RawStrategyOptions,
    RawPassOptions,
    RawShutterOptions,
    RawCameraOptions,
    RawLookOptions,
    RawQualityOptions,
    RawOutputOptions,
    RawAccessOptions {
  readonly out?: string
  readonly trace?: string
  readonly record?: string
  readonly frames?: string
  readonly fps?: string
  readonly duration?: string
  readonly size: string
  readonly clock: string
  readonly engine: string
  readonly fastMath?: boolean
  readonly workers?: string
  readonly threads?: string
  readonly workerCores?: string
  readonly cache?: string | false
  readonly accelerator?: readonly string[]
  readonly master?: string
  readonly reconnect?: string
  readonly wait: string
  readonly verify?: string
  readonly json?: boolean
  /** See `RunOptions`. */
  readonly tileCommand?: string
}

export interface RunOptions extends PassOptions, FilmTime, OutputOptions {
  readonly scene: string
  readonly out: string
  /** Whether the scene may decide how many frames there are (`film-length.ts`). */
  readonly isLengthOpen: boolean
  /** Number of frames instead, if the camera turns out to be the scene's own. */
  readonly stillFrames?: number
  readonly size: Size
  readonly camera: CameraOptions
  readonly look: SceneLook
  readonly quality: Quality
  /** How noisy an adaptive frame may stay, as a share of its light; undefined if frames are not adaptive. */
  readonly noise: number | undefined
  /** Undefined without motion blur. Its steps are the passes. */
  readonly shutter: Shutter | undefined
  readonly clock: Clock
  /** Options for the strategies. */
  readonly strategy: StrategyOptions
  /** File for a trace of every span, if requested. */
  readonly trace: string | undefined
  /** File for a recording, if requested. */
  readonly record: string | undefined
  readonly engine: EngineName
  /** Workers of a running master, or of a cluster started here. */
  readonly cluster: RemoteOptions | LocalOptions
  /** Folder for scenes, and for those that local workers build; false: none. */
  readonly cache: string | false
  readonly waitMs: number
  /** Share of each frame's rows that are traced twice; undefined: none. */
  readonly verify: number | undefined
  readonly json: boolean
  /** The command line that traces a tile of a frame alone. */
  readonly tileCommand?: string
}

export interface RemoteOptions {
  readonly kind: 'remote'
  /** WebSocket address of the master. */
  readonly url: string
  /** Workers to wait for. */
  readonly workers: number
  /** How long to wait for the master if it is lost, s. */
  readonly reconnect: number
}

export interface LocalOptions {
  readonly kind: 'local'
  /** Worker processes to start. */
  readonly workers: number
  readonly threads: number
  readonly pacing: Pacing
  /** Of each worker. */
  readonly accelerators: readonly string[]
}

/** Defaults for the local cluster. */
export interface LocalDefaults {
  readonly workers: number
  /** Threads per worker; absent: all cores, shared evenly. */
  readonly threads?: number
  readonly shares: 'auto' | 'off'
  /** Frames of a camera given by --eye: several for a comparison, one for a rendering. @default as for any film */
  readonly stillFrames?: number
  /** How long to wait for a remote master if it is lost, s. @default 0: a pause would be measured, too */
  readonly reconnect?: number
}

/** The fastest setup. */
export const FASTEST: LocalDefaults = { workers: 1, shares: 'off', stillFrames: 1, reconnect: 60 }
/** Something to balance: as many slower machines. */
export const EIGHT_MACHINES: LocalDefaults = { workers: 8, threads: 1, shares: 'auto' }

/**
 * @param cores of this machine
 * @param chosen strategies that will run
 * @throws OptionError, UnknownNameError, EngineUnavailableError
 */
export function resolveRunOptions(
  scene: string,
  raw: RawRunOptions,
  defaultOut: string,
  cores: number,
  local: LocalDefaults,
  chosen: readonly Strategy[] = strategies,
): RunOptions {
  if (scene.trim() === '')
    throw new OptionError('scene', 'the name of a built-in scene or the path of a mesh', 'nothing')
  if (raw.out?.trim() === '') throw new OptionError('--out', 'the path of a folder', 'nothing')
  if (raw.trace?.trim() === '') throw new OptionError('--trace', 'the path of a file', 'nothing')
  if (raw.record?.trim() === '') throw new OptionError('--record', 'the path of a file', 'nothing')
  if (raw.record !== undefined && raw.noise !== undefined)
    throw new OptionError(
      '--record',
      'no --noise with it: a recording holds what a frame costs in a single pass',
      raw.record,
    )
  const noise = raw.noise === undefined ? undefined : resolveNoise(raw.noise)
  const quality = resolveQuality(raw, noise)
  const shutter = resolveShutter(raw, quality.samples)
  const size = parseSize(raw.size)
  const output = resolveOutputOptions(raw, size)
  const isStill = raw.eye !== undefined || raw.cameraName !== undefined
  const time = resolveTime(raw, isStill ? local.stillFrames : undefined)
  const camera = resolveCamera(raw, time)
  const isSpread = typeof camera === 'object' && (camera.kind === 'sweep' || camera.kind === 'listed')
  const isLengthOpen = raw.frames === undefined && raw.duration === undefined && !isSpread
  const cluster = resolveCluster(raw, cores, local)
  const options: RunOptions = {
    scene,
    out: raw.out ?? defaultOut,
    ...time,
    isLengthOpen,
    ...(isLengthOpen && local.stillFrames !== undefined ? { stillFrames: local.stillFrames } : {}),
    size,
    ...output,
    camera,
    look: resolveLook(scene, raw),
    quality,
    noise,
    shutter,
    ...resolvePassOptions(raw, quality.samples, output.outputs, shutter?.steps),
    clock: oneOf('clock', raw.clock, CLOCKS),
    strategy: resolveStrategyOptions(raw, chosen),
    trace: raw.trace,
    record: raw.record,
    // Remote workers may have engines that this machine lacks.
    engine: raw.master === undefined ? engineByName(engineOption(raw)).name : engineOption(raw),
    cluster,
    verify: resolveVerify(raw, cluster),
    cache: cacheOption(raw.cache),
    waitMs: number('--wait', raw.wait, 0, 86_400) * 1000,
    json: raw.json === true,
    ...(raw.tileCommand === undefined ? {} : { tileCommand: raw.tileCommand }),
  }
  for (const { name } of chosen) checkCost(options, name)
  return options
}

/** Before anything is started: the master would refuse it. @throws OptionError */
function checkCost(options: RunOptions, strategy: string): void {
  const { strategy: ofStrategy, noise, verify, transparent, record, cluster, ...others } = options
  const excess = excessOf({
    ...others,
    strategy,
    options: ofStrategy,
    record: record !== undefined,
    minWorkers: cluster.workers,
    channels: channelsOf(options),
    ...(transparent ? { transparent } : {}),
    ...(noise === undefined ? {} : { noise }),
    ...(verify === undefined ? {} : { verify }),
  })
  if (!excess) return
  const flags = { minWorkers: '--workers', passes: options.shutter ? '--time-steps' : '--passes', size: '--size' }
  const { option } = excess
  const flag = option === 'tile' || option === 'scatter' || option === 'cell' ? flagOf(option) : flags[option]
  throw new OptionError(flag, excess.expected, excess.got)
}

function resolveCluster(raw: RawRunOptions, cores: number, local: LocalDefaults): RemoteOptions | LocalOptions {
  const { master, workerCores } = raw
  const asked = raw.workers === undefined ? undefined : wholeNumber('--workers', raw.workers, 1, 1024)
  if (master !== undefined) {
    if (workerCores !== undefined)
      throw new OptionError(
        '--worker-cores',
        'no --master with it: only workers started here can be limited to a share',
        workerCores,
      )
    if (raw.threads !== undefined)
      throw new OptionError('--threads', 'no --master with it: workers elsewhere have their own', raw.threads)
    if (raw.accelerator !== undefined)
      throw new OptionError(
        '--accelerator',
        'no --master with it: workers elsewhere have their own',
        raw.accelerator.join(', '),
      )
    const { reconnect = `${local.reconnect ?? 0}` } = raw
    return {
      kind: 'remote',
      url: masterUrl('--master', master),
      workers: asked ?? 1,
      reconnect: number('--reconnect', reconnect, 0, 86_400),
    }
  }
  if (raw.reconnect !== undefined)
    throw new OptionError(
      '--reconnect',
      '--master with it: a cluster started here ends with this program',
      raw.reconnect,
    )
  const workers = asked ?? local.workers
  const threads =
    raw.threads === undefined
      ? (local.threads ?? evenThreads(workers, cores))
      : wholeNumber('--threads', raw.threads, 1, 1024)
  const shares = workerCores === undefined ? local.shares : parseShares(workerCores)
  const { accelerator: accelerators = [] } = raw
  const factors = accelerators.map(accelerator => parseAccelerator(accelerator).factor)
  // Each worker has its share for its CPU; what its accelerators add must be there, too.
  const own = cores / (1 + factors.reduce((sum, factor) => sum + factor, 0))
  const pacing = resolvePacing({ count: workers, threads, cores: workers > 1 ? own : cores, shares })
  if (accelerators.length === 0) refuseRuleOptions(raw, '--accelerator')
  return { kind: 'local', workers, threads, pacing, accelerators }
}

/** Comma-separated strategy names, each once, or `all`. @throws OptionError, UnknownNameError */
export function parseStrategies(text: string): Strategy[] {
  if (text.trim() === 'all') return allStrategies()
  const names = text.split(',').map(name => name.trim())
  if (names.includes('all')) throw new OptionError('--strategies', "'all' on its own, or names", `'${text}'`)
  const chosen = names.map(strategyByName)
  if (new Set(chosen).size < chosen.length) throw new OptionError('--strategies', 'each strategy once', `'${text}'`)
  return chosen
}

/** The baseline, then all others except the one that does not share: its frames take as long as all workers' work together. */
function allStrategies(): Strategy[] {
  const baseline = strategyByName(BASELINE_STRATEGY)
  return [baseline, ...strategies.filter(each => each !== baseline && each.name !== 'single-worker')]
}

/** @throws OptionError */
export function parseSize(text: string): Size {
  const match = /^(\d+)x(\d+)$/i.exec(text)
  const [w, h] = [Number(match?.[1]), Number(match?.[2])]
  const expected = `WIDTHxHEIGHT in px such as 1280x720, each side 1 to ${MAX_SIDE_PX}, at most ${MAX_FRAME_PX / 2 ** 20} Mi px in all`
  if (!(w >= 1 && h >= 1 && w <= MAX_SIDE_PX && h <= MAX_SIDE_PX && w * h <= MAX_FRAME_PX))
    throw new OptionError('--size', expected, `'${text}'`)
  return [w, h]
}

function parseShares(text: string): LocalWorkers['shares'] {
  if (text === 'auto' || text === 'off') return text
  const shares = text.split(',').map(Number)
  if (shares.some(share => !(share > 0 && share <= 1024)))
    throw new OptionError(
      '--worker-cores',
      "'auto', 'off', or cores above 0 such as 0.2 or 0.2,0.2,0.1,0.05",
      `'${text}'`,
    )
  return shares
}
