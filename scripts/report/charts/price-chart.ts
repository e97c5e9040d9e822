/**
 * The price of balance: a row per strategy, and a column of bars per kind of cost, each column on its own scale, to show at a
 * glance what each strategy pays for its frame time.
 */
import * as Plot from '@observablehq/plot'
import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { formatCount, formatKiB, formatMs, formatRatio, formatShare } from '../figures/numbers.ts'
import { axisLabel, CHART_FONT, CHART_WIDTH, GRID_LINE, renderChart } from './chart.ts'
import { strategyStyles } from './palette.ts'
import { ellipsize, printable, textWidth } from './text-width.ts'

interface Price {
  readonly head: string
  readonly unit: string
  of(strategy: StrategySummary): number
  text(value: number): string
}

const PRICES: readonly Price[] = [
  { head: 'imbalance ε', unit: 'mean', of: s => s.epsilon.mean, text: formatRatio },
  { head: 'messages', unit: 'per frame', of: s => s.messagesPerFrame, text: formatCount },
  { head: 'traffic', unit: 'KiB per frame', of: s => s.bytesPerFrame, text: formatKiB },
  { head: 'migration', unit: 'of pixels', of: s => s.migrationShare, text: formatShare },
  { head: 'decision', unit: 'ms', of: s => s.decideMs, text: formatMs },
  { head: 'overhead', unit: 'of wall time', of: s => s.overheadShare, text: formatShare },
]

/** SVG of imbalance and the cost of avoiding it, means over the frames. */
export function priceChart(summary: Summary): string {
  const { strategies } = summary
  const styles = strategyStyles(summary)
  const names = strategies.map(({ name }) => ellipsize(printable(name), 170, CHART_FONT))
  const marginLeft = 14 + Math.max(...names.map(name => textWidth(name, CHART_FONT, 'bold')))
  const columnWidth = ((CHART_WIDTH - marginLeft - MARGIN_RIGHT) / PRICES.length) * (1 - GAP)
  const bars = PRICES.flatMap((price, column) => {
    const values = strategies.map(price.of)
    const words = values.map(price.text)
    const most = Math.max(...values) || 1
    // Leave room for the number after the longest bar.
    const room = 1 - (8 + Math.max(...words.map(word => textWidth(word, FONT)))) / columnWidth
    return strategies.map(({ name }, row) => ({
      column,
      row,
      to: (values[row]! / most) * room,
      word: words[row]!,
      color: styles.get(name)!.color,
    }))
  })
  const heads = PRICES.map(({ head, unit }, column) => ({ column, text: `${head}\n${unit}` }))
  return renderChart({
    description: `What balance costs: ${strategies.map(s => `${s.name} ${PRICES.map(price => `${price.head} ${price.text(price.of(s))} ${price.unit}`).join(', ')}`).join('; ')}`,
    height: MARGIN_TOP + strategies.length * ROW + 10,
    marginTop: MARGIN_TOP,
    marginBottom: 10,
    marginLeft,
    marginRight: MARGIN_RIGHT,
    x: { domain: [0, 1], axis: null },
    y: { domain: [-0.5, strategies.length - 0.5], reverse: true, axis: null },
    fx: { domain: PRICES.map((_, column) => column), axis: null, padding: GAP },
    color: { type: 'identity' },
    marks: [
      Plot.rect(bars, {
        x1: 0,
        x2: 'to',
        y1: bar => bar.row - 0.32,
        y2: bar => bar.row + 0.32,
        fx: 'column',
        fill: 'color',
        fillOpacity: 0.75,
      }),
      Plot.ruleX([0], { ...GRID_LINE }),
      Plot.text(bars, { x: 'to', y: 'row', text: 'word', fx: 'column', textAnchor: 'start', dx: 5, fontSize: FONT }),
      Plot.text(heads, {
        text: 'text',
        fx: 'column',
        frameAnchor: 'top-left',
        lineAnchor: 'bottom',
        dy: -4,
        fontSize: FONT,
        fill: axisLabel.fill,
      }),
      Plot.text(
        names.map((name, row) => ({ name, row, color: styles.get(strategies[row]!.name)!.color })),
        {
          text: 'name',
          y: 'row',
          x: 0,
          fx: () => 0,
          textAnchor: 'end',
          dx: -8,
          fill: 'color',
          fontWeight: 'bold',
        },
      ),
    ],
  })
}

const ROW = 23
const FONT = 12
const MARGIN_TOP = 38
const MARGIN_RIGHT = 4
const GAP = 0.1
