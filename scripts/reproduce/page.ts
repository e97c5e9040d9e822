/** The page of `sortfirst reproduce`: one self-contained HTML file, what was published and what was found side by side. */

import { html, type Markup, trusted } from '../report/charts/markup.ts'
import { htmlPage } from '../report/page/html-page.ts'
import { REPORT_STYLE } from '../report/page/report-style.ts'
import { type Facts, PAPERS, type Paper, type ShownExperiment } from './experiment.ts'

const STYLE = `
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); gap: 4px 28px; margin: 14px 0; align-items: start; }
.sides h4 { margin: 0 0 2px; font-size: 14px; color: var(--muted); font-weight: 600; }
@media (max-width: 640px) { .sides { grid-template-columns: minmax(0, 1fr); } }
`

export interface PageFacts {
  readonly scene: string
  readonly triangles: number
  readonly size: readonly [number, number]
  readonly frames: number
  readonly workers: number
  /** Whether everything was made small, and figures are left out. */
  readonly quick: boolean
  readonly host: string
}

export function reproductionPage(
  experiments: readonly ShownExperiment[],
  { scene, triangles, size, frames, workers, quick, host }: PageFacts,
): string {
  const papers = (Object.keys(PAPERS) as Paper[]).filter(paper => experiments.some(each => each.paper === paper))
  const main = html`<p class="kicker">sortfirst reproduce</p>
<h1>The papers’ experiments, reproduced</h1>
<p class="headline">Every experiment of the three papers that can be made with frames of ${scene} (${triangles.toLocaleString('en')} triangles):
what was published, what was found here, and why the two differ.</p>
${quick && html`<p class="callout warn"><b>A quick run.</b> Frames of ${size[0]} × ${size[1]} px are made in milliseconds, and there are only ${frames}: this page shows what is made. Figures and charts are left out, because they would mean nothing; a run without --quick has them.</p>`}
${papers.map(paper =>
  section(
    paper,
    experiments.filter(each => each.paper === paper),
  ),
)}
<footer>${frames} frames of ${size[0]} × ${size[1]} px, ${workers} workers; ${host}</footer>`
  return htmlPage({ title: 'the papers’ experiments', style: REPORT_STYLE + STYLE, main })
}

function section(paper: Paper, experiments: readonly ShownExperiment[]): Markup {
  const { title, authors, about } = PAPERS[paper]
  return html`<section id="paper-${paper}"><h2>${title}</h2>
<p class="kicker">${authors}</p>
<p>${about}</p>
${experiments.map(experimentPart)}
</section>
`
}

const experimentPart = ({ name, theirs, ours, note, figures }: ShownExperiment): Markup => html`<h3>${name}</h3>
<div class="sides">
<div><h4>Published</h4>${facts(theirs)}</div>
<div><h4>Here</h4>${facts(ours)}</div>
</div>
${figures.filter(({ svg }) => svg).map(({ caption, svg = '' }) => html`<figure>${trusted(svg)}<figcaption>${caption}</figcaption></figure>`)}
${pictures(figures.filter(({ image }) => image))}
<p>${note}</p>
`

const pictures = (figures: ShownExperiment['figures']): Markup | false =>
  figures.length > 0 &&
  html`<div class="pictures">${figures.map(
    ({ caption, image }) =>
      html`<figure><img src="${image}" alt="${caption}"><figcaption>${caption}</figcaption></figure>`,
  )}</div>`

function facts(all: Facts): Markup {
  const entries = Object.entries(all)
  if (entries.length === 0) return html`<p>no figures</p>`
  return html`<dl class="facts">${entries.map(([name, value]) => html`<dt>${wordsOf(name)}</dt><dd>${valueText(value)}</dd>`)}</dl>`
}

/** `epsilonFirst` → `epsilon first`, `from100` → `from 100`. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)
    .replaceAll(/([a-z])(\d)/g, '$1 $2')
    .replace(/ ms$/, ', ms')
    .replace(/ percent$/, ', %')
    .replace('epsilon', 'ε')

function valueText(value: Facts[string]): string {
  if (value === null) return 'none'
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 3 })
  return typeof value === 'string'
    ? value
    : value.map(each => each.toLocaleString('en', { maximumFractionDigits: 1 })).join(' · ')
}
