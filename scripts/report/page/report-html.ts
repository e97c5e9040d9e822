/**
 * The report page of a run: one self-contained HTML file, for screen and paper. The result comes first, then its basis: how
 * it was run, the numbers, the charts, the images, and how to read them.
 */
import type { Summary } from '../../../shared/frame/summary.ts'
import { epsilonChart } from '../charts/epsilon-chart.ts'
import { frameSpreadChart } from '../charts/frame-spread-chart.ts'
import type { FrameTimeline } from '../charts/frame-timeline.ts'
import { frameTimesChart, isStill } from '../charts/frame-times.ts'
import { ganttChart, MAX_GANTT_WORKERS } from '../charts/gantt-chart.ts'
import { ledgerChart } from '../charts/ledger-chart.ts'
import { MAX_MEAN_RULES } from '../charts/line-chart.ts'
import { html, type Markup, trusted } from '../charts/markup.ts'
import { MAX_LINES } from '../charts/multiples-chart.ts'
import { strategyStyles } from '../charts/palette.ts'
import { priceChart } from '../charts/price-chart.ts'
import { utilisationChart } from '../charts/utilisation-chart.ts'
import { groupNote, workerNames } from '../charts/worker-axis.ts'
import { workerLoadChart } from '../charts/worker-load-chart.ts'
import { baselineOf, compareTo, fastestOf, headline, isWithinNoise, spreadOf } from '../figures/headline.ts'
import { lightSaid } from '../figures/light-said.ts'
import {
  clockName,
  formatCount,
  formatFactor,
  formatInterval,
  formatMs,
  formatRatio,
  formatShare,
  plural,
  triangleText,
  workersText,
} from '../figures/numbers.ts'
import { cpuClockNote, hostLine, intervalNote, wallTimeNote } from '../figures/run-facts.ts'
import {
  balanceTable,
  beyondPlanTable,
  decisionTable,
  frameTimeTable,
  ledgerTable,
  passTable,
  priceTable,
  slowestTable,
  swatch,
} from '../tables/report-tables.ts'
import { htmlPage } from './html-page.ts'
import { epsilonSection } from './report-epsilon.ts'
import { filmSection, pixelSection, type ReportImages, tileSection } from './report-pictures.ts'
import { REPORT_STYLE } from './report-style.ts'
import { winnersTable } from './report-winners.ts'

/** Parts of the report that are not in the summary. */
export interface ReportExtras extends ReportImages {
  /** Timeline of one frame per strategy. @default none */
  readonly timelines?: readonly FrameTimeline[]
}

/** `report.html` of a summary. Every name in it is escaped. */
export function reportHtml(summary: Summary, extras: ReportExtras): string {
  const several = summary.strategies.length > 1
  const title = `${summary.scene.name}: ${several ? 'strategies compared' : summary.strategies[0]!.name}`
  const winners = winnersTable(summary)
  const sections = [
    winners && html`<section id="winners"><h2>Best strategy by measure</h2>${winners}</section>`,
    howItWasRun(summary),
    strategySection(summary),
    balanceSection(summary),
    timeSection(summary, extras.timelines ?? []),
    priceSection(summary),
    tileSection(summary, extras.tiles),
    filmSection(summary, extras.films ?? []),
    pixelSection(summary, extras.pictures),
  ]
  const main = html`<header>
<p class="kicker">sortfirst, one frame traced by ${workersText(summary.workers)} at once</p>
<h1>${title}</h1>
<p class="headline">${headline(summary)}</p>
${cards(summary)}
${summary.warnings.length > 0 && html`<div class="callout warn">${summary.warnings.map(warning => html`<p><b>Warning:</b> ${warning}</p>`)}</div>`}
</header>
${firstFigure(summary)}
${sections}
<footer>Scene SHA-256 ${summary.scene.sha256}. The same numbers in machine-readable form: summary.json, frames.csv.</footer>`
  return htmlPage({ title, style: REPORT_STYLE, main })
}

const SPREAD_CAPTION =
  'each point is a frame; the box holds the middle half, its bar is the median. In text: mean ± standard deviation (spread).'

/** A few strategies as lines; more, whose lines would cross too often, as a ranking. */
function firstFigure(summary: Summary): Markup {
  const { length } = summary.strategies
  if (!isStill(summary) && length > MAX_LINES)
    return figure(
      frameSpreadChart(summary),
      'Frame times',
      `from when its inputs are ready to the last pixel in place, the smallest median on top; ${SPREAD_CAPTION}`,
    )
  const dashes = !isStill(summary) && length <= MAX_MEAN_RULES
  const each = isStill(summary) ? '' : ', for each frame'
  return figure(
    frameTimesChart(summary),
    'Frame time',
    `from when its inputs are ready to the last pixel in place${each}.${dashes ? ' Dashed: the mean.' : ''}`,
    isStill(summary) ? {} : keysOf(summary),
  )
}

function strategySection(summary: Summary): Markup {
  const { length } = summary.strategies
  const second =
    length > MAX_LINES
      ? figure(
          frameTimesChart(summary),
          'Frame by frame',
          'each strategy in colour, in front of the others in grey. Dashed, and to the right of each name: the mean.',
        )
      : figure(frameSpreadChart(summary), 'Distribution of the frame times', SPREAD_CAPTION)
  return html`<section id="strategies">
<h2>${length > 1 ? 'Strategies' : 'Numbers'}</h2>
${frameTimeTable(summary)}
${!isStill(summary) && second}
</section>`
}

function balanceSection(summary: Summary): Markup {
  const shared = groupNote(workerNames(summary).size, 'each shows the most loaded of its group')
  return html`<section id="balance">
<h2>Balance</h2>
${!isStill(summary) && figure(epsilonChart(summary), 'Imbalance ε', 'how much longer the slowest worker took than a perfect share, by CPU time. It does not depend on how many cores the host had.', keysOf(summary))}
${figure(workerLoadChart(summary), 'Load of each worker', `CPU time over the perfect share of the frame. Red workers are the ones a frame waited for; blue ones waited.${shared}`)}
${balanceTable(summary)}
${passTable(summary)}
${epsilonSection(summary)}
</section>`
}

function timeSection(summary: Summary, timelines: readonly FrameTimeline[]): Markup {
  const workers = workerNames(summary).size
  const shared = groupNote(workers, 'each bar is the mean of its group')
  const most = Math.max(0, ...timelines.map(timeline => timeline.workers.length))
  const sampled =
    most > MAX_GANTT_WORKERS
      ? ` Of ${most} workers, ${MAX_GANTT_WORKERS} are shown, sampled evenly from the last to finish to the first.`
      : ''
  return html`<section id="time">
<h2>Where the time went</h2>
${timelines.length > 0 && figure(ganttChart(summary, timelines), 'One frame, worker by worker', `the frame of median time of each strategy; one bar per tile.${sampled}`, { tall: timelines.length > 4 })}
${figure(utilisationChart(summary), 'Utilisation', `the share of the wall time that each worker spent tracing, mean over the frames; the number is the mean of all workers.${shared}`)}
${figure(ledgerChart(summary), 'Mean ledger', `every instant of a frame belongs to one phase of each worker. All bars of a strategy are as tall as its mean frame, statistics and decision included.${shared}`)}
${ledgerTable(summary)}
${slowestTable(summary)}
</section>`
}

function priceSection(summary: Summary): Markup {
  const several = summary.strategies.length > 1
  return html`<section id="price">
<h2>What balance costs</h2>
${several && figure(priceChart(summary), 'The price of balance', 'imbalance, and the price paid for it: means over the frames, each column on its own scale.')}
${priceTable(summary)}
${beyondPlanTable(summary)}
${decisionTable(summary)}
</section>`
}

function cards(summary: Summary): Markup {
  const baseline = baselineOf(summary)
  const shown = fastestOf(summary)
  const alone = shown === baseline
  const against = (text: string): string | undefined => (alone ? undefined : `${baseline.name} ${text}`)
  const { factor, saved } = compareTo(baseline, shown)
  return html`<dl class="cards">
${!alone && card('Speed-up', formatFactor(factor), isWithinNoise(shown) ? 'no difference shown' : `frame ${formatShare(Math.abs(saved))} ${saved < 0 ? 'longer' : 'shorter'}`, shown.speedUp?.ci95 && formatInterval(shown.speedUp.ci95, formatFactor))}
${card(isStill(summary) ? 'Frame time' : 'Mean frame time', `${formatMs(shown.frameMs.mean)} ms`, against(`${formatMs(baseline.frameMs.mean)} ms`), shown.frameMs.ci95 && formatInterval(shown.frameMs.ci95, formatMs))}
${!isStill(summary) && card('Spread (stddev/mean)', formatShare(spreadOf(shown)), against(formatShare(spreadOf(baseline))))}
${card(`Imbalance ε (${clockName(shown.epsilon.clock)} clock)`, formatRatio(shown.epsilon.mean), against(formatRatio(baseline.epsilon.mean)))}
${alone && card('Efficiency', formatShare(shown.efficiency), 'T_min / T by the CPU clock')}
</dl>`
}

const card = (label: string, value: string, ...notes: readonly (string | undefined)[]): Markup =>
  html`<div class="card"><dt>${label}</dt><dd>${value}</dd>${notes.map(note => note && html`<dd class="note">${note}</dd>`)}</div>`

function howItWasRun(summary: Summary): Markup {
  const { scene, size, camera, frames, workers, host, pacing } = summary
  const groups = new Map<string, number>()
  for (const { engine, threads, speed, device } of workers) {
    const kind = `${device ? `${device}, ` : ''}${engine}, ${plural(threads, 'thread')}, speed ${Number(speed.toFixed(3))}`
    groups.set(kind, (groups.get(kind) ?? 0) + 1)
  }
  const fewerCores = workers.length > host.cores
  return html`<section>
<h2>How it was run</h2>
<dl class="facts">
<dt>Scene</dt><dd>${scene.name}, ${triangleText(scene)}</dd>
<dt>Frames</dt><dd>${plural(frames, 'frame')} of ${size[0]} × ${size[1]} px${summary.strategies.length > 1 && ' for each strategy'}${summary.repeats > 1 && `, ${summary.repeats} times in turn`}; camera: ${camera}</dd>
<dt>Rays</dt><dd>${raysText(summary)}</dd>
<dt>Workers</dt><dd>${[...groups].map(([kind, count], index) => html`${index > 0 && '; '}${formatCount(count)} × ${kind}`)}</dd>
${
  summary.within !== undefined &&
  html`<dt>Within workers</dt><dd>${summary.within}</dd>
`
}<dt>Host</dt><dd>${hostLine(summary)}</dd>
</dl>
<p class="callout${fewerCores && !pacing && ' warn'}">${wallTimeNote(summary)} ${fewerCores && cpuClockNote([...new Set([baselineOf(summary), fastestOf(summary)])])} ${intervalNote(summary)}</p>
</section>`
}

function raysText({ quality, noise, denoise }: Summary): string {
  const { samples, ambientRays, maxDepth, bounces } = quality
  const most = noise === undefined ? '' : `at most, until the noise is ${formatShare(noise)}, `
  const light =
    bounces === undefined
      ? `${plural(ambientRays, 'ambient ray')}, depth ${maxDepth} at most`
      : [`${plural(bounces, 'bounce')} at most`, lightSaid(quality) ?? []].flat().join(', ')
  return `${plural(samples, 'sample')} per pixel, ${most}${light}${denoise === undefined ? '' : ', denoised'}`
}

interface FigureLook {
  /** Whether it may take a page of its own on paper. */
  readonly tall?: boolean
  /** A legend, for screens too narrow to show the line ends with the names. */
  readonly keys?: Markup
}

const figure = (svg: string, name: string, caption: string, { tall = false, keys }: FigureLook = {}): Markup =>
  html`<figure${tall && html` class="tall"`}>${keys}<p class="sideways">scrolls sideways →</p><div class="scroll">${trusted(svg)}</div><figcaption><b>${name}</b>: ${caption}</figcaption></figure>`

/** The legend, if the chart has few enough lines to draw in one panel. */
function keysOf(summary: Summary): FigureLook {
  if (summary.strategies.length > MAX_LINES) return {}
  const styles = strategyStyles(summary)
  const keys = summary.strategies.map(({ name }) => html`<li>${swatch(styles.get(name)!.color)}${name}</li>`)
  return { keys: html`<ul class="chips keys">${keys}</ul>` }
}
