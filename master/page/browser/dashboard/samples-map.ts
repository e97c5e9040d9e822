/** The picture as a map of where an adaptive frame has its samples. */
import type { WholeFrame } from '../../../../shared/dashboard/compact-frame.ts'
import { readSampleGrid, type SampleGrid } from '../../../../shared/dashboard/sample-grid.ts'
import { svg } from './elements.ts'

const gridOf = ({ samples, size }: WholeFrame): SampleGrid | undefined =>
  samples === undefined ? undefined : readSampleGrid(samples, size)

/** The more samples, the darker: from the fewest to the most of this frame, by their logarithms. Nothing where all pixels have as many. */
export function showSamples(map: SVGSVGElement, frame: WholeFrame): void {
  const [width, height] = frame.size
  map.setAttribute('viewBox', `0 0 ${width} ${height}`)
  const { columns, rows, samples } = gridOf(frame) ?? { columns: 1, rows: 1, samples: [] }
  const [w, h] = [width / columns, height / rows]
  const logs = samples.map(count => Math.log2(1 + count))
  const [least, most] = [Math.min(...logs), Math.max(...logs)]
  map.replaceChildren(
    ...logs.map((log, i) =>
      svg('rect', {
        ...{ x: (i % columns) * w, y: Math.floor(i / columns) * h, width: w, height: h, fill: '#7b2cbf' },
        'fill-opacity': most > least ? (0.8 * ((log - least) / (most - least))).toFixed(3) : 0.4,
      }),
    ),
  )
}

/** `4 to 256, mean 31`; undefined where all have as many. */
export function samplesText(frame: WholeFrame): string | undefined {
  const grid = gridOf(frame)
  if (!grid) return undefined
  const [least, most] = [Math.min(...grid.samples), Math.max(...grid.samples)]
  const mean = grid.samples.reduce((sum, each) => sum + each, 0) / grid.samples.length
  return `${Math.round(least)} to ${Math.round(most)}, mean ${Math.round(mean)}`
}
