/**
 * The report page of a run: one self-contained HTML file, for screen and paper. Its first screen has the result and a picture
 * of how the frame was shared; below are the numbers and charts that carry it. What explains them is folded.
 */
import type { RunFrames } from '../../../shared/dashboard/report-frames.ts'
import type { Summary } from '../../../shared/frame/summary.ts'
import { frameSpreadChart } from '../charts/frame-spread-chart.ts'
import { frameTimesChart, isStill } from '../charts/frame-times.ts'
import { MAX_MEAN_RULES } from '../charts/line-chart.ts'
import { html, type Markup } from '../charts/markup.ts'
import { MAX_LINES } from '../charts/multiples-chart.ts'
import { priceChart } from '../charts/price-chart.ts'
import { hasCpuFigures } from '../figures/clocks.ts'
import { baselineOf, fastestOf } from '../figures/headline.ts'
import { lightSaid } from '../figures/light-said.ts'
import { formatCount, formatShare, formatTime, plural, triangleText } from '../figures/numbers.ts'
import { cpuClockNote, hostLine, intervalNote, tracedByNote, wallTimeNote } from '../figures/run-facts.ts'
import { beyondPlanTable, decisionTable, frameTimeTable, priceTable } from '../tables/report-tables.ts'
import { figure, folded, keysOf } from './figure.ts'
import { htmlPage } from './html-page.ts'
import { balanceSection } from './report-balance.ts'
import { type DashboardProgram, dashboardSection } from './report-dashboard.ts'
import { filmSection, pixelSection, type ReportImage, type ReportImages, tileSection } from './report-pictures.ts'
import { strategySentences } from './report-strategies.ts'
import { REPORT_STYLE } from './report-style.ts'
import { reportTop } from './report-top.ts'
import { winnersSection } from './report-winners.ts'

/** Parts of the report that are not in the summary. */
export interface ReportExtras extends ReportImages {
  /** Frames of runs, to look into. @default none */
  readonly runs?: readonly RunFrames[]
  /** What lets choose among these frames, and small pictures of them. @default one of each run is drawn */
  readonly dashboard?: DashboardProgram & { readonly pictures: readonly ReportImage[] }
}

/** `report.html` of a summary. Every name in it is escaped. */
export function reportHtml(summary: Summary, extras: ReportExtras): string {
  const several = summary.strategies.length > 1
  const title = `${summary.scene.name}: ${several ? 'strategies compared' : summary.strategies[0]!.name}`
  const { runs = [], dashboard } = extras
  const sections = [
    winnersSection(summary),
    strategySection(summary),
    balanceSection(summary, runs),
    dashboard && dashboardSection(summary, runs, dashboard.pictures),
    priceSection(summary),
    tileSection(summary, extras.tiles),
    filmSection(summary, extras.films ?? []),
    pixelSection(summary, extras.pictures),
    howItWasRun(summary),
  ]
  const main = html`${reportTop(summary, title, extras.tiles)}
${firstFigure(summary)}
${sections}
<footer>Scene SHA-256 ${summary.scene.sha256}. The same numbers in machine-readable form: summary.json, frames.csv.</footer>`
  const isShown = runs.length > 0 && dashboard !== undefined
  const style = `${dashboard?.style ?? ''}${REPORT_STYLE}`
  return htmlPage({ title, style, main, script: isShown ? dashboard.script : undefined })
}

const SPREAD_CAPTION =
  'each point is a frame; the box holds the middle half, its bar is the median. In text: mean ± standard deviation (spread).'

/** A few strategies as lines; more, whose lines would cross too often, as a ranking. */
function firstFigure(summary: Summary): Markup {
  const { length } = summary.strategies
  const begins = 'from when its inputs are ready to the last pixel in place'
  if (!isStill(summary) && length > MAX_LINES)
    return figure(
      frameSpreadChart(summary),
      'Frame times',
      `${begins}, the smallest median on top; ${SPREAD_CAPTION}`,
      { narrow: frameSpreadChart(summary, { narrow: true }) },
    )
  const dashes = !isStill(summary) && length <= MAX_MEAN_RULES
  const each = isStill(summary) ? '' : ', for each frame'
  return figure(frameTimesChart(summary), 'Frame time', `${begins}${each}.${dashes ? ' Dashed: the mean.' : ''}`, {
    narrow: frameTimesChart(summary, { narrow: true }),
    ...(isStill(summary) ? {} : keysOf(summary)),
  })
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
${strategySentences(summary)}
${frameTimeTable(summary)}
${!isStill(summary) && folded(length > MAX_LINES ? 'Frame by frame' : 'How the frame times are distributed', second)}
</section>`
}

function priceSection(summary: Summary): Markup {
  const several = summary.strategies.length > 1
  const chart =
    several &&
    figure(
      priceChart(summary),
      'The price of balance',
      'imbalance, and the price paid for it: means over the frames, each column on its own scale.',
    )
  return html`<section id="price">
<h2>What balance costs</h2>
${priceTable(summary)}
${folded('Beyond the plans, and what the strategies decided', chart, beyondPlanTable(summary), decisionTable(summary))}
</section>`
}

function howItWasRun(summary: Summary): Markup {
  const { scene, size, region, camera, frames, workers, host, pacing, wentOn } = summary
  const groups = new Map<string, number>()
  for (const { engine, threads, speed, device } of workers) {
    const kind = `${device ? `${device}, ` : ''}${engine}, ${plural(threads, 'thread')}, speed ${Number(speed.toFixed(3))}`
    groups.set(kind, (groups.get(kind) ?? 0) + 1)
  }
  const ended = endedText(summary)
  const traced = tracedByNote(summary)
  const fewerCores = workers.length > host.cores
  return html`<section id="run">
<h2>How it was run</h2>
<dl class="facts">
<dt>Scene</dt><dd>${scene.name}, ${triangleText(scene)}</dd>
<dt>Frames</dt><dd>${plural(frames, 'frame')} of ${size[0]} × ${size[1]} px${region && `, the part from ${region.x}, ${region.y} of a picture of ${region.of[0]} × ${region.of[1]} px`}${summary.strategies.length > 1 && ' for each strategy'}${summary.repeats > 1 && `, ${summary.repeats} times in turn`}; camera: ${camera}</dd>
<dt>Rays</dt><dd>${raysText(summary)}</dd>
${
  ended !== undefined &&
  html`<dt>Ended by</dt><dd>${ended}</dd>
`
}${
  wentOn !== undefined &&
  html`<dt>Went on</dt><dd>${wentOn.map(wentOnText).join('; ')}: times, tiles and passes are of the rest alone</dd>
`
}<dt>Workers</dt><dd>${[...groups].map(([kind, count], index) => html`${index > 0 && '; '}${formatCount(count)} × ${kind}`)}</dd>
${
  summary.within !== undefined &&
  html`<dt>Within workers</dt><dd>${summary.within}</dd>
`
}${
  traced !== undefined &&
  html`<dt>Pixels</dt><dd>${traced}</dd>
`
}<dt>Host</dt><dd>${hostLine(summary)}</dd>
</dl>
<p class="callout${fewerCores && !pacing && ' warn'}">${wallTimeNote(summary)} ${fewerCores && hasCpuFigures(summary) && cpuClockNote([...new Set([baselineOf(summary), fastestOf(summary)])])} ${intervalNote(summary)}</p>
</section>`
}

const wentOnText = ({ frame, samples }: NonNullable<Summary['wentOn']>[number]): string =>
  `frame ${frame}, which had ${Number(samples.toPrecision(3))} samples per pixel of an earlier run`

/** What ended frames that had only so much time. */
function endedText({ timeMs, strategies }: Summary): string | undefined {
  if (timeMs === undefined) return undefined
  const ends = strategies.flatMap(({ frames }) => frames.flatMap(({ endedBy }) => endedBy ?? []))
  const said = {
    time: `their time, ${formatTime(timeMs)} each`,
    noise: 'the noise limit, before their time was up',
    samples: 'their last sample, before their time was up',
  } as const
  const counted = (['time', 'noise', 'samples'] as const).map(
    by => [by, ends.filter(each => each === by).length] as const,
  )
  const listed = counted.filter(([, count]) => count > 0)
  return listed.map(([by, count]) => `${plural(count, 'frame')} by ${said[by]}`).join('; ')
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
