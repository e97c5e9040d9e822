/** What came of the files beside three: as a table, as JSON, and as one self-contained page. */
import { SrgbBytes } from '../../../../shared/math/srgb.ts'
import { htmlPage } from '../../../report/html-page.ts'
import { html, type Markup } from '../../../report/markup.ts'
import { failedSection, figures, PICTURES_STYLE } from '../page.ts'
import { pageTable, textTable } from '../tables.ts'
import { type ComparedFile, type FileResult, SUPERSAMPLING, type ThreeBench } from './bench-three.ts'
import { EXCUSED, OTHER_COLOR, OTHER_COVERAGE, TOLERANCE } from './compare.ts'
import { CHANNELS, COVERAGE, type FlatPicture } from './flat-picture.ts'

const HEAD = ['file', 'shown, %', 'of it differs', 'in coverage', 'excused', 'blended', ''] as const

/** Differences within the tolerance are shown so many times as bright as they are. */
const DIFFERENCE = 8
/** Of what is marked in a difference, sRGB. */
const MARKS: Readonly<Record<number, readonly [number, number, number]>> = {
  [EXCUSED]: [0, 70, 130],
  [OTHER_COLOR]: [255, 140, 0],
  [OTHER_COVERAGE]: [255, 0, 200],
}

export function threeText({ name, files }: ThreeBench): string {
  const table = textTable(HEAD, files.map(rowOf))
  const failures = files.flatMap(file => ('failed' in file ? [`${file.name}: ${file.failed}\n`] : []))
  return `Beside ${name}\n${table}\n${failures.join('')}`
}

/** Without pictures. */
export const threeJson = ({ name, size, files }: ThreeBench) => ({
  ...{ name, size, samples: SUPERSAMPLING ** 2, tolerance: TOLERANCE },
  files: files.map(file => {
    if ('failed' in file) return { name: file.name, ok: false, failed: file.failed }
    const { marks: _, ...shares } = file.comparison
    return { name: file.name, ok: file.check.ok, ...shares, notes: file.notes }
  }),
})

export async function threePage(bench: ThreeBench, ours: string, host: string): Promise<string> {
  const { name, size, files } = bench
  const failed = files.filter(({ check }) => !check.ok).length
  const sections = await Promise.all(files.map(file => fileSection(file, ours, name)))
  return htmlPage({
    title: 'pictures beside three.js',
    style: PICTURES_STYLE,
    main: html`<p class="kicker">sortfirst bench pictures --against-three</p>
<h1>glTF files beside three.js</h1>
<p class="headline">${files.length - failed} of ${files.length} files look the same. Checked: ${ours}; compared with: ${name}.</p>
<p>Both show the colours of surfaces without light, on black, through the same camera: the file’s first, or else our framing.
${size.join(' × ')} px, means of ${SUPERSAMPLING ** 2} samples per pixel in linear light, shown in sRGB. Skins and morph targets are in the
pose of the file; lines and points are left out.</p>
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
  if ('failed' in result) return [name, '', '', '', '', '', 'FAILED']
  const { shown, differing, uncovered, excused, blended } = result.comparison
  const percent = (share: number, digits = 2): string => (share * 100).toFixed(digits)
  const shares = [differing, uncovered, excused, blended].map(share => percent(share))
  return [name, percent(shown, 1), ...shares, verdict]
}

async function fileSection(file: FileResult, ours: string, three: string): Promise<Markup> {
  const [, , differing] = rowOf(file)
  const verdict = file.check.ok ? 'The same' : 'It differs'
  if ('failed' in file) return failedSection(file)
  const { size } = file.ours
  const images = [
    { caption: three, size, pixels: shownBytes(file.theirs) },
    { caption: ours, size, pixels: shownBytes(file.ours) },
    { caption: 'difference', size, pixels: differenceBytes(file) },
  ]
  return html`<section><h2>${file.name}</h2>
<p>${verdict}: ${differing} % of the pixels that show something differ.</p>
${await figures(images)}
${file.notes.length > 0 && html`<ul>${file.notes.map(note => html`<li>${note}</li>`)}</ul>`}
</section>
`
}

const srgb = new SrgbBytes()

/** RGB8, on black. */
function shownBytes({ values }: FlatPicture): Uint8Array {
  const bytes = new Uint8Array((values.length / CHANNELS) * 3)
  for (let pixel = 0; pixel < bytes.length / 3; pixel++)
    for (let channel = 0; channel < COVERAGE; channel++)
      bytes[pixel * 3 + channel] = srgb.nearest(values[pixel * CHANNELS + channel]!)
  return bytes
}

function differenceBytes({ ours, theirs, comparison: { marks } }: ComparedFile): Uint8Array {
  const [a, b] = [shownBytes(ours), shownBytes(theirs)]
  const difference = a.map((value, i) => Math.min(255, DIFFERENCE * Math.abs(value - b[i]!)))
  marks.forEach((mark, pixel) => {
    if (MARKS[mark]) difference.set(MARKS[mark], pixel * 3)
  })
  return difference
}
