/** How unevenly each frame was divided, by the clock that is valid on any host, where there is one. */

import type { Summary } from '../../../shared/frame/summary.ts'
import { mean } from '../../../shared/metrics/statistics.ts'
import { epsilonBy, hasCpuFigures } from '../figures/clocks.ts'
import { clockName, formatRatio } from '../figures/numbers.ts'
import type { ChartLook } from './chart.ts'
import { lineChart } from './line-chart.ts'
import { MAX_LINES, multiplesChart } from './multiples-chart.ts'
import { strategyStyles } from './palette.ts'

/** SVG of ε (Eq. 3), one line per strategy. */
export function epsilonChart(summary: Summary, look: ChartLook = {}): string {
  const styles = strategyStyles(summary)
  const clock = hasCpuFigures(summary) ? 'cpu' : 'wall'
  const series = summary.strategies.map(({ name, frames }) => {
    const points = frames.map(each => ({ frame: each.frame, value: epsilonBy(clock, each) }))
    const average = mean(points.map(point => point.value))
    const meanLabel = `${frames.length > 1 ? 'mean ' : ''}${formatRatio(average)}`
    return { name, style: styles.get(name)!, points, mean: average, meanLabel }
  })
  const means = series.map(({ name, meanLabel }) => `${name} ${meanLabel}`)
  const description = `Imbalance epsilon by the ${clockName(clock)} clock for each frame and strategy: ${means.join(', ')}`
  const yLabel = `imbalance ε by the ${clockName(clock)} clock${look.narrow ? '' : ', ratio (0 = perfectly shared)'}`
  if (series.length > MAX_LINES) {
    // Good values lie close to zero, unbalanced ones far above.
    const scaled = `${yLabel}, square-root scale; frames across`
    return multiplesChart(series, { description, yLabel: scaled, scale: 'sqrt', ...look })
  }
  return lineChart(series, { description, yLabel, height: look.narrow ? 260 : 330, ...look })
}
