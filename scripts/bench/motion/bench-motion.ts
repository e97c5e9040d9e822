/**
 * How well balancers share films in which things move: scenes made for this, traced once and then replayed in a simulated cluster,
 * with and without what the master knows of where things are.
 */
import { DEFAULT_MASTER, DEFAULT_TRACING, LOOPBACK, virtualWorkers } from '../../../master/simulator/cluster-spec.ts'
import { simulate } from '../../../master/simulator/simulate.ts'
import { strategyByName } from '../../../master/strategies/index.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Quality } from '../../../shared/frame/view.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../../shared/session/strategy-options.ts'
import type { Log } from '../../../shared/text/log.ts'
import { AMBIENT_QUALITY } from '../../options/groups/light.ts'
import type { CostedFrame } from '../../recording/read-recording.ts'
import { traceCosts } from '../../recording/trace-costs.ts'
import { filmOf } from './film-of.ts'
import { MOVING_SCENES } from './moving-scenes.ts'

export interface MotionBenchOptions {
  readonly size: Size
  /** At least 3. */
  readonly frames: number
  readonly workers: number
}

/** Means over the frames after the first. */
export interface MotionRow {
  readonly name: string
  /** ε by CPU time. */
  readonly epsilon: number
  /** What the predicted costs per cell were off by; undefined for strategies that predict none. */
  readonly predictionError?: number
}

export interface MotionTable {
  readonly scene: string
  readonly what: string
  readonly integrator: Integrator
  readonly rows: readonly MotionRow[]
}

export interface MotionBench extends MotionBenchOptions {
  readonly tables: readonly MotionTable[]
}

export type Integrator = 'ambient' | 'path'

const QUALITIES: Readonly<Record<Integrator, Quality>> = {
  ambient: AMBIENT_QUALITY,
  path: { samples: 4, ambientRays: 0, maxDepth: 0, bounces: 4 },
}
/** Side of the cells of the traced costs, px: half that of a strategy's. */
const TRUTH_CELL_PX = 4
/** As in the balance bench: workers of 0.2 of a core, and times that deviate by this share. */
const TRACING = { ...DEFAULT_TRACING, pace: 5, noise: 0.02 }

interface Variant {
  readonly name: string
  readonly strategy: string
  readonly options?: Partial<StrategyOptions>
  /** Whether the master knows where things are. @default true */
  readonly knows?: boolean
}

export const VARIANTS: readonly Variant[] = [
  { name: 'predictive', strategy: 'predictive' },
  { name: 'predictive, motion unknown', strategy: 'predictive', knows: false },
  { name: 'no stealing', strategy: 'predictive', options: { rowStealing: false } },
  { name: 'no stealing, motion unknown', strategy: 'predictive', options: { rowStealing: false }, knows: false },
  { name: 'pbt', strategy: 'pbt' },
  { name: 'static-blocks', strategy: 'static-blocks' },
]

/** Rejects with the signal's reason on abort. */
export async function benchMotion(options: MotionBenchOptions, signal: AbortSignal, log: Log): Promise<MotionBench> {
  const { size, frames, workers } = options
  const tables: MotionTable[] = []
  for (const [integrator, quality] of Object.entries(QUALITIES) as [Integrator, Quality][])
    for (const { name, what, camera, build } of MOVING_SCENES) {
      log.info(`tracing ${frames} frames of ${name}, ${integrator}`)
      const film = filmOf(build(), camera, size)
      const costed = await traceCosts(film, { size, quality, frames, cell: TRUTH_CELL_PX }, () => {}, signal)
      tables.push({ scene: name, what, integrator, rows: VARIANTS.map(play(costed, size, workers)) })
    }
  return { ...options, tables }
}

/** Replays a film. */
export const play =
  (costed: readonly CostedFrame[], size: Size, count: number) =>
  ({ name, strategy, options, knows = true }: Variant): MotionRow => {
    const frames = knows ? costed : costed.map(({ bodies: _, ...frame }) => frame)
    const cluster = { workers: virtualWorkers(count), network: LOOPBACK, master: DEFAULT_MASTER, tracing: TRACING }
    const settings = { ...DEFAULT_STRATEGY_OPTIONS, ...options }
    const replay = {
      strategy: strategyByName(strategy),
      options: settings,
      size,
      clock: 'cpu',
      cluster,
      frames,
    } as const
    const [, ...later] = [...simulate(replay)]
    const errors = later.flatMap(({ predictionError: off }) => (off === undefined ? [] : [off]))
    const epsilon = mean(later.map(({ epsilonCpu }: FrameReport) => epsilonCpu))
    return { name, epsilon, ...(errors.length > 0 ? { predictionError: mean(errors) } : {}) }
  }
