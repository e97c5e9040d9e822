/** Resolves the options of `simulate`. */
import type { PlugIns } from '../../master/sessions/methods.ts'
import type { VirtualArea } from '../../master/simulator/cluster-spec.ts'
import { suitsRacks } from '../../master/simulator/rack-level.ts'
import type { Strategy } from '../../master/strategies/strategy.ts'
import { checkLook, type SceneLook } from '../../scenes/look/scene-look.ts'
import { OptionError } from '../../shared/errors.ts'
import type { Clock } from '../../shared/frame/frame-limits.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Quality } from '../../shared/frame/view.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'
import { longFlag, optionsOf } from '../options/declare/group.ts'
import { type CameraOptions, meshUp, resolveCamera } from '../options/groups/camera.ts'
import type { CameraList } from '../options/groups/camera-file.ts'
import { type FrameRange, film, resolveFrames } from '../options/groups/film.ts'
import { resolveQuality } from '../options/groups/light.ts'
import { lookFlag, lookOf } from '../options/groups/look.ts'
import { parseStrategies, refuseRuleOptions, resolveStrategyOptions } from '../options/strategies.ts'
import { cacheOption } from '../options/worker-options.ts'
import { RECORDING_EXTENSION, SIMULATION, type SimulateGiven, simulation } from './group.ts'
import { type RackOptions, resolveRacks } from './rack-options.ts'

export interface SimulateOptions {
  readonly source: RecordingSource | SceneSource
  readonly out: string
  readonly json: boolean
  /** Whether to only compare live frames of the recording with simulated ones. */
  readonly check: boolean
  readonly strategies: readonly Strategy[]
  /** Names of those that `all` does not mean here: they cannot run on two levels. */
  readonly leftOut: readonly string[]
  /** Options for the strategies. */
  readonly strategyOptions: StrategyOptions
  /** Strategies and predictors that are not built in. */
  readonly plugIns: PlugIns
  /** Absent: all frames of a recording. */
  readonly frames: number | undefined
  readonly cluster: ClusterOptions
  /** Absent: the recording's own. */
  readonly clock: Clock | undefined
}

export interface RecordingSource {
  readonly kind: 'recording'
  readonly path: string
  /** The strategy whose frames are simulated. Absent: the first. */
  readonly from: string | undefined
}

export interface SceneSource {
  readonly kind: 'scene'
  readonly scene: string
  readonly size: Size
  readonly quality: Quality
  readonly camera: CameraOptions
  readonly look: SceneLook
  /** Folder for scenes; false: none. */
  readonly cache: string | false
  /** File for the traced costs, if they are to be kept. */
  readonly record: string | undefined
}

export interface ClusterOptions {
  /** Number of workers of each simulation. Absent: that of the recording. */
  readonly counts: readonly number[] | undefined
  /** Repeated over all workers. */
  readonly speeds: readonly number[]
  /** What every worker consists of. Absent: one area. */
  readonly areas: readonly VirtualArea[] | undefined
  /** Absent: all workers answer to one master. */
  readonly racks: RackOptions | undefined
  /** Cores that the fastest worker is limited to. */
  readonly cores: number | undefined
  /** Absent: loopback latency, or as recorded if live frames are checked. */
  readonly latencyMs: number | undefined
  /** Per link; Infinity: no limit. */
  readonly mbit: number
  readonly noise: number
  readonly seed: number
  readonly migrationMsPerPixel: number
}

/** @param cameras of the file that `--camera` names @throws OptionError, UnknownNameError */
export function resolveSimulateOptions(
  source: string,
  given: SimulateGiven,
  plugIns: PlugIns,
  cameras?: CameraList,
): SimulateOptions {
  if (source.trim() === '') throw new OptionError('source', 'a recording, a built-in scene or a mesh file', 'nothing')
  const { out = simulation.options.out.usual as string, json = false, check = false, areas } = given
  const recorded = source.endsWith(RECORDING_EXTENSION)
  if (check && !recorded) throw new OptionError('--check', `a recording (${RECORDING_EXTENSION})`, source)
  const { strategies, leftOut } = strategiesFor(given, plugIns)
  const range = resolveFrames(given.frames, cameras)
  if (!recorded && areas === undefined) refuseRuleOptions(given, '--areas')
  // The seed also controls the noise, so it is accepted even if no strategy reads it.
  const { seed = DEFAULT_STRATEGY_OPTIONS.seed, ...others } = given
  const strategyOptions = { ...resolveStrategyOptions(others, strategies, false, plugIns.predictors), seed }
  return {
    source: recorded ? recordingSource(source, given) : sceneSource(source, given, range, cameras),
    out,
    json,
    check,
    strategies,
    leftOut,
    strategyOptions,
    plugIns,
    frames: recorded && given.frames === undefined ? undefined : range.frames,
    cluster: clusterOptions(given, strategies, strategyOptions),
    clock: given.clock,
  }
}

/** All that can be, of two levels. */
function strategiesFor(
  { strategies: names = 'all', levels }: SimulateGiven,
  { strategies: own }: PlugIns,
): Pick<SimulateOptions, 'strategies' | 'leftOut'> {
  const strategies = parseStrategies(names, own)
  if (names.trim() !== 'all' || levels !== 2) return { strategies, leftOut: [] }
  const isSuited = (strategy: Strategy) => suitsRacks(strategy, DEFAULT_STRATEGY_OPTIONS)
  const others = strategies.filter(strategy => !isSuited(strategy))
  return { strategies: strategies.filter(isSuited), leftOut: others.map(({ name }) => name) }
}

/** Everything that decides what a scene looks like is in a recording already. */
function recordingSource(path: string, given: SimulateGiven): RecordingSource {
  for (const [key, option] of optionsOf(SIMULATION, 'simulate'))
    if ((option.decides === 'pixels' || key === 'record') && given[key as keyof SimulateGiven] !== undefined)
      throw new OptionError(longFlag(option), 'a scene to trace with it: a recording cannot be changed', path)
  return { kind: 'recording', path, from: given.from }
}

function sceneSource(scene: string, given: SimulateGiven, range: FrameRange, cameras?: CameraList): SceneSource {
  if (given.from !== undefined) throw new OptionError('--from', `a recording (${RECORDING_EXTENSION}) with it`, scene)
  const look = lookOf(given, meshUp(given))
  checkLook(look, scene, lookFlag)
  return {
    kind: 'scene',
    scene,
    size: given.size ?? (film.options.size.usual as Size),
    quality: resolveQuality(given),
    camera: resolveCamera(given, range, cameras),
    look,
    cache: cacheOption(given.noCache ?? given.cache),
    record: given.record,
  }
}

function clusterOptions(
  given: SimulateGiven,
  strategies: readonly Strategy[],
  strategyOptions: StrategyOptions,
): ClusterOptions {
  const { workers: counts, tileNoise = 0, migrationCost = 0 } = given
  return {
    counts,
    speeds: speedsOf(given.speeds, counts),
    areas: given.areas,
    racks: resolveRacks(given, strategies, strategyOptions, counts),
    cores: given.workerCores,
    latencyMs: given.latency,
    mbit: given.bandwidth ?? Number.POSITIVE_INFINITY,
    noise: tileNoise,
    seed: strategyOptions.seed,
    migrationMsPerPixel: migrationCost,
  }
}

function speedsOf(speeds: readonly number[] = [1], counts: readonly number[] = []): readonly number[] {
  for (const count of counts)
    if (count % speeds.length !== 0)
      throw new OptionError(
        '--speeds',
        `one speed for each of the ${count} workers, or a pattern that repeats a whole number of times`,
        `${speeds.length} ${speeds.length === 1 ? 'speed' : 'speeds'}`,
      )
  return speeds
}
