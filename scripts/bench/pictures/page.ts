/** The page of `bench pictures`: one self-contained HTML file with every check, and pictures side by side. */
import sharp from 'sharp'
import { SrgbBytes } from '../../../shared/math/srgb.ts'
import { html, type Markup, trusted } from '../../report/charts/markup.ts'
import { htmlPage } from '../../report/page/html-page.ts'
import { REPORT_STYLE } from '../../report/page/report-style.ts'
import type { ComparedPicture, PicturesBench } from './bench-pictures.ts'
import type { Check } from './checks/check.ts'
import { convergenceChart } from './convergence-chart.ts'
import type { Estimate } from './model/estimate.ts'
import { pageTable } from './tables.ts'

/** Of pages of pictures, three in a row. */
export const PICTURES_STYLE = `${REPORT_STYLE}
.pictures.three { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.pictures img { image-rendering: pixelated; }
td.failed { color: #bf4a00; font-weight: 700; }
`

/** Differences are shown so many times as bright as they are. */
const DIFFERENCE = 8

export interface PageFacts {
  /** Names of the tracers. */
  readonly ours: string
  readonly theirs: string
  readonly quick: boolean
  readonly host: string
}

/** `more`: sections between the pictures and all checks. */
export async function picturesPage(
  { checks, pictures, convergence }: PicturesBench,
  facts: PageFacts,
  more?: Markup,
): Promise<string> {
  const { ours, theirs, quick, host } = facts
  const failed = checks.filter(({ ok }) => !ok).length
  const shown = await Promise.all(pictures.map(picture => pictureSection(picture, facts)))
  return htmlPage({
    title: 'pictures',
    style: PICTURES_STYLE,
    main: html`<p class="kicker">npm run bench -- pictures</p>
<h1>Whether pictures are right</h1>
<p class="headline">${checks.length - failed} of ${checks.length} checks hold. Checked: ${ours}; compared with: ${theirs}.</p>
${quick && html`<p class="callout warn"><b>A quick run.</b> Pictures are small and noisy: only gross errors are found.</p>`}
${shown}
${more}
<section><h2>Samples</h2>
<p>Error of a pixel's mean against its number of samples, for four integrands: what one decision of a path sees, and what depends on two.</p>
${trusted(convergenceChart(convergence))}
</section>
<section><h2>All checks</h2>
<p>A check holds if its value is at most its limit. Limits contain the noise of the pictures.</p>
${checkTable(checks)}
</section>
<footer>${host}</footer>`,
  })
}

export async function pictureSection(
  { scene, ours, theirs, checks }: ComparedPicture,
  facts: Pick<PageFacts, 'ours' | 'theirs'>,
): Promise<Markup> {
  const { size } = ours
  const images = [
    { caption: facts.ours, size, pixels: shownBytes(ours) },
    { caption: facts.theirs, size, pixels: shownBytes(theirs) },
    { caption: `difference × ${DIFFERENCE}`, size, pixels: differenceBytes(ours, theirs) },
  ]
  return html`<section><h2>${scene.name}</h2>
<p>${scene.about}</p>
${await figures(images)}
${checkTable(checks)}
</section>
`
}

interface ShownPicture {
  readonly caption: string
  readonly size: readonly [number, number]
  /** RGB8. */
  readonly pixels: Uint8Array
}

/** Pictures side by side, three in a row. */
export async function figures(pictures: readonly ShownPicture[]): Promise<Markup> {
  const images = await Promise.all(
    pictures.map(async ({ caption, size, pixels }) => ({ caption, png: await pngOf(size, pixels) })),
  )
  return pngFigures(images)
}

/** PNG files side by side, three in a row. */
export const pngFigures = (images: readonly { readonly caption: string; readonly png: Buffer }[]): Markup =>
  html`<div class="pictures three">${images.map(
    ({ caption, png }) =>
      html`<figure><img src="${dataUri(png)}" alt="${caption}"><figcaption>${caption}</figcaption></figure>`,
  )}</div>`

/** Of a file that could not be compared. */
export const failedSection = ({ name, failed }: { readonly name: string; readonly failed: string }): Markup =>
  html`<section><h2>${name}</h2><p class="callout warn">Not compared: ${failed}</p></section>`

const checkTable = (checks: readonly Check[]): Markup =>
  pageTable(
    ['check', 'value', 'limit', ''],
    checks.map(({ name, value, limit, ok }) => [name, numberText(value), numberText(limit), ok ? 'holds' : 'fails']),
    row => !checks[row]!.ok,
  )

/** Three significant digits, as the tables of the command and the page show them. */
export const numberText = (value: number): string =>
  value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)
    ? value.toExponential(1)
    : `${+value.toPrecision(3)}`

const srgb = new SrgbBytes()

const shownBytes = ({ mean }: Estimate): Uint8Array => Uint8Array.from(mean, value => srgb.nearest(value))

/** Of what is shown, not of the light. */
function differenceBytes(ours: Estimate, theirs: Estimate): Uint8Array {
  const [a, b] = [shownBytes(ours), shownBytes(theirs)]
  return a.map((value, i) => Math.min(255, DIFFERENCE * Math.abs(value - b[i]!)))
}

/** @param pixels RGB8 */
export const pngOf = ([width, height]: readonly [number, number], pixels: Uint8Array): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 9 })
    .toBuffer()

export const dataUri = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`
