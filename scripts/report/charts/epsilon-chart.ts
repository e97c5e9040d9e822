/** How unevenly each frame was divided, by the clock that is valid on any host. */

import type { Summary } from '../../../shared/frame/summary.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { formatRatio } from '../figures/numbers.ts'
import type { ChartLook } from './chart.ts'
import { lineChart } from './line-chart.ts'
import { MAX_LINES, multiplesChart } from './multiples-chart.ts'
import { strategyStyles } from './palette.ts'

/** SVG of ε (Eq. 3) by the CPU clock, one line per strategy. */
export function epsilonChart(summary: Summary, look: ChartLook = {}): string {
  const styles = strategyStyles(summary)
  const series = summary.strategies.map(({ name, frames }) => {
    const points = frames.map(({ frame, epsilonCpu }) => ({ frame, value: epsilonCpu }))
    const average = mean(points.map(point => point.value))
    const meanLabel = `${frames.length > 1 ? 'mean ' : ''}${formatRatio(average)}`
    return { name, style: styles.get(name)!, points, mean: average, meanLabel }
  })
  const means = series.map(({ name, meanLabel }) => `${name} ${meanLabel}`)
  const description = `Imbalance epsilon by the CPU clock for each frame and strategy: ${means.join(', ')}`
  const yLabel = `imbalance ε by the CPU clock${look.narrow ? '' : ', ratio (0 = perfectly shared)'}`
  if (series.length > MAX_LINES) {
    // Good values lie close to zero, unbalanced ones far above.
    const scaled = `${yLabel}, square-root scale; frames across`
    return multiplesChart(series, { description, yLabel: scaled, scale: 'sqrt', ...look })
  }
  return lineChart(series, { description, yLabel, height: look.narrow ? 260 : 330, ...look })
}
