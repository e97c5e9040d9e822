/** How steady frame times were: each one as a point over a box of the middle half, a row per strategy. */
import * as Plot from '@observablehq/plot'
import type { Summary } from '../../../shared/frame/summary.ts'
import { quantile } from '../../../shared/metrics/statistics.ts'
import { spreadOf } from '../figures/headline.ts'
import { formatMs, formatShare } from '../figures/numbers.ts'
import { axisLabel, CHART_FONT, type ChartLook, gridX, renderChart, widthOf } from './chart.ts'
import { strategyStyles } from './palette.ts'
import { ellipsize, printable, textWidth } from './text-width.ts'

/** SVG of the distribution of frame times in ms: points, quartile box, median, and mean ± standard deviation in words. */
export function frameSpreadChart(summary: Summary, { narrow = false }: ChartLook = {}): string {
  const styles = strategyStyles(summary)
  const many = summary.strategies.length > 4
  // A few strategies keep the order of all other charts; many are ranked.
  const shown = many ? summary.strategies.toSorted((a, b) => a.frameMs.median - b.frameMs.median) : summary.strategies
  const rowHeight = many ? 32 : 46
  const rows = shown.map((strategy, row) => {
    const { mean, stddev, median } = strategy.frameMs
    const times = strategy.frames.map(frame => frame.frameMs)
    const sorted = times.toSorted((a, b) => a - b)
    const words =
      times.length > 1
        ? `${formatMs(mean)} ± ${formatMs(stddev)} ms (${formatShare(spreadOf(strategy))})`
        : `${formatMs(mean)} ms`
    return {
      row,
      times: someOf(times),
      median,
      q1: quantile(sorted, 0.25),
      q3: quantile(sorted, 0.75),
      color: styles.get(strategy.name)!.color,
      name: ellipsize(printable(strategy.name), narrow ? 100 : 170, CHART_FONT),
      words,
    }
  })
  const points = rows.flatMap(({ row, times, color }) =>
    // Multiples of the golden ratio, modulo 1, separate neighbours without random numbers.
    times.map((ms, i) => ({ ms, y: row + (((i * 0.618034) % 1) - 0.5) * (times.length > 1 ? 0.44 : 0), color })),
  )
  const top = Math.max(...points.map(point => point.ms)) || 1
  const marginLeft = 14 + Math.max(...rows.map(row => textWidth(row.name, CHART_FONT, 'bold')))
  const marginRight = narrow ? 12 : 22 + Math.max(...rows.map(row => textWidth(row.words, CHART_FONT)))
  return renderChart({
    description: `Distribution of frame times: ${rows.map(row => `${row.name} ${row.words}`).join(', ')}`,
    width: widthOf({ narrow }),
    height: 60 + rows.length * rowHeight,
    marginTop: 8,
    marginBottom: 48,
    marginLeft,
    marginRight,
    x: { domain: [0, top], nice: true },
    y: { domain: [-0.5, rows.length - 0.5], reverse: true, axis: null },
    marks: [
      gridX(),
      Plot.axisX({
        label: 'frame time, ms',
        labelArrow: 'none',
        labelAnchor: 'center',
        tickSize: 0,
        ...(narrow ? { ticks: 4 } : {}),
        ...axisLabel,
      }),
      rows.map(({ row, color, q1, q3, median, times, name, words }) => [
        // A single time has no distribution: draw a bar from zero.
        Plot.rect([row], {
          x1: times.length > 1 ? q1 : 0,
          x2: q3,
          y1: row - 0.32,
          y2: row + 0.32,
          fill: color,
          fillOpacity: 0.14,
          stroke: color,
          strokeOpacity: 0.5,
        }),
        Plot.link([row], { x1: median, x2: median, y1: row - 0.32, y2: row + 0.32, stroke: color, strokeWidth: 2.5 }),
        Plot.text([name], { x: 0, y: row, textAnchor: 'end', dx: -8, fill: color, fontWeight: 'bold' }),
        narrow ? null : Plot.text([words], { frameAnchor: 'right', y: row, textAnchor: 'start', dx: 14 }),
      ]),
      Plot.dot(points, { x: 'ms', y: 'y', r: 3, fill: 'color', stroke: 'white', strokeWidth: 0.8 }),
    ],
    color: { type: 'identity' },
  })
}

/** The times; if there are too many to distinguish, evenly spaced ranks, including the minimum and the maximum. */
function someOf(times: readonly number[]): readonly number[] {
  if (times.length <= MAX_POINTS) return times
  const sorted = times.toSorted((a, b) => a - b)
  return Array.from({ length: MAX_POINTS }, (_, i) => sorted[Math.round((i / (MAX_POINTS - 1)) * (sorted.length - 1))]!)
}

const MAX_POINTS = 240
