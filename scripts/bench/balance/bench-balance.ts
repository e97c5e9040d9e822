/**
 * Compares balancers: every strategy in every situation, on the costs of a real scene, traced once and then replayed in a
 * simulated cluster. Also measures what each part of `predictive` contributes, by leaving it out.
 */
import { simulate } from '../../../master/simulator/simulate.ts'
import { strategies, strategyByName } from '../../../master/strategies/index.ts'
import type { Strategy } from '../../../master/strategies/strategy.ts'
import { isCut } from '../../../scenes/cameras/camera-paths.ts'
import type { CameraPathName } from '../../../scenes/cameras/camera-words.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../../shared/session/strategy-options.ts'
import { WITHIN_NAMES } from '../../../shared/session/strategy-words.ts'
import type { Log } from '../../../shared/text/log.ts'
import type { CostedFrame } from '../../recording/read-recording.ts'
import { traceCosts } from '../../recording/trace-costs.ts'
import { prepareScene } from '../../run/prepare-scene.ts'
import { hybridSituations, type Situation, situations } from './situations.ts'

export interface BalanceBenchOptions {
  /** A built-in scene, or a mesh file. */
  readonly scene: string
  readonly size: Size
  /** At least 5. */
  readonly frames: number
}

/** Result of a strategy, or a variant of one, in a situation. */
export interface BalanceRow {
  readonly name: string
  /** Mean frame time, after the first three frames, over that of a perfect split without cluster overhead. */
  readonly overIdeal: number
  /** ε by CPU time. `steady`: mean after three frames, without cut frames; `first`: frame 0; `cut`: mean of cut frames. */
  readonly epsilon: { readonly steady: number; readonly first: number; readonly cut?: number }
  readonly messagesPerWorker: number
  readonly bytesPerFrame: number
  readonly migrationShare: number
  readonly stolen: number
}

export interface BalanceTable {
  readonly situation: string
  readonly workers: number
  readonly rows: readonly BalanceRow[]
}

export interface BalanceBench {
  readonly scene: string
  readonly triangles: number
  readonly size: Size
  readonly frames: number
  readonly strategies: readonly BalanceTable[]
  readonly ingredients: readonly BalanceTable[]
  /** Rules within a worker, in clusters of workers with accelerators, beside `predictive` and `pbt` among workers. */
  readonly within: readonly BalanceTable[]
  readonly withinPbt: readonly BalanceTable[]
}

const QUALITY = { samples: 2, ambientRays: 2, maxDepth: 6 }
/** Cell size of the reference costs: half that of the strategies' cells, so that no strategy can resolve all of them. */
const TRUTH_CELL_PX = 4
/** Frames at the start of a run, while balancers learn. */
const SETTLING_FRAMES = 3

/** `predictive` without each of its parts, and with other predictors. */
const VARIANTS: readonly { readonly name: string; readonly options: Partial<StrategyOptions> }[] = [
  { name: 'all of it', options: {} },
  { name: 'no row stealing', options: { rowStealing: false } },
  { name: 'no probe', options: { probe: false } },
  { name: 'no learned speeds', options: { learnSpeeds: false } },
  { name: 'predictor last', options: { predictor: 'last' } },
  { name: 'predictor median', options: { predictor: 'median' } },
  { name: 'predictor trend', options: { predictor: 'trend' } },
  { name: 'predictor reprojected', options: { predictor: 'reprojected' } },
  { name: 'cells of 32 px', options: { cell: 32 } },
  { name: 'cells of 16 px', options: { cell: 16 } },
  { name: 'one cost per tile', options: { cell: 0 } },
  { name: 'last, no stealing', options: { predictor: 'last', rowStealing: false } },
  { name: 'reprojected, no stealing', options: { predictor: 'reprojected', rowStealing: false } },
]

/** A single worker has nothing to balance. */
const compared = strategies.filter(({ name }) => name !== 'single-worker')

/** Rejects with a UsageError for a scene that cannot be loaded, with the signal's reason on abort. */
export async function benchBalance(
  { scene: sceneName, size, frames }: BalanceBenchOptions,
  signal: AbortSignal,
  log: Log,
): Promise<BalanceBench> {
  const costs = new Map<CameraPathName, readonly CostedFrame[]>()
  let triangles = 0
  let name = sceneName
  for (const camera of new Set(situations.map(situation => situation.camera))) {
    const scene = await prepareScene(sceneName, size, camera, log, signal)
    ;({ triangles, name } = scene)
    log.info(`tracing ${frames} frames, camera ${camera}`)
    const spec = { size, quality: QUALITY, frames, cell: TRUTH_CELL_PX }
    costs.set(camera, await traceCosts(scene, spec, () => {}, signal))
  }
  const play = (situation: Situation, strategy: Strategy, options: Partial<StrategyOptions>, label: string) => {
    signal.throwIfAborted()
    const frames = costs.get(situation.camera)!
    const { cluster } = situation
    const settings = { ...DEFAULT_STRATEGY_OPTIONS, ...situation.options, ...options }
    const reports = [...simulate({ strategy, size, clock: 'cpu', cluster, frames, options: settings })]
    return rowOf(label, situation, frames, reports)
  }
  const table = (situation: Situation, rows: () => BalanceRow[]): BalanceTable => {
    log.info(situation.name)
    return { situation: situation.name, workers: situation.cluster.workers.length, rows: rows() }
  }
  const predictive = strategyByName('predictive')
  const within = (strategy: Strategy) =>
    hybridSituations.map(situation =>
      table(situation, () => WITHIN_NAMES.map(rule => play(situation, strategy, { within: rule }, rule))),
    )
  return {
    scene: name,
    triangles,
    size,
    frames,
    strategies: situations.map(situation =>
      table(situation, () => compared.map(strategy => play(situation, strategy, {}, strategy.name))),
    ),
    ingredients: situations.map(situation =>
      table(situation, () => VARIANTS.map(({ name: label, options }) => play(situation, predictive, options, label))),
    ),
    within: within(predictive),
    withinPbt: within(strategyByName('pbt')),
  }
}

function rowOf(
  name: string,
  { camera, cluster }: Situation,
  frames: readonly CostedFrame[],
  reports: readonly FrameReport[],
): BalanceRow {
  const settled = reports.slice(SETTLING_FRAMES)
  const steady = settled.filter(({ frame }) => !isCut(camera, frame))
  const cuts = reports.filter(({ frame }) => isCut(camera, frame))
  // A perfect split uses the workers' actual speeds, whatever they declare.
  const speed = cluster.workers.reduce((sum, worker) => sum + (worker.actualSpeed ?? worker.speed), 0)
  const perfectMs = ({ frame }: FrameReport) => (frames[frame]!.costs.total * cluster.tracing.pace) / speed
  const epsilon = ({ epsilonCpu }: FrameReport) => epsilonCpu
  return {
    name,
    overIdeal: mean(settled.map(report => report.frameMs / perfectMs(report))),
    epsilon: {
      steady: mean(steady.map(epsilon)),
      first: reports[0]!.epsilonCpu,
      ...(cuts.length > 0 ? { cut: mean(cuts.map(epsilon)) } : {}),
    },
    messagesPerWorker: mean(settled.map(({ messages }) => messages / cluster.workers.length)),
    bytesPerFrame: mean(settled.map(({ bytes }) => bytes)),
    migrationShare: mean(settled.map(({ migrationShare }) => migrationShare)),
    stolen: mean(settled.map(({ stolen }) => stolen)),
  }
}
