/**
 * The page a run leaves for people: one HTML file that needs nothing else, on screen and on paper. The result comes
 * first, then what it rests on: how it was run, the numbers, the charts, the pictures, and how to read them.
 */
import type { Summary } from '../../shared/summary.ts'
import { epsilonChart } from './epsilon-chart.ts'
import { frameSpreadChart } from './frame-spread-chart.ts'
import { frameTimesChart, isStill } from './frame-times.ts'
import { baselineOf, compareTo, fastestOf, headline, spreadOf } from './headline.ts'
import { ledgerChart } from './ledger-chart.ts'
import { MOST_MEAN_RULES } from './line-chart.ts'
import { html, type Markup, trusted } from './markup.ts'
import { clockName, formatCount, formatFactor, formatMs, formatRatio, formatShare, plural } from './numbers.ts'
import { epsilonSection } from './report-epsilon.ts'
import { REPORT_STYLE } from './report-style.ts'
import { balanceTable, frameTimeTable, ledgerTable, priceTable, swatch } from './report-tables.ts'
import { cpuClockNote, hostLine, pixelAgreement, wallTimeNote } from './run-facts.ts'
import { cssColor, workerColors } from './worker-colors.ts'
import { workerLoadChart } from './worker-load-chart.ts'

/** A picture to show in the page. */
export interface ReportImage {
  readonly strategy: string
  readonly frame: number
  /** `data:image/…;base64,…`: the page asks nobody for anything. */
  readonly dataUri: string
}

export interface ReportImages {
  /** A frame of each strategy with its tiles drawn in. */
  readonly tiles: readonly ReportImage[]
  /** Moving pictures of each strategy's tiles, from `frame` on. @default none */
  readonly films?: readonly ReportImage[]
  /** Frames as they were rendered, such as the first and the last. */
  readonly pictures: readonly ReportImage[]
}

/** `report.html` of a summary. Every name in it is escaped. */
export function reportHtml(summary: Summary, images: ReportImages): string {
  const several = summary.strategies.length > 1
  const still = isStill(summary)
  const dashes = !still && summary.strategies.length <= MOST_MEAN_RULES
  const title = `${summary.scene.name}: ${several ? 'strategies compared' : summary.strategies[0]!.name}`
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<link rel="icon" href="data:,">
<title>sortfirst: ${title}</title>
<style>${trusted(REPORT_STYLE)}</style>
</head>
<body>
<main>
<header>
<p class="kicker">sortfirst, one frame traced by ${plural(summary.workers.length, 'worker')} at once</p>
<h1>${title}</h1>
<p class="headline">${headline(summary)}</p>
${cards(summary)}
</header>
${figure(frameTimesChart(summary), 'Frame time', `from the first dispatch to the last pixel in place${still ? '' : ', for each frame'}.${dashes ? ' Dashed: the mean.' : ''}`)}
${howItWasRun(summary)}
<section>
<h2>${several ? 'Strategies' : 'Numbers'}</h2>
${frameTimeTable(summary)}
${!still && figure(frameSpreadChart(summary), 'Distribution of the frame times', 'every point is a frame; the box holds the middle half, its bar is the median. In words: mean ± standard deviation (spread).')}
</section>
<section>
<h2>Balance</h2>
${!still && figure(epsilonChart(summary), 'Imbalance ε', 'how much longer the slowest worker took than a perfect share, by CPU time. It does not depend on how many cores the host had.')}
${figure(workerLoadChart(summary), 'Load of each worker', 'CPU time over the perfect share of the frame. Red workers are the ones a frame waited for; blue ones waited.')}
${balanceTable(summary)}
${epsilonSection(summary)}
</section>
<section>
<h2>Where the time went</h2>
${figure(ledgerChart(summary), 'Mean ledger', 'every instant of a frame belongs to one phase of each worker. All bars of a strategy are as tall as its mean frame, statistics and decision included.')}
${ledgerTable(summary)}
${priceTable(summary)}
</section>
${tileSection(summary, images.tiles)}
${filmSection(summary, images.films ?? [])}
${pixelSection(summary, images.pictures)}
<footer>Scene SHA-256 ${summary.scene.sha256}. The same numbers for programs: summary.json, frames.csv.</footer>
</main>
</body>
</html>
`
  return page.markup
}

function cards(summary: Summary): Markup {
  const baseline = baselineOf(summary)
  const shown = fastestOf(summary)
  const alone = shown === baseline
  const against = (text: string): string | undefined => (alone ? undefined : `${baseline.name} ${text}`)
  const { factor, saved } = compareTo(baseline, shown)
  return html`<dl class="cards">
${!alone && card('Speed-up', formatFactor(factor), `frame ${formatShare(Math.abs(saved))} ${saved < 0 ? 'longer' : 'shorter'}`)}
${card(isStill(summary) ? 'Frame time' : 'Mean frame time', `${formatMs(shown.frameMs.mean)} ms`, against(`${formatMs(baseline.frameMs.mean)} ms`))}
${!isStill(summary) && card('Spread (stddev/mean)', formatShare(spreadOf(shown)), against(formatShare(spreadOf(baseline))))}
${card(`Imbalance ε (${clockName(shown.epsilon.clock)} clock)`, formatRatio(shown.epsilon.mean), against(formatRatio(baseline.epsilon.mean)))}
${alone && card('Efficiency', formatShare(shown.efficiency), 'T_min / T by the CPU clock')}
</dl>`
}

const card = (label: string, value: string, note?: string): Markup =>
  html`<div class="card"><dt>${label}</dt><dd>${value}</dd>${note && html`<dd class="note">${note}</dd>`}</div>`

function howItWasRun(summary: Summary): Markup {
  const { scene, size, quality, camera, frames, workers, host, pacing } = summary
  const groups = new Map<string, number>()
  for (const { engine, threads, speed } of workers) {
    const kind = `${engine}, ${plural(threads, 'thread')}, speed ${Number(speed.toFixed(3))}`
    groups.set(kind, (groups.get(kind) ?? 0) + 1)
  }
  const fewerCores = workers.length > host.cores
  return html`<section>
<h2>How it was run</h2>
<dl class="facts">
<dt>Scene</dt><dd>${scene.name}, ${plural(scene.triangles, 'triangle')}</dd>
<dt>Frames</dt><dd>${plural(frames, 'frame')} of ${size[0]} × ${size[1]} px${summary.strategies.length > 1 && ' for each strategy'}; camera: ${camera}</dd>
<dt>Rays</dt><dd>${plural(quality.samples, 'sample')} per pixel, ${plural(quality.ambientRays, 'ambient ray')}, depth ${quality.maxDepth} at most</dd>
<dt>Workers</dt><dd>${[...groups].map(([kind, count], index) => html`${index > 0 && '; '}${formatCount(count)} × ${kind}`)}</dd>
<dt>Host</dt><dd>${hostLine(summary)}</dd>
</dl>
<p class="callout${fewerCores && !pacing && ' warn'}">${wallTimeNote(summary)} ${fewerCores && cpuClockNote([...new Set([baselineOf(summary), fastestOf(summary)])])}</p>
</section>`
}

/** Not for paper, where a film would stand still on its first frame. */
function filmSection(summary: Summary, films: readonly ReportImage[]): Markup | undefined {
  if (films.length === 0) return undefined
  return html`<section class="moving">
<h2>Tiles, frame by frame</h2>
<p>How the cut follows the work: the same tiles for every frame of the run, three frames a second.</p>
<div class="pictures">${films.map(film => html`<figure><img src="${film.dataUri}" alt="${alt(summary, film)} and those after it, with their tiles"><figcaption><b>${film.strategy}</b>, from frame ${film.frame} on</figcaption></figure>`)}</div>
</section>`
}

function tileSection(summary: Summary, tiles: readonly ReportImage[]): Markup | undefined {
  if (tiles.length === 0) return undefined
  const colors = workerColors(summary.workers.map(worker => worker.id))
  const speeds = new Set(summary.workers.map(worker => worker.speed)).size > 1
  const chips = summary.workers.map(
    ({ id, name, speed }) => html`<li>${swatch(cssColor(colors.get(id)!))}${name}${speeds && ` (speed ${speed})`}</li>`,
  )
  return html`<section>
<h2>Tiles</h2>
<p>Who traced what: every tile in the colour of its worker, with the CPU time it took.</p>
<div class="pictures">${tiles.map(image => html`<figure><img src="${image.dataUri}" alt="${alt(summary, image)} with its tiles"><figcaption><b>${image.strategy}</b>, frame ${image.frame}${frameFacts(summary, image)}</figcaption></figure>`)}</div>
<ul class="chips">${chips}</ul>
</section>`
}

function frameFacts(summary: Summary, { strategy, frame }: ReportImage): string | undefined {
  const facts = summary.strategies.find(({ name }) => name === strategy)?.frames.find(f => f.frame === frame)
  return (
    facts &&
    `: ${formatMs(facts.frameMs)} ms, ε ${formatRatio(facts.epsilonCpu)}, ${plural(facts.tiles.length, 'tile')}`
  )
}

function pixelSection(summary: Summary, pictures: readonly ReportImage[]): Markup {
  const { identical, sentence } = pixelAgreement(summary)
  return html`<section>
<h2>Pixels</h2>
<p class="callout${identical === false && ' warn'}">${sentence}</p>
${pictures.length > 0 && html`<div class="pictures">${pictures.map(image => html`<figure><img src="${image.dataUri}" alt="${alt(summary, image)}"><figcaption>Frame ${image.frame}</figcaption></figure>`)}</div>`}
</section>`
}

const alt = (summary: Summary, { strategy, frame }: ReportImage): string =>
  `${summary.scene.name}, frame ${frame}, rendered with ${strategy}`

const figure = (svg: string, name: string, caption: string): Markup =>
  html`<figure>${trusted(svg)}<figcaption><b>${name}</b>: ${caption}</figcaption></figure>`
