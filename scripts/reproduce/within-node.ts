/** Paper 003: how long a frame takes for each share of the accelerator, and how four starts find the best one. Simulated. */
import {
  DEFAULT_MASTER,
  DEFAULT_TRACING,
  LOOPBACK,
  virtualWorkers,
  withAreas,
} from '../../master/simulator/cluster-spec.ts'
import type { FrameWorkload } from '../../master/simulator/simulate-frame.ts'
import { strategyByName } from '../../master/strategies/index.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { settledAfter } from '../../shared/metrics/settled-after.ts'
import { mean } from '../../shared/metrics/statistics.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'
import { lineChart } from '../report/charts/line-chart.ts'
import { reportsOf } from '../simulate/run-simulation.ts'
import { round, type ShownExperiment } from './experiment.ts'

/** The best share of the accelerator in the paper: its device is so many times as fast as its CPU. */
const BEST = 0.87
const DEVICE = BEST / (1 - BEST)
const SHARES = [1, 0.99, 0.97, 0.95, 0.93, 0.91, 0.89, 0.87, 0.85, 0.83]
const STARTS = [1, 0.75, 0.5, 0]
/** At most so many adjustments are shown, and looked for. */
const ADJUSTMENTS = 200
/** A share that stays so near to where it ends has arrived. */
const NEAR = 0.015
/** One that ends so near to the best has arrived at all. */
const ARRIVED = 0.05

const [BLUE, GREEN, VERMILLION, PURPLE, GREY] = ['#0068a8', '#007a59', '#bf4a00', '#9b4585', '#51606f'] as const
const COLORS = [BLUE, GREEN, VERMILLION, PURPLE]

export interface WithinNodeOptions {
  /** One frame of a scene that was traced; it is made again and again. */
  readonly workload: FrameWorkload
  readonly size: Size
  readonly adjustments?: number
}

/** Rejects with the signal's reason on abort. */
export async function withinNode(
  { workload, size, adjustments = ADJUSTMENTS }: WithinNodeOptions,
  signal: AbortSignal,
): Promise<ShownExperiment[]> {
  // Without a stopwatch, so that the figures are the same in every run.
  const run: Run = (frames, options) =>
    reportsOf(
      {
        strategy: strategyByName('single-worker'),
        options: { ...DEFAULT_STRATEGY_OPTIONS, ...options },
        size,
        clock: 'cpu',
        cluster: {
          workers: withAreas(virtualWorkers(1), [
            { name: 'cpu', speed: 1 },
            { name: 'accelerator', speed: DEVICE },
          ]),
          network: LOOPBACK,
          master: DEFAULT_MASTER,
          tracing: DEFAULT_TRACING,
        },
        frames: Array.from({ length: frames }, (_, frame) => ({ ...workload, frame })),
      },
      signal,
    )
  return [await byShare(run), await byAdjustment(run, adjustments)]
}

type Run = (frames: number, options: Partial<StrategyOptions>) => Promise<FrameReport[]>

async function byShare(run: Run): Promise<ShownExperiment> {
  const times: { readonly share: number; readonly ms: number }[] = []
  for (const share of SHARES) {
    // In the first frame costs are not known, and shares are of pixels.
    const known = (await run(4, { within: 'fixed', withinStart: share })).slice(1)
    times.push({ share: 100 * share, ms: mean(known.map(({ frameMs }) => frameMs)) })
  }
  const found = (await run(20, { within: 'proportional', withinStart: 0.5 })).slice(2)
  const ours = mean(found.map(({ frameMs }) => frameMs))
  const best = times.reduce((a, b) => (b.ms < a.ms ? b : a))
  const chart = lineChart(
    [
      {
        name: 'fixed share',
        style: { color: GREY },
        points: times.map(({ share, ms }) => ({ frame: share, value: ms })),
        mean: best.ms,
        meanLabel: `best at ${best.share} %`,
      },
      {
        name: 'proportional',
        style: { color: GREEN, dash: '6 3' },
        points: [SHARES.at(-1)!, 1].map(share => ({ frame: 100 * share, value: ours })),
        mean: ours,
        meanLabel: `${ours.toFixed(0)} ms`,
      },
    ],
    {
      description: 'Frame time for each share of the accelerator',
      yLabel: 'frame time, ms',
      xLabel: 'share of the accelerator, %',
      height: 320,
    },
  )
  return {
    paper: '003',
    name: 'Time for each share of the accelerator (fig. 2)',
    theirs: { bestShare: 100 * BEST, shares: SHARES.map(share => 100 * share) },
    ours: {
      bestShare: best.share,
      shares: times.map(({ share }) => share),
      frameMs: times.map(({ ms }) => round(ms)),
      proportionalMs: round(ours),
      proportionalOverBest: round(ours / best.ms),
    },
    note: `The paper's program solves gas dynamics on 12 cores and one GPU and does not say how fast its GPU is; a device ${DEVICE.toFixed(2)} times as fast as the CPU has its best share where theirs was. As there, time grows steeply below the best share, as the CPU's part does, and slowly above it.`,
    figures: [{ caption: 'Ours. Theirs has its minimum at 87 %, among the same ten shares.', svg: chart }],
  }
}

async function byAdjustment(run: Run, adjustments: number): Promise<ShownExperiment> {
  const courses = async (within: StrategyOptions['within'], frames: number): Promise<number[][]> => {
    const made: number[][] = []
    for (const withinStart of STARTS) {
      const reports = await run(frames, { within, withinStart })
      made.push(reports.map(({ decisions }) => decisions.acceleratorShare ?? 0))
    }
    return made
  }
  const theirs = await courses('cpu-load', adjustments)
  const ours = await courses('proportional', Math.min(20, adjustments))
  const figures = [
    { shares: theirs, title: 'cpu-load, as the paper describes it' },
    { shares: ours, title: 'proportional, ours' },
  ].map(({ shares, title }) => ({
    caption: title,
    svg: lineChart(
      shares.map((course, i) => ({
        name: `from ${100 * STARTS[i]!} %`,
        style: { color: COLORS[i]! },
        points: course.map((share, frame) => ({ frame, value: 100 * share })),
        mean: 0,
        meanLabel: textOf(arrival(course), course.length),
      })),
      { description: title, yLabel: 'share of the accelerator, %', xLabel: 'adjustments', height: 320, means: false },
    ),
  }))
  const counts = (all: readonly (readonly number[])[]) =>
    Object.fromEntries(STARTS.map((start, i) => [`from${100 * start}`, arrival(all[i]!)]))
  return {
    paper: '003',
    name: 'The share from four starts (fig. 3)',
    theirs: { from100: 4, from75: 4, from50: 'more', from0: 150 },
    ours: {
      ...Object.fromEntries(Object.entries(counts(theirs)).map(([from, count]) => [`cpuLoad${upper(from)}`, count])),
      ...Object.fromEntries(Object.entries(counts(ours)).map(([from, count]) => [`proportional${upper(from)}`, count])),
    },
    note: 'Adjustments until the share stays where it ends (± 1.5 points). The paper describes how far the boundary moves, a function of the deviation of the CPU’s load and of the sizes of both areas, careful near the ends, without numbers: ours are chosen so that the courses are those that it tells. One proportional step from both sides’ measured throughput is there after one adjustment from anywhere.',
    figures,
  }
}

/** The number of adjustments after which the share stays where it ends; null where that is not near the best one. */
function arrival(course: readonly number[]): number | null {
  const end = course.at(-1)!
  return Math.abs(end - BEST) > ARRIVED ? null : settledAfter(course, end, NEAR)
}

function textOf(count: number | null, most: number): string {
  if (count === null) return `not within ${most} adjustments`
  return `${count} ${count === 1 ? 'adjustment' : 'adjustments'}`
}
const upper = (word: string): string => word[0]!.toUpperCase() + word.slice(1)
