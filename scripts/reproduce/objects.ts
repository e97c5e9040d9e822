/** Paper 002: utilisation before and after balancing, migrations, and what deciding costs, for the balancers of Charm++. Simulated. */
import { DEFAULT_MASTER, DEFAULT_TRACING, LOOPBACK, virtualWorkers } from '../../master/simulator/cluster-spec.ts'
import type { FrameWorkload } from '../../master/simulator/simulate-frame.ts'
import { strategyByName } from '../../master/strategies/index.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { lineChart } from '../report/charts/line-chart.ts'
import { reportsOf, stopwatch } from '../simulate/run-simulation.ts'
import { round, type ShownExperiment } from './experiment.ts'

const BALANCERS = [
  ['greedy-lb', 'GreedyLB', '#bf4a00'],
  ['refine-lb', 'RefineLB', '#0068a8'],
  ['greedy-refine-lb', 'Greedy, then Refine', '#9b4585'],
  ['refine-swap-lb', 'RefineSwap', '#007a59'],
] as const

export interface ObjectsOptions {
  readonly frames: readonly FrameWorkload[]
  readonly size: Size
  readonly workers: number
  /** Side of an object, px. */
  readonly tile: number
}

interface Measured {
  readonly name: string
  readonly color: string
  /** Mean load over the largest: of the frame before anything was measured, and of those after it, %. */
  readonly before: number
  readonly after: number
  readonly utilisation: readonly number[]
  /** Objects that changed their worker when the first measured loads were there, and per frame after that. */
  readonly migrations: number
  readonly perFrame: number
  readonly decideMs: number
}

/** Rejects with the signal's reason on abort. */
export async function objects(
  { frames, size, workers, tile }: ObjectsOptions,
  signal: AbortSignal,
): Promise<ShownExperiment[]> {
  const measured: Measured[] = []
  for (const [strategy, name, color] of BALANCERS) {
    const reports = await reportsOf(
      {
        strategy: strategyByName(strategy),
        options: { ...DEFAULT_STRATEGY_OPTIONS, tile },
        size,
        clock: 'cpu',
        frames,
        stopwatch,
        cluster: {
          workers: virtualWorkers(workers),
          network: LOOPBACK,
          master: DEFAULT_MASTER,
          tracing: DEFAULT_TRACING,
        },
      },
      signal,
    )
    const utilisation = reports.map(({ criticalMs, meanMs }) => (criticalMs > 0 ? (100 * meanMs) / criticalMs : 100))
    const moved = reports.map(({ decisions }) => decisions.moved ?? 0)
    measured.push({
      name,
      color,
      utilisation,
      before: utilisation[0]!,
      after: mean(utilisation.slice(1)),
      migrations: moved[1] ?? 0,
      perFrame: mean(moved.slice(1)),
      decideMs: mean(reports.map(({ decideMs }) => decideMs)),
    })
  }
  // Greedy places objects anywhere before it knows their loads; what was before balancing is where Refine begins: blocks.
  const unbalanced = measured[1]!.before
  const count = Math.ceil(size[0] / tile) * Math.ceil(size[1] / tile)
  const [greedy, refine] = measured as [Measured, Measured]
  const chart = lineChart(
    measured.map(({ name, color, utilisation, after }) => ({
      name,
      style: { color },
      mean: after,
      meanLabel: `${after.toFixed(0)} %`,
      points: utilisation.map((value, frame) => ({ frame, value })),
    })),
    { description: 'Utilisation of the workers', yLabel: 'utilisation, %', height: 320, means: false },
  )
  return [
    ...measured.map(
      ({ name, after, migrations, perFrame, decideMs }, i): ShownExperiment => ({
        paper: '002',
        name: `${name}: utilisation before and after, migrations, decision`,
        theirs: i === 0 ? { migrations: 1015, decideMs: 21 } : i === 1 ? { migrations: 13, decideMs: 0.5 } : {},
        ours: {
          objects: count,
          workers,
          utilisationBefore: round(unbalanced),
          utilisationAfter: round(after),
          migrations,
          migrationsPerFrame: round(perFrame),
          decideMs: round(decideMs),
        },
        note:
          i < 2
            ? 'Theirs are of BT-MZ, a benchmark of fluid dynamics, with an unknown number of objects; ours are tiles of a frame, whose loads change with the camera.'
            : 'The paper shows no figures for this one.',
        figures:
          i === 0
            ? [{ caption: `Utilisation of ${workers} workers from frame to frame, ${count} objects`, svg: chart }]
            : [],
      }),
    ),
    {
      paper: '002',
      name: 'Migrations: Refine against Greedy',
      theirs: { greedy: 1015, refine: 13, factor: round(1015 / 13) },
      ours: {
        greedy: round(greedy.perFrame),
        refine: round(refine.perFrame),
        factor: refine.perFrame > 0 ? round(greedy.perFrame / refine.perFrame) : null,
      },
      note: 'Per frame, once loads were measured. Greedy places every object anew, wherever it was, so all but one in every worker’s share move; Refine moves what the overloaded must give. Here a migration costs next to nothing: a tile’s state is with the master.',
      figures: [],
    },
  ]
}
