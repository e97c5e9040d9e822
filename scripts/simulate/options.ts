/** Parses and validates the options of `simulate`. */
import { join } from 'node:path'
import type { VirtualArea } from '../../master/simulator/cluster-spec.ts'
import { suitsRacks } from '../../master/simulator/rack-level.ts'
import type { Strategy } from '../../master/strategies/strategy.ts'
import type { SceneLook } from '../../scenes/look/scene-look.ts'
import { OptionError } from '../../shared/errors.ts'
import { CLOCKS, type Clock } from '../../shared/frame/frame-limits.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Quality } from '../../shared/frame/view.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'
import { type CameraOptions, type RawCameraOptions, resolveCamera } from '../options/camera-options.ts'
import { type FrameRange, resolveFrames } from '../options/frame-range.ts'
import { type RawLookOptions, resolveLook } from '../options/look-options.ts'
import { number, oneOf, wholeNumber } from '../options/option-values.ts'
import { parseSize, parseStrategies } from '../options/options.ts'
import { type RawQualityOptions, resolveQuality } from '../options/quality-options.ts'
import { type RawStrategyOptions, refuseRuleOptions, resolveStrategyOptions } from '../options/strategy-options.ts'
import { cacheOption } from '../options/worker-options.ts'
import { parseAreas } from './area-options.ts'
import { type RackOptions, resolveRacks } from './rack-options.ts'

/** Raw options from commander: text, or true for a flag. */
export interface RawSimulateOptions extends RawStrategyOptions, RawCameraOptions, RawLookOptions, RawQualityOptions {
  readonly out?: string
  readonly json?: boolean
  readonly check?: boolean
  readonly from?: string
  readonly strategies: string
  readonly frames?: string
  readonly size?: string
  readonly workers?: string
  readonly speeds?: string
  readonly areas?: string
  readonly levels?: string
  readonly racks?: string
  readonly workerCores?: string
  readonly latency?: string
  readonly bandwidth?: string
  readonly noise: string
  readonly migrationCost: string
  readonly clock?: string
  readonly cache?: string | boolean
}

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

export const RECORDING_EXTENSION = '.ndjson'

const MAX_WORKERS = 100_000
const DEFAULT_SIZE = '1280x720'
/** The defaults of `render` and `compare`. */

/** @throws OptionError, UnknownNameError */
export function resolveSimulateOptions(source: string, raw: RawSimulateOptions): SimulateOptions {
  if (source.trim() === '') throw new OptionError('source', 'a recording, a built-in scene or a mesh file', 'nothing')
  if (raw.out?.trim() === '') throw new OptionError('--out', 'the path of a folder', 'nothing')
  const recorded = source.endsWith(RECORDING_EXTENSION)
  if (raw.check && !recorded) throw new OptionError('--check', `a recording (${RECORDING_EXTENSION})`, source)
  const { strategies, leftOut } = strategiesFor(raw)
  const range = resolveFrames(raw.frames, raw.cameras)
  if (raw.frames?.includes('..'))
    throw new OptionError(
      '--frames',
      'a number of frames, from frame 0: what a strategy knows about a frame is from the frames before',
      `'${raw.frames}'`,
    )
  if (!recorded && raw.areas === undefined) refuseRuleOptions(raw, '--areas')
  const strategyOptions = strategyOptionsOf(raw, strategies)
  return {
    source: recorded ? recordingSource(source, raw) : sceneSource(source, raw, range),
    out: raw.out ?? join('out', 'simulate'),
    json: raw.json === true,
    check: raw.check === true,
    strategies,
    leftOut,
    strategyOptions,
    frames: recorded && raw.frames === undefined ? undefined : range.frames,
    cluster: clusterOptions(raw, strategies, strategyOptions),
    clock: raw.clock === undefined ? undefined : oneOf('clock', raw.clock, CLOCKS),
  }
}

/** All that can be, of two levels. */
function strategiesFor({
  strategies: names,
  levels,
}: RawSimulateOptions): Pick<SimulateOptions, 'strategies' | 'leftOut'> {
  const strategies = parseStrategies(names)
  if (names.trim() !== 'all' || levels?.trim() !== '2') return { strategies, leftOut: [] }
  const isSuited = (strategy: Strategy) => suitsRacks(strategy, DEFAULT_STRATEGY_OPTIONS)
  const others = strategies.filter(strategy => !isSuited(strategy))
  return { strategies: strategies.filter(isSuited), leftOut: others.map(({ name }) => name) }
}

function recordingSource(path: string, raw: RawSimulateOptions): RecordingSource {
  const { size, camera, cameraPath, cameraName, eye, target, up, fov, fNumber, orthographic, record } = raw
  const { integrator, samples, ambientRays, maxDepth, bounces, filter, singleScattering } = raw
  const { background, environment, environmentRotation, environmentIntensity, sun, material, color } = raw
  const { animation, variant } = raw
  const given = Object.entries({
    size,
    camera,
    'camera-path': cameraPath,
    'camera-name': cameraName,
    eye,
    target,
    up,
    fov,
    'f-number': fNumber,
    orthographic,
    environment,
    'environment-rotation': environmentRotation,
    'environment-intensity': environmentIntensity,
    background,
    sun,
    material,
    color,
    animation,
    variant,
    'no-floor': raw.floor === false ? true : undefined,
    integrator,
    samples,
    'ambient-rays': ambientRays,
    'max-depth': maxDepth,
    bounces,
    filter,
    record,
    'single-scattering': singleScattering,
  })
  for (const [name, value] of given)
    if (value !== undefined)
      throw new OptionError(`--${name}`, 'a scene to trace with it: a recording cannot be changed', path)
  return { kind: 'recording', path, from: raw.from }
}

function sceneSource(scene: string, raw: RawSimulateOptions, range: FrameRange): SceneSource {
  if (raw.from !== undefined) throw new OptionError('--from', `a recording (${RECORDING_EXTENSION}) with it`, scene)
  if (raw.record?.trim() === '') throw new OptionError('--record', 'the path of a file', 'nothing')
  if (raw.record !== undefined && !raw.record.endsWith(RECORDING_EXTENSION))
    throw new OptionError('--record', `a name that ends with ${RECORDING_EXTENSION}`, `'${raw.record}'`)
  return {
    kind: 'scene',
    scene,
    size: parseSize(raw.size ?? DEFAULT_SIZE),
    quality: resolveQuality(raw),
    camera: resolveCamera(raw, range),
    look: resolveLook(scene, raw),
    cache: cacheOption(raw.cache),
    record: raw.record,
  }
}

/** The seed also controls the noise, so it is accepted even if no strategy reads it. */
function strategyOptionsOf(raw: RawSimulateOptions, strategies: readonly Strategy[]): StrategyOptions {
  const { seed: _, record: __, ...others } = raw
  return { ...resolveStrategyOptions(others, strategies), seed: seedOf(raw) }
}

const seedOf = ({ seed }: RawSimulateOptions): number =>
  seed === undefined ? DEFAULT_STRATEGY_OPTIONS.seed : wholeNumber('--seed', seed, 0, 0xffffffff)

function clusterOptions(
  raw: RawSimulateOptions,
  strategies: readonly Strategy[],
  strategyOptions: StrategyOptions,
): ClusterOptions {
  const counts = raw.workers?.split(',').map(text => wholeNumber('--workers', text.trim(), 1, MAX_WORKERS))
  if (counts && new Set(counts).size < counts.length)
    throw new OptionError('--workers', 'each number of workers once', `'${raw.workers}'`)
  return {
    counts,
    speeds: speedsOf(raw.speeds, counts),
    areas: parseAreas(raw.areas),
    racks: resolveRacks(raw, strategies, strategyOptions, counts),
    cores: raw.workerCores === undefined ? undefined : number('--worker-cores', raw.workerCores, 1e-3, 1024),
    latencyMs: raw.latency === undefined ? undefined : number('--latency', raw.latency, 0, 60_000),
    mbit: raw.bandwidth === undefined ? Number.POSITIVE_INFINITY : number('--bandwidth', raw.bandwidth, 1e-3, 1e9),
    noise: number('--noise', raw.noise, 0, 1),
    seed: seedOf(raw),
    migrationMsPerPixel: number('--migration-cost', raw.migrationCost, 0, 1000),
  }
}

function speedsOf(text: string | undefined, counts: readonly number[] | undefined): readonly number[] {
  if (text === undefined) return [1]
  const speeds = text.split(',').map(speed => number('--speeds', speed, 0, 1e6))
  if (!speeds.some(speed => speed > 0)) throw new OptionError('--speeds', 'at least one above 0', `'${text}'`)
  if (!counts) throw new OptionError('--speeds', '--workers with it', 'none')
  for (const count of counts)
    if (count % speeds.length !== 0)
      throw new OptionError(
        '--speeds',
        `one speed for each of the ${count} workers, or a pattern that repeats a whole number of times`,
        `${speeds.length} ${speeds.length === 1 ? 'speed' : 'speeds'}`,
      )
  return speeds
}
