/**
 * Where the time went: each worker's mean ledger as a stacked bar. All bars of a strategy are as tall as its mean frame, so
 * the chart shows both how long a frame took and how much of it each worker spent tracing.
 */
import * as Plot from '@observablehq/plot'
import { PHASE_COLORS, PHASE_ORDER } from '../../../shared/dashboard/phase-colors.ts'
import type { SpanKind } from '../../../shared/frame/span-kinds.ts'
import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { formatMs } from '../figures/numbers.ts'
import { axisLabel, CHART_FONT, CHART_WIDTH, gridY, legendRow, panel, renderChart } from './chart.ts'
import { ellipsize, printable, textWidth } from './text-width.ts'
import { placeCount, type WorkerAxis, workerAxis, workerNames } from './worker-axis.ts'

/** SVG of the mean ledger in ms, a bar per worker, a panel per strategy, all on the same scale. */
export function ledgerChart(summary: Summary): string {
  const { strategies } = summary
  const names = [...workerNames(summary).values()]
  const places = placeCount(names.length)
  const columns = columnsFor(strategies.length, places)
  const rows = Math.ceil(strategies.length / columns)
  const plotWidth = CHART_WIDTH - MARGIN.marginLeft - MARGIN.marginRight
  const panelWidth = (plotWidth / columns) * (columns > 1 ? 0.95 : 1)
  const band = panelWidth / places
  const longest = Math.min(90, Math.max(...names.map(name => textWidth(printable(name), TICK_FONT))))
  // Names are horizontal if the bars are wide enough, else vertical.
  const upright = longest > band - 6
  const axis = workerAxis(summary, band, upright ? TICK_FONT + 2 : 0, upright ? 90 : band - 4, TICK_FONT)

  const legend = legendRow(
    PHASE_ORDER.map(kind => ({ label: kind, color: PHASE_COLORS[kind] })),
    MARGIN.marginLeft,
    plotWidth,
  )
  const bars = strategies.flatMap((strategy, index) =>
    meanLedger(strategy, axis).map(bar => ({ ...panel(index, columns), ...bar })),
  )
  const frameMs = strategies.map(({ frames }) => mean(frames.map(frame => frame.frameMs)))
  const titles = strategies.map(({ name }, index) => {
    const time = ` ${formatMs(frameMs[index]!)} ms`
    const room = panelWidth - textWidth(time, CHART_FONT, 'bold')
    return { ...panel(index, columns), text: ellipsize(printable(name), room / 1.1, CHART_FONT) + time }
  })
  const rowHeight = TITLE + 8 + (rows === 1 ? 290 : rows <= 3 ? 150 : 100)
  const marginTop = legend.height + TITLE + 2
  const marginBottom = (upright ? longest : TICK_FONT) + 20

  return renderChart({
    description: 'Mean time of each worker by phase, stacked to the mean frame, for each strategy',
    height: marginTop + rows * rowHeight + marginBottom,
    ...MARGIN,
    marginTop,
    marginBottom,
    x: { domain: axis.ids, padding: 0.14, round: false, axis: null },
    y: { domain: [0, Math.max(...frameMs) || 1], nice: true },
    fx: { axis: null, padding: 0.05 },
    fy: { axis: null, padding: (TITLE + 8) / rowHeight },
    overlay: legend.svg,
    marks: [
      gridY(rows === 1 ? 6 : 3),
      Plot.axisY({
        label: null,
        tickFormat: (ms: number) => `${ms} ms`,
        tickSize: 0,
        ticks: rows === 1 ? 6 : 3,
        facetAnchor: 'left',
        ...axisLabel,
      }),
      Plot.barY(bars, {
        x: 'worker',
        y: 'ms',
        fx: 'fx',
        fy: 'fy',
        fill: bar => PHASE_COLORS[bar.kind as SpanKind],
        order: [...PHASE_ORDER],
        z: 'kind',
      }),
      Plot.axisX(axis.ticks, {
        label: null,
        tickFormat: axis.label,
        tickSize: 0,
        fontSize: TICK_FONT,
        fill: axisLabel.fill,
        ...(upright ? { tickRotate: -90 } : {}),
      }),
      Plot.text(titles, {
        fx: 'fx',
        fy: 'fy',
        text: 'text',
        frameAnchor: 'top-left',
        lineAnchor: 'bottom',
        dy: -6,
        fontWeight: 'bold',
      }),
    ],
  })
}

/** Panels side by side compare best, as long as bars stay wide enough. */
function columnsFor(strategies: number, workers: number): number {
  if (strategies <= 4 && strategies * workers <= 40) return strategies
  if (strategies <= 4) return 1
  return workers > 16 ? 2 : strategies > 9 ? 4 : 3
}

/** Mean ms per worker in each phase, by place on the axis, over all frames; frames without a worker count as 0. */
function meanLedger(strategy: StrategySummary, axis: WorkerAxis): { worker: string; kind: SpanKind; ms: number }[] {
  const sums = new Map<string, { readonly workers: Set<string>; readonly row: Record<SpanKind, number> }>()
  for (const row of strategy.frames.flatMap(frame => frame.ledger)) {
    const place = axis.placeOf(row.worker)
    const sum = sums.get(place) ?? {
      workers: new Set(),
      row: { stats: 0, decide: 0, dispatch: 0, transmit: 0, render: 0, stitch: 0, idle: 0 },
    }
    sums.set(place, sum)
    sum.workers.add(row.worker)
    for (const kind of PHASE_ORDER) sum.row[kind] += row[kind]
  }
  return [...sums].flatMap(([worker, { workers, row }]) =>
    PHASE_ORDER.map(kind => ({ worker, kind, ms: row[kind] / strategy.frames.length / workers.size })),
  )
}

const MARGIN = { marginLeft: 70, marginRight: 14 } as const
const TITLE = 24
const TICK_FONT = 11
