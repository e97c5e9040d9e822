/** The images of the page: tiles by worker, as stills and as films, and the frames themselves. */

import { cssColor, workerColors } from '../../../shared/dashboard/worker-colors.ts'
import type { Summary } from '../../../shared/frame/summary.ts'
import { html, type Markup } from '../charts/markup.ts'
import { epsilonBy } from '../figures/clocks.ts'
import { baselineOf, fastestOf } from '../figures/headline.ts'
import { formatRatio, formatTime, listed, plural } from '../figures/numbers.ts'
import { pixelAgreement } from '../figures/run-facts.ts'
import { swatch } from '../tables/report-tables.ts'

/** An image to show on the page. */
export interface ReportImage {
  readonly strategy: string
  readonly frame: number
  /** `data:image/…;base64,…`: the page loads nothing from elsewhere. */
  readonly dataUri: string
}

export interface ReportImages {
  /** A frame of each strategy with its tiles drawn over it. */
  readonly tiles: readonly ReportImage[]
  /** Animations of some strategies' tiles, starting at `frame`. @default none */
  readonly films?: readonly ReportImage[]
  /** Frames as rendered, such as the first and the last. */
  readonly pictures: readonly ReportImage[]
}

/** More tile images than this are shown small, without labels. */
export const MAX_LARGE_PICTURES = 4

/** A longer legend would be useless. */
const MAX_CHIPS = 64

/** Whether a picture of tiles is on the first screen: those of the baseline and of the fastest, side by side. */
export const isOnTop = (summary: Summary, { strategy }: ReportImage): boolean =>
  strategy === baselineOf(summary).name || strategy === fastestOf(summary).name

/** A frame with its tiles, and how it was shared in numbers. */
export const tileFigure = (summary: Summary, image: ReportImage): Markup =>
  html`<figure><img src="${image.dataUri}" alt="${alt(summary, image)} with its tiles"><figcaption><b>${image.strategy}</b>, frame ${image.frame}${frameFacts(summary, image)}</figcaption></figure>`

/** The tiles of all strategies that are not on the first screen, and whose colour is whose. */
export function tileSection(summary: Summary, tiles: readonly ReportImage[]): Markup | undefined {
  if (tiles.length === 0) return undefined
  const others = tiles.filter(image => !isOnTop(summary, image))
  const colors = workerColors(summary.workers.map(worker => worker.id))
  const speeds = new Set(summary.workers.map(worker => worker.speed)).size > 1
  const named = summary.workers.slice(0, MAX_CHIPS)
  const more = summary.workers.length - named.length
  const onTop = tiles.filter(image => isOnTop(summary, image)).map(image => image.strategy)
  const many = tiles.length > MAX_LARGE_PICTURES
  const chips = named.map(
    ({ id, name, speed }) => html`<li>${swatch(cssColor(colors.get(id)!))}${name}${speeds && ` (speed ${speed})`}</li>`,
  )
  return html`<section id="tiles">
<h2>Tiles</h2>
<p>Which worker traced what. ${whereTopIs(onTop, others.length > 0)}Every tile has the colour of its worker${many ? '; pictures with names and CPU times are beside this page, in the folder of each strategy' : ' and, where there is room, its name and the CPU time of the tile'}.</p>
${others.length > 0 && html`<div class="pictures${many && ' many'}">${others.map(image => tileFigure(summary, image))}</div>`}
<ul class="chips">${chips}${more > 0 && html`<li>and ${plural(more, 'more worker')}</li>`}</ul>
</section>`
}

const whereTopIs = (onTop: readonly string[], hasOthers: boolean): string => {
  if (!hasOthers) return 'The pictures are at the top of this page. '
  return onTop.length > 0 ? `The pictures of ${listed(onTop)} are at the top of this page. ` : ''
}

function frameFacts(summary: Summary, { strategy, frame }: ReportImage): string | undefined {
  const facts = summary.strategies.find(({ name }) => name === strategy)?.frames.find(f => f.frame === frame)
  return (
    facts &&
    `: ${formatTime(facts.frameMs)}, ε ${formatRatio(epsilonBy(facts.clock ?? 'cpu', facts))}, ${plural(facts.tileCount, 'tile')}`
  )
}

/** Hidden on paper, where a film would only show its first frame. */
export function filmSection(summary: Summary, films: readonly ReportImage[]): Markup | undefined {
  if (films.length === 0) return undefined
  const some = films.length < summary.strategies.length
  return html`<section id="films" class="moving">
<h2>Tiles, frame by frame</h2>
<p>How the split follows the work: the tiles of every frame of the run, at three frames per second.${some && ` Of ${summary.strategies.length} strategies, these are animated: ${listed(films.map(film => film.strategy))}.`} Beside this page, each is tiles.webp in the folder of its strategy.</p>
<div class="pictures">${films.map(film => html`<figure><img src="${film.dataUri}" alt="${alt(summary, film)} and those after it, with their tiles"><figcaption><b>${film.strategy}</b>, from frame ${film.frame} on</figcaption></figure>`)}</div>
</section>`
}

export function pixelSection(summary: Summary, pictures: readonly ReportImage[]): Markup {
  const { identical, sentence } = pixelAgreement(summary)
  return html`<section id="pixels">
<h2>Pixels</h2>
<p class="callout${identical === false && ' warn'}">${sentence}</p>
${pictures.length > 0 && html`<div class="pictures">${pictures.map(image => html`<figure><img src="${image.dataUri}" alt="${alt(summary, image)}"><figcaption>Frame ${image.frame}</figcaption></figure>`)}</div>`}
</section>`
}

const alt = (summary: Summary, { strategy, frame }: ReportImage): string =>
  `${summary.scene.name}, frame ${frame}, rendered with ${strategy}`
