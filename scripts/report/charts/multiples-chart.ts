/**
 * A value per frame, for more strategies than one pair of axes can hold: a small panel per strategy, all on the same scale,
 * its line in colour and all other lines in grey behind it.
 */
import * as Plot from '@observablehq/plot'
import { axisLabel, CHART_FONT, GRID_LINE, panel, renderChart, widthOf } from './chart.ts'
import { frameTicks, type LineChartOptions, type Series } from './line-chart.ts'
import { escapeMarkup } from './markup.ts'
import { ellipsize, printable, textWidth } from './text-width.ts'

/** More lines than this become small multiples. */
export const MAX_LINES = 6

export interface MultiplesOptions extends Omit<LineChartOptions, 'height'> {
  /** `sqrt` makes small values visible next to large ones, and still starts at zero. @default linear */
  readonly scale?: 'linear' | 'sqrt'
}

export function multiplesChart(
  series: readonly Series[],
  { description, yLabel, scale = 'linear', narrow = false }: MultiplesOptions,
): string {
  const width = widthOf({ narrow })
  const columns = narrow ? 2 : 4
  const rows = Math.ceil(series.length / columns)
  const panelWidth = ((width - MARGIN.marginLeft - MARGIN.marginRight) / columns) * (1 - GAP)
  const points = series.flatMap(({ points }) => points)
  const first = points.reduce((least, { frame }) => Math.min(least, frame), Number.POSITIVE_INFINITY)
  const last = points.reduce((most, { frame }) => Math.max(most, frame), 0)
  const top = points.reduce((most, { value }) => Math.max(most, value), 0) || 1
  const ticks = scale === 'sqrt' ? rootTicks(top) : evenTicks(top)

  const own = series.flatMap(({ name, style, points }, index) =>
    points.map(point => ({ ...panel(index, columns), ...point, name, color: style.color })),
  )
  const behind = series.map(({ name, points }) => thinned(points).map(point => ({ name, ...point })))
  const others = series.flatMap((_, index) =>
    behind.flatMap((line, other) =>
      other === index ? [] : line.map(point => ({ ...panel(index, columns), ...point })),
    ),
  )
  const titles = series.map(({ name, style, mean, meanLabel }, index) => {
    const word = ` ${meanLabel.replace(/^mean /, '')}`
    const room = panelWidth - textWidth(word, CHART_FONT)
    const text = ellipsize(printable(name), room / 1.1, CHART_FONT)
    return { ...panel(index, columns), text, word, mean, color: style.color }
  })

  return renderChart({
    description,
    width,
    ...MARGIN,
    height: MARGIN.marginTop + MARGIN.marginBottom + rows * ROW,
    x: { domain: first === last ? [first - 0.5, last + 0.5] : [first, last] },
    y: { domain: [0, top], type: scale },
    fx: { axis: null, padding: GAP },
    fy: { axis: null, padding: (TITLE + 10) / ROW },
    color: { type: 'identity' },
    marks: [
      Plot.gridY(ticks, GRID_LINE),
      Plot.axisY(ticks, {
        label: null,
        tickFormat: (value: number) => `${Number(value.toPrecision(3))}`,
        tickSize: 0,
        facetAnchor: 'left',
        ...axisLabel,
      }),
      Plot.axisX(frameTicks(first, last, narrow ? 4 : 6), {
        label: null,
        tickFormat: 'd',
        tickSize: 0,
        facetAnchor: 'bottom',
        ...axisLabel,
      }),
      Plot.ruleY([0]),
      Plot.line(others, { ...PLACE, z: 'name', stroke: OTHERS, strokeWidth: 0.7 }),
      Plot.ruleY(titles, {
        y: 'mean',
        fx: 'fx',
        fy: 'fy',
        x1: first,
        x2: last,
        stroke: 'color',
        strokeDasharray: '4 3',
        strokeOpacity: 0.7,
      }),
      Plot.line(own, { ...PLACE, z: 'name', stroke: 'color', strokeWidth: 2 }),
      Plot.text(titles, { ...TITLE_PLACE, text: 'text', frameAnchor: 'top-left', fill: 'color', fontWeight: 'bold' }),
      Plot.text(titles, { ...TITLE_PLACE, text: 'word', frameAnchor: 'top-right' }),
    ],
    overlay: `<text x="8" y="14" text-anchor="start" fill="${axisLabel.fill}" font-size="${axisLabel.fontSize}">${escapeMarkup(yLabel)}</text>`,
  })
}

/** Background lines need no more points than pixels. */
function thinned<T>(points: readonly T[]): readonly T[] {
  const step = Math.ceil(points.length / 100)
  return step > 1 ? points.filter((_, index) => index % step === 0) : points
}

/** Several round values up to `top`. */
function evenTicks(top: number): number[] {
  const step = roundDown(top / 3)
  return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => i * step)
}

/** Round values, roughly evenly spaced on a square-root scale. */
function rootTicks(top: number): number[] {
  return [0, roundDown(top / 10), roundDown(top / 2.5), roundDown(top)]
}

/** The largest of 1, 2, 5 times a power of ten that does not exceed `value`. */
function roundDown(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  return unit * ([5, 2].find(factor => factor * unit <= value) ?? 1)
}

const GAP = 0.09
const OTHERS = '#d0d6dd'
const MARGIN = { marginLeft: 54, marginRight: 8, marginTop: 46, marginBottom: 26 } as const
const TITLE = 20
const ROW = 128
const PLACE = { x: 'frame', y: 'value', fx: 'fx', fy: 'fy' } as const
const TITLE_PLACE = { fx: 'fx', fy: 'fy', lineAnchor: 'bottom', dy: -5 } as const
