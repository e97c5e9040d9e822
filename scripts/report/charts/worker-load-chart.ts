/**
 * How much each worker was given, frame by frame: each cell is a worker's load in a frame over the perfect share (Eq. 2).
 * The darkest red in a column determined the frame's time, 1 + ε.
 */
import * as Plot from '@observablehq/plot'
import type { FrameSummary, Summary } from '../../../shared/frame/summary.ts'
import { imbalance } from '../../../shared/metrics/imbalance.ts'
import { axisLabel, CHART_FONT, CHART_WIDTH, legendRow, panel, renderChart } from './chart.ts'
import { frameTicks } from './line-chart.ts'
import { ellipsize, printable, textWidth } from './text-width.ts'
import { placeCount, workerAxis, workerNames } from './worker-axis.ts'

/** SVG of load over perfect share by CPU time, workers down, frames across, a panel per strategy. */
export function workerLoadChart(summary: Summary): string {
  const { strategies } = summary
  const names = [...workerNames(summary).values()]
  const all = [...new Set(strategies.flatMap(strategy => strategy.frames.map(frame => frame.frame)))].sort(
    (a, b) => a - b,
  )
  const longest = Math.min(110, Math.max(...names.map(name => textWidth(printable(name), TICK_FONT))))
  const columns = strategies.length <= 3 ? strategies.length : strategies.length <= 6 ? 2 : 4
  const rows = Math.ceil(strategies.length / columns)
  const line = lineFor(placeCount(names.length), rows)
  const axis = workerAxis(summary, line, TICK_FONT + 1, 110, TICK_FONT)
  const marginLeft = longest + 16
  const panelWidth = (CHART_WIDTH - marginLeft - 14) / columns
  // A column needs a few pixels to be visible; if frames share a column, it shows the most uneven load.
  const framesPerColumn = Math.ceil(all.length / (panelWidth / 2))
  const columnOf = new Map(all.map((frame, index) => [frame, all[index - (index % framesPerColumn)]!]))
  const frames = all.filter((_, index) => index % framesPerColumn === 0)

  const cells = strategies.flatMap((strategy, index) => {
    const most = new Map<string, { worker: string; frame: number; load: number; fx: number; fy: number }>()
    for (const each of strategy.frames) {
      const frame = columnOf.get(each.frame)!
      for (const { worker, load } of loads(each, summary)) {
        const place = axis.placeOf(worker)
        const key = `${frame} ${place}`
        if (!((most.get(key)?.load ?? -1) >= load))
          most.set(key, { worker: place, frame, load, ...panel(index, columns) })
      }
    }
    return [...most.values()]
  })
  const color: Plot.ScaleOptions = {
    type: 'diverging',
    scheme: 'RdBu',
    reverse: true,
    pivot: 1,
    domain: [0, 2],
    clamp: true,
  }
  const shade = Plot.scale({ color })
  const legend = legendRow(
    SWATCHES.map(({ value, label }) => ({ label, color: String(shade.apply(value)) })),
    marginLeft,
    CHART_WIDTH - marginLeft,
  )
  const titles = strategies.map(({ name }, index) => ({
    ...panel(index, columns),
    text: ellipsize(printable(name), panelWidth / 1.1, CHART_FONT),
  }))
  const rowHeight = axis.ids.length * line + 30
  return renderChart({
    description: 'Load of each worker over the perfect share, for each frame and strategy',
    height: legend.height + 24 + rows * rowHeight + 28,
    marginLeft,
    marginRight: 14,
    marginTop: legend.height + 24,
    marginBottom: 40,
    x: { domain: frames, padding: 0, axis: null, type: 'band', round: false },
    y: { domain: axis.ids, padding: 0, axis: null, type: 'band' },
    fx: { axis: null, padding: 0.04 },
    fy: { axis: null, padding: 30 / rowHeight },
    color,
    overlay: legend.svg,
    marks: [
      Plot.cell(cells, { x: 'frame', y: 'worker', fx: 'fx', fy: 'fy', fill: 'load', inset: line < 10 ? 0 : 0.5 }),
      Plot.axisY(axis.ticks, {
        label: null,
        tickFormat: axis.label,
        tickSize: 0,
        fontSize: TICK_FONT,
        fill: axisLabel.fill,
        facetAnchor: 'left',
      }),
      Plot.axisX(
        frameTicks(frames[0]!, frames.at(-1)!, Math.floor(panelWidth / 26)).filter(frame => frames.includes(frame)),
        {
          label: 'frame',
          labelArrow: 'none',
          labelAnchor: 'center',
          tickSize: 0,
          tickFormat: 'd',
          ...axisLabel,
          facetAnchor: 'bottom',
        },
      ),
      Plot.text(titles, {
        fx: 'fx',
        fy: 'fy',
        text: 'text',
        frameAnchor: 'top-left',
        lineAnchor: 'bottom',
        dy: -5,
        fontWeight: 'bold',
      }),
    ],
  })
}

/** Load of each worker over the frame's perfect share; 1 = exactly its share. */
function loads(frame: FrameSummary, summary: Summary): { worker: string; load: number }[] {
  const speeds = new Map(summary.workers.map(worker => [worker.id, worker.speed]))
  const shares = frame.loads.map(({ worker, cpuMs }) => ({ worker, work: cpuMs, speed: speeds.get(worker) ?? 1 }))
  const { meanMs } = imbalance(shares)
  return shares.map(({ worker, work: ms, speed }) => ({
    worker,
    load: meanMs > 0 && ms > 0 ? ms / speed / meanMs : meanMs > 0 ? 0 : 1,
  }))
}

/** Height of a worker's row, px, such that the whole chart fits on a page. */
function lineFor(workers: number, rows: number): number {
  const most = workers <= 16 ? 17 : workers <= 40 ? 11 : 7
  return Math.max(1.5, Math.min(most, (MAX_HEIGHT / rows - 30) / workers))
}

const MAX_HEIGHT = 1000
const TICK_FONT = 11
const SWATCHES = [
  { value: 0, label: 'no work' },
  { value: 0.5, label: 'half the perfect share' },
  { value: 1, label: 'the perfect share' },
  { value: 1.5, label: '1.5×' },
  { value: 2, label: '2× or more' },
]
