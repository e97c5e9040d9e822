/**
 * A value per frame, one line per strategy. Each line ends in its name and mean, so no legend is needed, unless the chart is
 * narrow; a dashed rule marks the mean if there are few enough lines.
 */
import * as Plot from '@observablehq/plot'
import { axisLabel, CHART_FONT, type ChartLook, gridY, renderChart, widthOf } from './chart.ts'
import { placeLabels } from './label-placement.ts'
import type { SeriesStyle } from './palette.ts'
import { ellipsize, printable, textWidth } from './text-width.ts'

export interface Series {
  readonly name: string
  readonly style: SeriesStyle
  readonly points: readonly { readonly frame: number; readonly value: number }[]
  readonly mean: number
  /** Text after the name at the end of the line. */
  readonly meanLabel: string
}

export interface LineChartOptions extends ChartLook {
  readonly description: string
  /** Label of the vertical axis, with its unit. */
  readonly yLabel: string
  /** Label of the horizontal axis. @default frame */
  readonly xLabel?: string
  readonly height: number
  /** Whether means are marked where there is room. @default true */
  readonly means?: boolean
}

export function lineChart(
  series: readonly Series[],
  { description, yLabel, xLabel = 'frame', height, means = true, narrow = false }: LineChartOptions,
): string {
  const width = widthOf({ narrow })
  const labels = series.map(({ name, meanLabel }) => `${ellipsize(printable(name), 170, CHART_FONT)} ${meanLabel}`)
  const margin = {
    marginTop: 34,
    marginBottom: 44,
    marginLeft: narrow ? 44 : 62,
    marginRight: narrow ? 10 : LEADER + 14 + Math.max(...labels.map(label => textWidth(label, CHART_FONT, 'bold'))),
  }
  const points = series.flatMap(({ name, style, points }) => points.map(point => ({ name, style, ...point })))
  const frames = points.map(point => point.frame)
  const [first, last] = [Math.min(...frames), Math.max(...frames)]
  const pad = first === last ? 0.5 : 0

  // Scales are created first: labels are separated in pixels, and then passed to the plot as values.
  const x = linear([first - pad, last + pad], [margin.marginLeft, width - margin.marginRight])
  const top = Math.max(...points.map(point => point.value), 0) || 1
  const y = linear([0, top], [height - margin.marginBottom, margin.marginTop], true)
  const ends = series.map(({ points }) => points.at(-1) ?? { frame: last, value: 0 })
  const wanted = ends.map(end => y.apply(end.value))
  const spread = placeLabels(wanted, LABEL_LINE, margin.marginTop, height - margin.marginBottom)
  const labelX = x.invert(x.apply(last) + LEADER)

  const marks = series.map(({ style, points, mean }, index) => {
    const end = ends[index]!
    const label = { x: labelX, y: y.invert(spread[index]!), text: labels[index]! }
    return [
      means && series.length <= MAX_MEAN_RULES && points.length > 1
        ? Plot.ruleY([mean], {
            x1: first,
            x2: last,
            stroke: style.color,
            strokeWidth: 1.2,
            strokeDasharray: '5 4',
            strokeOpacity: 0.75,
          })
        : null,
      Plot.line(points, {
        x: 'frame',
        y: 'value',
        stroke: style.color,
        strokeWidth: 2.2,
        ...(style.dash ? { strokeDasharray: style.dash } : {}),
      }),
      points.length <= 60
        ? Plot.dot(points, { x: 'frame', y: 'value', r: 3, fill: style.color, stroke: 'white', strokeWidth: 1 })
        : null,
      narrow
        ? null
        : [
            Plot.link([{ x1: end.frame, y1: end.value, x2: labelX, y2: label.y }], {
              x1: 'x1',
              y1: 'y1',
              x2: 'x2',
              y2: 'y2',
              stroke: style.color,
              strokeOpacity: 0.6,
            }),
            Plot.text([label], {
              x: 'x',
              y: 'y',
              text: 'text',
              textAnchor: 'start',
              dx: 5,
              fill: style.color,
              fontWeight: 'bold',
            }),
          ],
    ]
  })

  return renderChart({
    description,
    width,
    height,
    ...margin,
    x: { domain: x.domain },
    y: { domain: y.domain },
    marks: [
      gridY(),
      Plot.axisY({ label: yLabel, labelArrow: 'none', tickSize: 0, ...axisLabel }),
      Plot.axisX(frameTicks(first, last, narrow ? 9 : 21), {
        label: xLabel,
        labelArrow: 'none',
        labelAnchor: 'center',
        tickFormat: 'd',
        ...axisLabel,
      }),
      Plot.ruleY([0]),
      marks,
    ],
  })
}

/** With more strategies, rules at their means would be clutter. */
export const MAX_MEAN_RULES = 4

/** Frame numbers to mark on an axis: all of them if they fit, else multiples of a round step. */
export function frameTicks(first: number, last: number, most = 21): number[] {
  const count = last - first + 1
  const step =
    count <= most
      ? 1
      : ([2, 5, 10, 20, 50, 100, 200, 500, 1000].find(s => count / s <= most) ?? Math.ceil(count / most))
  return Array.from({ length: count }, (_, i) => first + i).filter(frame => frame % step === 0)
}

interface Linear {
  readonly domain: [number, number]
  apply(value: number): number
  invert(px: number): number
}

function linear(domain: [number, number], range: [number, number], nice = false): Linear {
  const scale = Plot.scale({ y: { type: 'linear', domain, range, nice } })
  const exact = scale.domain as number[]
  return {
    domain: [exact[0]!, exact.at(-1)!],
    apply: value => scale.apply(value) as number,
    invert: px => scale.invert?.(px) as number,
  }
}

const LEADER = 18
const LABEL_LINE = CHART_FONT + 5
