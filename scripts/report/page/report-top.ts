/** The first screen of the report: the result, how the frame was shared, the most important numbers, and reasons for doubt. */
import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { isStill } from '../charts/frame-times.ts'
import { html, type Markup } from '../charts/markup.ts'
import { hasCpuFigures } from '../figures/clocks.ts'
import {
  baselineOf,
  compareTo,
  fastestOf,
  headline,
  isUndecided,
  isWithinNoise,
  spreadOf,
} from '../figures/headline.ts'
import { mostAtOnce } from '../figures/most-at-once.ts'
import {
  clockName,
  formatFactor,
  formatInterval,
  formatMs,
  formatRatio,
  formatShare,
  formatTime,
  workersText,
} from '../figures/numbers.ts'
import { isOnTop, type ReportImage, tileFigure } from './report-pictures.ts'

export function reportTop(summary: Summary, title: string, tiles: readonly ReportImage[]): Markup {
  const shown = tiles.filter(tile => isOnTop(summary, tile))
  const { warnings } = summary
  return html`<header>
<p class="kicker">sortfirst, one frame traced by ${workersText(mostAtOnce(summary))} at once</p>
<h1>${title}</h1>
<p class="headline">${headline(summary)}</p>
${shown.length > 0 && html`<div class="pictures first">${shown.map(tile => tileFigure(summary, tile))}</div>`}
${warnings.length > 0 && html`<div class="callout warn">${warnings.map(warning => html`<p><b>Warning:</b> ${warning}</p>`)}</div>`}
${cards(summary)}
</header>`
}

function cards(summary: Summary): Markup {
  const baseline = baselineOf(summary)
  const shown = fastestOf(summary)
  const alone = shown === baseline
  const against = (text: string): string | undefined => (alone ? undefined : `${baseline.name} ${text}`)
  return html`<dl class="cards">
${!alone && !isUndecided(summary) && speedUpCard(baseline, shown)}
${card(isStill(summary) ? 'Frame time' : 'Mean frame time', `${formatTime(shown.frameMs.mean)}`, against(`${formatTime(baseline.frameMs.mean)}`), shown.frameMs.ci95 && formatInterval(shown.frameMs.ci95, formatMs))}
${!isStill(summary) && card('Spread (stddev/mean)', formatShare(spreadOf(shown)), against(formatShare(spreadOf(baseline))))}
${card(`Imbalance ε (${clockName(shown.epsilon.clock)} clock)`, formatRatio(shown.epsilon.mean), against(formatRatio(baseline.epsilon.mean)))}
${alone && card('Efficiency', formatShare(shown.efficiency), `T_min / T by the ${clockName(hasCpuFigures(summary) ? 'cpu' : 'wall')} clock`)}
</dl>`
}

function speedUpCard(baseline: StrategySummary, shown: StrategySummary): Markup {
  const { factor, saved } = compareTo(baseline, shown)
  const length = `frame ${formatShare(Math.abs(saved))} ${saved < 0 ? 'longer' : 'shorter'}`
  return card(
    'Speed-up',
    formatFactor(factor),
    isWithinNoise(shown) ? 'no difference shown' : length,
    shown.speedUp?.ci95 && formatInterval(shown.speedUp.ci95, formatFactor),
  )
}

const card = (label: string, value: string, ...notes: readonly (string | undefined)[]): Markup =>
  html`<div class="card"><dt>${label}</dt><dd>${value}</dd>${notes.map(note => note && html`<dd class="note">${note}</dd>`)}</div>`
