/**
 * The frame of median time of each run, worker by worker, drawn as the dashboard draws it, all to one scale; below each is why it took as long as
 * it did. For a page that runs no scripts, and for paper.
 */
import type { WholeFrame } from '../../../shared/dashboard/compact-frame.ts'
import type { AreaLook } from '../../../shared/dashboard/drawing/drawn.ts'
import { ganttChart } from '../../../shared/dashboard/drawing/gantt.ts'
import { PHASE_COLORS, PHASE_ORDER } from '../../../shared/dashboard/phase-colors.ts'
import type { RunFrames } from '../../../shared/dashboard/report-frames.ts'
import { whySlow } from '../../../shared/dashboard/why-slow.ts'
import { workerColor } from '../../../shared/dashboard/worker-colors.ts'
import type { Summary } from '../../../shared/frame/summary.ts'
import { drawnMarkup, html, type Markup } from '../charts/markup.ts'
import { strategyStyles } from '../charts/palette.ts'
import { workerNames } from '../charts/worker-axis.ts'
import { formatMs, plural } from '../figures/numbers.ts'
import { medianFrame, type ShownRunFrame } from '../figures/run-frames.ts'
import { swatch } from '../tables/report-tables.ts'
import { folded } from './figure.ts'

/** px: alone, on a phone, and beside each other, where one drawing has to do for both. */
const [WIDE, NARROW, BESIDE] = [960, 358, 320]
/** More stand side by side, and what is said of them is a list: below each it would be a wall of text. */
const MOST_WIDE = 4

export function frameCharts(summary: Summary, runs: readonly RunFrames[]): Markup {
  const shown = runs.map(medianFrame)
  const endMs = Math.max(...shown.map(({ frame }) => frame.figures.frameMs))
  const places = new Map([...workerNames(summary).keys()].map((id, place) => [id, place]))
  const styles = strategyStyles(summary)
  const many = shown.length > MOST_WIDE
  const panels = shown.map(each => {
    const { run, frame } = each
    const look = lookOf(each, places)
    const drawn = (width: number) => drawnMarkup(ganttChart(frame, { width, endMs, isSmall: many }, look))
    const chart = many
      ? drawn(BESIDE)
      : html`<div class="wide">${drawn(WIDE)}</div><div class="narrow">${drawn(NARROW)}</div>`
    return html`<div class="panel"><h3>${swatch(styles.get(run)?.color ?? 'gray')}${run}<small> frame ${frame.frame}: ${formatMs(frame.figures.frameMs)} ms${!many && `, ${plural(frame.figures.tileCount, 'tile')}`}</small></h3>
${chart}${!many && html`<p class="why">${said(frame, look)}</p>`}</div>
`
  })
  const sentences = shown.map(
    each => html`<li class="why"><b>${each.run}</b>, ${whySlow(each.frame, lookOf(each, places).nameOf).text}</li>`,
  )
  const keys = PHASE_ORDER.map(kind =>
    kind === 'idle'
      ? html`<li><i class="idle"></i>idle</li>`
      : html`<li><i style="background:${PHASE_COLORS[kind]}"></i>${kind}</li>`,
  )
  return html`<figure class="dashboard is-adaptive charts${many && ' tall'}"><ul class="legend">${keys}</ul>
<div class="panels${many && ' many'}">${panels}</div>
<figcaption><b>One frame, worker by worker</b>: the frame of median time${shown.length > 1 && ' of each strategy, all to one scale'}. T_min is when a perfect share would have ended; the tinted stretch after it is ε.</figcaption></figure>
${many && folded('Why these frames took as long as they did', html`<ul>${sentences}</ul>`)}`
}

function lookOf({ roster: { ids, names } }: ShownRunFrame, places: ReadonlyMap<string, number>): AreaLook {
  return {
    nameOf: area => names[area] ?? `area ${area}`,
    colorOf: area => workerColor(places.get(ids[area] ?? '') ?? area),
  }
}

function said(frame: WholeFrame, { nameOf }: AreaLook): string {
  const { text } = whySlow(frame, nameOf)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
