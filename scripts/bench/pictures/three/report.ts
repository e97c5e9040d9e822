/** What came of the files beside three: as a table, as JSON, and as one self-contained page. */

import { html, type Markup } from '../../../report/charts/markup.ts'
import { htmlPage } from '../../../report/page/html-page.ts'
import { dataUri, failedSection, PICTURES_STYLE, pngFigures } from '../page.ts'
import { pageTable, textTable } from '../tables.ts'
import {
  type ComparedFile,
  type ComparedMoment,
  type FileResult,
  SUPERSAMPLING,
  type ThreeBench,
  TIMES,
} from './bench-three.ts'
import { TOLERANCE } from './compare.ts'
import { DIFFERENCE } from './shown-pair.ts'

const HEAD = ['file', 'at, s', 'shown, %', 'of it differs', 'in coverage', 'excused', 'blended', ''] as const

/** Of a file in which something moves: a column for each time, over the pictures of both and their difference. */
const SHEET_STYLE = `
main { max-width: 1240px; }
.sheet { display: grid; grid-template-columns: max-content repeat(${TIMES}, minmax(150px, 1fr)); gap: 4px; margin: 14px 0; overflow-x: auto; }
.sheet img { display: block; width: 100%; height: auto; border-radius: 3px; image-rendering: auto; }
.sheet .row { writing-mode: vertical-rl; transform: rotate(180deg); text-align: center; color: var(--muted); font-size: 13px; padding-left: 4px; }
.sheet .time { color: var(--muted); font-size: 13.5px; font-variant-numeric: tabular-nums; padding: 0 2px; }
.sheet .time b { color: var(--ink); }
.sheet .time.differs b { color: #bf4a00; }
`

export function threeText({ name, files }: ThreeBench): string {
  const table = textTable(HEAD, files.map(rowOf))
  const failures = files.flatMap(file => ('failed' in file ? [`${file.name}: ${file.failed}\n`] : []))
  return `Beside ${name}\n${table}\n${failures.join('')}`
}

/** Without pictures. Of several moments, the figures of a file are those of the worst. */
export const threeJson = ({ name, size, files }: ThreeBench) => ({
  name,
  size,
  samples: SUPERSAMPLING ** 2,
  tolerance: TOLERANCE,
  files: files.map(file => {
    if ('failed' in file) return { name: file.name, ok: false, failed: file.failed }
    const { name, check, worst, moments, notes } = file
    const times = moments.map(({ seconds, comparison }) => ({ seconds, ...comparison }))
    return {
      name,
      ok: check.ok,
      ...worst.comparison,
      ...(times.length > 1 && { seconds: worst.seconds, times }),
      notes,
    }
  }),
})

export function threePage(bench: ThreeBench, ours: string, host: string): string {
  const { name, size, files } = bench
  const failed = files.filter(({ check }) => !check.ok).length
  const sections = files.map(file => fileSection(file, ours, name))
  return htmlPage({
    title: 'pictures beside three.js',
    style: `${PICTURES_STYLE}${SHEET_STYLE}`,
    main: html`<p class="kicker">npm run bench -- pictures --against-three</p>
<h1>glTF files beside three.js</h1>
<p class="headline">${files.length - failed} of ${files.length} files look the same. Checked: ${ours}; compared with: ${name}.</p>
<p>Both show the colours of surfaces without light, on black, through the same camera: the file’s first, or else our framing.
${size.join(' × ')} px, means of ${SUPERSAMPLING ** 2} samples per pixel in linear light, shown in sRGB. Lines and points
are left out. A file with an animation is shown at ${TIMES} times of the first one, 0, 1/${TIMES}, 2/${TIMES} and so on of its length, and judged by the
one at which most pixels differ.</p>
<p>A pixel is the same if its channels in sRGB differ by at most ${TOLERANCE.color} of 255, and its coverage by at most ${TOLERANCE.coverage}. One that
differs is excused as an edge if the value of either picture occurs in the other’s 3 × 3 px around it, as it is or mixed of two. At most
${TOLERANCE.pixels * 100} % of the pixels in which either picture shows something may differ otherwise. Pixels that show a surface with an alpha mode of BLEND are compared as means
over 7 × 7 px, because opacity may be a matter of chance.</p>
${pageTable(HEAD, files.map(rowOf), row => !files[row]!.check.ok)}
<p>In differences, <b>orange</b> is another colour, <b>pink</b> another coverage, <b>blue</b> an excused edge; grey is within the tolerance, × ${DIFFERENCE}.</p>
${sections}
<footer>${host}</footer>`,
  })
}

function rowOf({ name, check, ...result }: FileResult): string[] {
  const verdict = check.ok ? 'same' : 'DIFFERS'
  if ('failed' in result) return [name, '', '', '', '', '', '', 'FAILED']
  const { worst, moments } = result
  const { shown, differing, uncovered, excused, blended } = worst.comparison
  const shares = [differing, uncovered, excused, blended].map(share => percent(share))
  return [name, moments.length > 1 ? secondsText(worst.seconds) : '', percent(shown, 1), ...shares, verdict]
}

const percent = (share: number, digits = 2): string => (share * 100).toFixed(digits)

/** Milliseconds at most: times of animations are no rounder. */
const secondsText = (seconds: number): string => `${+seconds.toFixed(3)}`

function fileSection(file: FileResult, ours: string, three: string): Markup {
  if ('failed' in file) return failedSection(file)
  const { name, check, worst, moments, notes } = file
  const verdict = check.ok ? 'The same' : 'It differs'
  const at = moments.length > 1 && html`, at ${secondsText(worst.seconds)} s, the worst of ${moments.length} times`
  return html`<section><h2>${name}</h2>
<p>${verdict}: ${percent(worst.comparison.differing)} % of the pixels that show something differ${at}.</p>
${moments.length > 1 ? sheet(file, ours, three) : pictures(worst, ours, three)}
${notes.length > 0 && html`<ul>${notes.map(note => html`<li>${note}</li>`)}</ul>`}
</section>
`
}

const pictures = ({ pair }: ComparedMoment, ours: string, three: string): Markup =>
  pngFigures([
    { caption: three, png: pair.theirs },
    { caption: ours, png: pair.ours },
    { caption: 'difference', png: pair.difference },
  ])

function sheet({ moments }: ComparedFile, ours: string, three: string): Markup {
  const row = (caption: string, pngOf: (moment: ComparedMoment) => Buffer) =>
    html`<div class="row">${caption}</div>${moments.map(
      moment => html`<img src="${dataUri(pngOf(moment))}" alt="${caption}, ${secondsText(moment.seconds)} s">`,
    )}
`
  const times = moments.map(({ seconds, comparison: { differing } }) => {
    const differs = differing > TOLERANCE.pixels && ' differs'
    return html`<div class="time${differs}"><b>${secondsText(seconds)} s</b>: ${percent(differing)} %</div>`
  })
  return html`<div class="sheet"><div></div>${times}
${row(three.replace(/ \(.*/, ''), ({ pair }) => pair.theirs)}${row(ours, ({ pair }) => pair.ours)}${row('difference', ({ pair }) => pair.difference)}</div>`
}
