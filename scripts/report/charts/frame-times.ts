/** The paper's chart: frame times, balanced and unbalanced. */
import type { Summary } from '../../../shared/frame/summary.ts'
import { formatMs } from '../figures/numbers.ts'
import type { ChartLook } from './chart.ts'
import { frameSpreadChart } from './frame-spread-chart.ts'
import { lineChart } from './line-chart.ts'
import { MAX_LINES, multiplesChart } from './multiples-chart.ts'
import { strategyStyles } from './palette.ts'

/** SVG of the frame times in ms: a line per strategy with its mean, or for single frames, which form no line, a row each. */
export function frameTimesChart(summary: Summary, look: ChartLook = {}): string {
  if (isStill(summary)) return frameSpreadChart(summary, look)
  const styles = strategyStyles(summary)
  const series = summary.strategies.map(({ name, frames, frameMs }) => ({
    name,
    style: styles.get(name)!,
    points: frames.map(({ frame, frameMs }) => ({ frame, value: frameMs })),
    mean: frameMs.mean,
    meanLabel: frames.length > 1 ? `mean ${formatMs(frameMs.mean)} ms` : `${formatMs(frameMs.mean)} ms`,
  }))
  const means = series.map(({ name, meanLabel }) => `${name} ${meanLabel}`)
  const description = `Frame time in milliseconds for each frame and strategy: ${means.join(', ')}`
  if (series.length > MAX_LINES)
    return multiplesChart(series, { description, yLabel: 'frame time, ms; frames across', ...look })
  return lineChart(series, { description, yLabel: 'frame time, ms', height: look.narrow ? 280 : 420, ...look })
}

/** Whether no strategy rendered more than one frame. */
export const isStill = (summary: Summary): boolean => summary.strategies.every(({ frames }) => frames.length === 1)
