/**
 * One frame of each strategy, worker by worker: a bar for each tile being traced, a thin one for transfers, and nothing
 * while a worker waits. Imbalance is the white area on the right.
 */
import * as Plot from '@observablehq/plot'
import { PHASE_COLORS } from '../../../shared/dashboard/phase-colors.ts'
import type { WorkerInfo } from '../../../shared/frame/frame-report.ts'
import type { Summary } from '../../../shared/frame/summary.ts'
import { formatMs, plural } from '../figures/numbers.ts'
import { axisLabel, CHART_FONT, type ChartLook, GRID_LINE, legendRow, panel, renderChart, widthOf } from './chart.ts'
import type { FrameTimeline, TimelineBar } from './frame-timeline.ts'
import { strategyStyles } from './palette.ts'
import { ellipsize, printable, textWidth } from './text-width.ts'

/** Larger numbers of workers are sampled. */
export const MAX_GANTT_WORKERS = 48

/** SVG of one frame per strategy, a panel each, all on the same scale in ms. */
export function ganttChart(
  summary: Summary,
  timelines: readonly FrameTimeline[],
  { narrow = false }: ChartLook = {},
): string {
  const width = widthOf({ narrow })
  const styles = strategyStyles(summary)
  const columns = timelines.length > 4 && !narrow ? 2 : 1
  const rows = Math.ceil(timelines.length / columns)
  const shown = timelines.map(shownWorkers)
  const most = Math.max(...shown.map(workers => workers.length))
  const line = Math.max(2.5, Math.min(columns === 1 ? 18 : 11, (MAX_HEIGHT / rows - GAP) / most))
  const names =
    line >= 9 ? (shown.find(workers => workers.length === most) ?? []).map(({ name }) => printable(name)) : []
  const nameRoom = narrow ? 64 : 110
  const longest = Math.min(nameRoom, Math.max(0, ...names.map(name => textWidth(name, TICK_FONT))))
  const marginLeft = longest + 16
  const panelWidth = ((width - marginLeft - MARGIN_RIGHT) / columns) * (columns > 1 ? 1 - PANEL_GAP : 1)
  const end = Math.max(...timelines.map(({ frameMs }) => frameMs)) || 1
  const pxPerMs = panelWidth / end
  const ticks = narrow ? 4 : columns === 1 ? 8 : 5

  const bars = timelines.flatMap((timeline, index) =>
    shown[index]!.flatMap((worker, row) => {
      const own = timeline.bars.filter(bar => bar.worker === worker.id)
      const at = { ...panel(index, columns), row }
      const idle = { ...at, x1: 0, x2: timeline.frameMs, half: 0.36, color: PHASE_COLORS.idle }
      const before = { ...at, x1: 0, x2: timeline.preparationMs, half: 0.36, color: PHASE_COLORS.stats }
      const wire = merged(
        own.filter(({ kind }) => kind === 'transmit' || kind === 'dispatch'),
        pxPerMs,
      )
      const render = merged(
        own.filter(({ kind }) => kind === 'render'),
        pxPerMs,
      )
      return [
        idle,
        ...(before.x2 * pxPerMs > 0.5 ? [before] : []),
        ...wire.map(bar => ({ ...at, ...edges(bar, pxPerMs), half: 0.13, color: PHASE_COLORS.transmit })),
        ...render.map(bar => ({
          ...at,
          ...edges(bar, pxPerMs),
          half: 0.36,
          color: PHASE_COLORS.render,
        })),
      ]
    }),
  )
  const titles = timelines.map(({ strategy, frame, frameMs, tiles }, index) => {
    const facts = narrow
      ? ` ${formatMs(frameMs)} ms`
      : ` frame ${frame}: ${formatMs(frameMs)} ms, ${plural(tiles, 'tile')}`
    const room = panelWidth - textWidth(facts, CHART_FONT)
    const text = ellipsize(printable(strategy), room / 1.1, CHART_FONT)
    return { ...panel(index, columns), text, facts, color: styles.get(strategy)?.color ?? axisLabel.fill }
  })
  const legend = legendRow(
    [
      { label: 'traces a tile', color: PHASE_COLORS.render },
      { label: 'order or pixels on their way', color: PHASE_COLORS.transmit },
      { label: 'waits', color: PHASE_COLORS.idle },
      { label: 'the master prepares the frame', color: PHASE_COLORS.stats },
    ],
    marginLeft,
    width - marginLeft,
  )
  const rowHeight = most * line + GAP
  return renderChart({
    description: `One frame of each strategy, worker by worker: ${titles.map(({ text, facts }) => text + facts).join(', ')}`,
    width,
    height: legend.height + TITLE + rows * rowHeight + 44,
    marginTop: legend.height + TITLE,
    marginBottom: 44,
    marginLeft,
    marginRight: MARGIN_RIGHT,
    x: { domain: [0, end] },
    y: { domain: [-0.5, most - 0.5], reverse: true, axis: null },
    fx: { axis: null, padding: columns > 1 ? PANEL_GAP : 0 },
    fy: { axis: null, padding: GAP / rowHeight },
    color: { type: 'identity' },
    overlay: legend.svg,
    marks: [
      Plot.gridX({ ...GRID_LINE, ticks }),
      Plot.rect(bars, {
        x1: 'x1',
        x2: 'x2',
        y1: bar => bar.row - bar.half,
        y2: bar => bar.row + bar.half,
        fx: 'fx',
        fy: 'fy',
        fill: 'color',
      }),
      names.length > 0
        ? Plot.axisY(
            names.map((_, row) => row).filter(row => row % Math.ceil((TICK_FONT + 1) / line) === 0),
            {
              label: null,
              tickFormat: (row: number) => ellipsize(names[row] ?? '', nameRoom, TICK_FONT),
              tickSize: 0,
              fontSize: TICK_FONT,
              fill: axisLabel.fill,
              facetAnchor: 'left',
            },
          )
        : null,
      Plot.axisX({
        label: 'ms since the frame began',
        labelArrow: 'none',
        labelAnchor: 'center',
        tickSize: 0,
        ...axisLabel,
        facetAnchor: 'bottom',
        ticks,
      }),
      Plot.text(titles, { ...TITLE_PLACE, text: 'text', frameAnchor: 'top-left', fill: 'color', fontWeight: 'bold' }),
      Plot.text(titles, { ...TITLE_PLACE, text: 'facts', frameAnchor: 'top-right' }),
    ],
  })
}

/** All workers, or an even sample of them, from the last to finish to the first. */
function shownWorkers({ workers, bars }: FrameTimeline): readonly WorkerInfo[] {
  if (workers.length <= MAX_GANTT_WORKERS) return workers
  const doneAt = new Map<string, number>()
  for (const { worker, kind, end } of bars)
    if (kind === 'render') doneAt.set(worker, Math.max(doneAt.get(worker) ?? 0, end))
  const ranked = workers.toSorted((a, b) => (doneAt.get(b.id) ?? 0) - (doneAt.get(a.id) ?? 0))
  const step = (ranked.length - 1) / (MAX_GANTT_WORKERS - 1)
  return Array.from({ length: MAX_GANTT_WORKERS }, (_, i) => ranked[Math.round(i * step)]!)
}

interface Interval {
  readonly start: number
  readonly end: number
}

/** Bars in order; those that cannot be distinguished from a neighbour are merged. */
function merged(bars: readonly TimelineBar[], pxPerMs: number): Interval[] {
  const least = 2 / pxPerMs
  const whole: Interval[] = []
  for (const { start, end } of bars.toSorted((a, b) => a.start - b.start)) {
    const last = whole.at(-1)
    const narrow = last && (end - start < least || last.end - last.start < least)
    if (last && (start < last.end || (narrow && start - last.end < least / 4)))
      whole[whole.length - 1] = { start: last.start, end: Math.max(last.end, end) }
    else whole.push({ start, end })
  }
  return whole
}

/** Left and right edge, ms; bars that are wide enough are separated by a gap. */
function edges({ start, end }: Interval, pxPerMs: number): { x1: number; x2: number } {
  const gap = (end - start) * pxPerMs > 4 ? 0.4 / pxPerMs : 0
  return { x1: start + gap, x2: end - gap }
}

const MAX_HEIGHT = 1100
const MARGIN_RIGHT = 14
const PANEL_GAP = 0.06
const GAP = 30
const TITLE = 24
const TICK_FONT = 11
const TITLE_PLACE = { fx: 'fx', fy: 'fy', lineAnchor: 'bottom', dy: -5 } as const
