/**
 * Utilisation of each worker, before and after: the share of a frame's time that it spends tracing, compared with the
 * baseline. This is how the Charm++ group shows the effect of a load balancer ("Understanding GreedyLB and RefineLB", the
 * slides "Utilization before LB" and "after LB"): ragged before, level and high afterwards.
 */
import * as Plot from '@observablehq/plot'
import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { baselineOf } from '../figures/headline.ts'
import { formatShare } from '../figures/numbers.ts'
import { axisLabel, CHART_FONT, CHART_WIDTH, GRID_LINE, legendRow, panel, renderChart } from './chart.ts'
import { INK, strategyStyles } from './palette.ts'
import { ellipsize, printable, textWidth } from './text-width.ts'
import { type WorkerAxis, workerAxis } from './worker-axis.ts'

/** SVG of the share of wall time that each worker spent tracing, mean over the frames, a panel per strategy. */
export function utilisationChart(summary: Summary): string {
  const { strategies } = summary
  const baseline = baselineOf(summary)
  const styles = strategyStyles(summary)
  const columns = Math.min(strategies.length, 4)
  const rows = Math.ceil(strategies.length / columns)
  const axis = workerAxis(summary, 1, 1, 1, CHART_FONT)
  const count = axis.ids.length
  const before = busyShares(baseline, axis)
  const panelWidth = ((CHART_WIDTH - MARGIN.marginLeft - MARGIN.marginRight) / columns) * (columns > 1 ? 1 - GAP : 1)

  const panels = strategies.map((strategy, index) => {
    const busy = busyShares(strategy, axis)
    const at = { ...panel(index, columns), color: styles.get(strategy.name)!.color }
    const word = ` ${formatShare(mean([...busy.values()]))}`
    const room = panelWidth - textWidth(word, CHART_FONT)
    return {
      bars: axis.ids.map((id, i) => ({ ...at, x1: i + 0.08, x2: i + 0.92, busy: busy.get(id) ?? 0 })),
      outline:
        strategy === baseline ? [] : outlineOf(axis.ids.map(id => before.get(id) ?? 0)).map(p => ({ ...at, ...p })),
      title: { ...at, word, text: ellipsize(printable(strategy.name), room / 1.1, CHART_FONT) },
    }
  })
  const titles = panels.map(({ title }) => title)
  const legend =
    strategies.length > 1
      ? legendRow(
          [{ label: `outlined: ${ellipsize(printable(baseline.name), 300, CHART_FONT)}`, color: 'white' }],
          MARGIN.marginLeft,
          CHART_WIDTH,
        )
      : { svg: '', height: 4 }
  const ROW = rows === 1 ? 220 : 128
  const ticks = [0, 0.5, 1]
  return renderChart({
    description: `Share of its time that each worker spent tracing, mean: ${titles.map(({ text, word }) => text + word).join(', ')}`,
    ...MARGIN,
    marginTop: legend.height + TITLE,
    height: legend.height + TITLE + rows * ROW + MARGIN.marginBottom,
    x: { domain: [0, count], axis: null },
    y: { domain: [0, 1] },
    fx: { axis: null, padding: columns > 1 ? GAP : 0 },
    fy: { axis: null, padding: (TITLE + 8) / ROW },
    color: { type: 'identity' },
    overlay: `${legend.svg}<text x="${MARGIN.marginLeft}" y="${legend.height + TITLE + rows * ROW + 14}" text-anchor="start" fill="${axisLabel.fill}" font-size="${axisLabel.fontSize}">workers</text>`,
    marks: [
      Plot.gridY(ticks, GRID_LINE),
      Plot.axisY(ticks, {
        label: null,
        tickFormat: (share: number) => `${share * 100} %`,
        tickSize: 0,
        facetAnchor: 'left',
        ...axisLabel,
      }),
      Plot.rect(
        panels.flatMap(({ bars }) => bars),
        { x1: 'x1', x2: 'x2', y1: 0, y2: 'busy', fx: 'fx', fy: 'fy', fill: 'color', fillOpacity: 0.75 },
      ),
      Plot.line(
        panels.flatMap(({ outline }) => outline),
        { x: 'x', y: 'y', fx: 'fx', fy: 'fy', stroke: INK, strokeWidth: 1.2 },
      ),
      Plot.ruleY([0]),
      Plot.text(titles, { ...TITLE_PLACE, text: 'text', frameAnchor: 'top-left', fill: 'color', fontWeight: 'bold' }),
      Plot.text(titles, { ...TITLE_PLACE, text: 'word', frameAnchor: 'top-right' }),
    ],
  })
}

/** Share of its frames' wall time that the workers at each place spent tracing. */
function busyShares({ frames }: StrategySummary, axis: WorkerAxis): ReadonlyMap<string, number> {
  const sums = new Map<string, { render: number; wall: number }>()
  for (const { ledger, frameMs } of frames) {
    for (const { worker, render } of ledger) {
      const place = axis.placeOf(worker)
      const sum = sums.get(place) ?? { render: 0, wall: 0 }
      sums.set(place, { render: sum.render + render, wall: sum.wall + frameMs })
    }
  }
  return new Map([...sums].map(([place, { render, wall }]) => [place, wall > 0 ? Math.min(1, render / wall) : 0]))
}

/** The tops of the bars as one stepped line. */
const outlineOf = (values: readonly number[]): { x: number; y: number }[] => [
  { x: 0, y: 0 },
  ...values.flatMap((y, i) => [
    { x: i, y },
    { x: i + 1, y },
  ]),
  { x: values.length, y: 0 },
]

const MARGIN = { marginLeft: 62, marginRight: 8, marginBottom: 22 } as const
const TITLE = 22
const GAP = 0.09
const TITLE_PLACE = { fx: 'fx', fy: 'fy', lineAnchor: 'bottom', dy: -5 } as const
