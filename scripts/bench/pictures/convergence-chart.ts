/** Error against the number of samples, both logarithmic: a straight line whose slope says how much more samples help. */
import * as Plot from '@observablehq/plot'
import { axisLabel, gridX, gridY, renderChart } from '../../report/charts/chart.ts'
import type { Convergence } from './checks/convergence.ts'

const COLORS = ['#0068a8', '#007a59', '#bf4a00', '#9b4585'] as const
const WHITE = '#8a97a3'

export function convergenceChart(all: readonly Convergence[]): string {
  const lines = all.flatMap(({ integrand, points }, i) =>
    points.map(({ samples, error, white }) => ({ name: integrand.name, color: COLORS[i]!, samples, error, white })),
  )
  const ends = all.map(({ integrand, points, slope }, i) => ({
    ...points.at(-1)!,
    text: `${integrand.name}: n^${slope.toFixed(2)}`,
    color: COLORS[i]!,
  }))
  return renderChart({
    description: 'Root mean square error against the number of samples, beside white noise',
    height: 420,
    marginLeft: 70,
    marginRight: 330,
    marginTop: 28,
    marginBottom: 44,
    x: { type: 'log', base: 2, label: null, ticks: all[0]!.points.map(({ samples }) => samples), tickFormat: 'd' },
    y: { type: 'log', label: null },
    marks: [
      gridY(),
      gridX(),
      Plot.line(lines, { x: 'samples', y: 'white', z: 'name', stroke: WHITE, strokeDasharray: '5 4' }),
      Plot.line(lines, { x: 'samples', y: 'error', z: 'name', stroke: 'color', strokeWidth: 2.2 }),
      Plot.dot(lines, { x: 'samples', y: 'error', fill: 'color', r: 3 }),
      Plot.text(ends, { x: 'samples', y: 'error', text: 'text', fill: 'color', textAnchor: 'start', dx: 10 }),
      Plot.text(['root mean square error (dashed: white noise)'], {
        ...axisLabel,
        frameAnchor: 'top-left',
        dx: -60,
        dy: -20,
        textAnchor: 'start',
      }),
      Plot.text(['samples'], { ...axisLabel, frameAnchor: 'bottom', dy: 36 }),
    ],
  })
}
