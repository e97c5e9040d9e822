/** What came of files beside Cycles or a reference: as a table, as JSON, and as one self-contained page. */

import { html, type Markup } from '../../../report/charts/markup.ts'
import { htmlPage } from '../../../report/page/html-page.ts'
import { failedSection, figures, numberText, PICTURES_STYLE } from '../page.ts'
import { pageTable, textTable } from '../tables.ts'
import { ERROR } from '../times/measure-times.ts'
import { DENOISED_SAMPLES, type FileResult, type MeasuredFile } from './bench-files.ts'
import type { ComparedFile } from './compared-file.ts'

/** A page of files. */
export interface FilesReport {
  /** Whose pictures ours are compared with. */
  readonly theirs: string
  readonly size: readonly [number, number]
  /** Of ours, per pixel. */
  readonly samples: number
  readonly files: readonly (FileResult | ComparedFile)[]
}

const HEAD = ['file', 'red, %', 'green, %', 'blue, %', 'apart, %', 'noise, %', 'without it', 'scale', 'FLIP'] as const
const TIMES = [
  'Msamples/s',
  'theirs',
  `s to ${ERROR}`,
  'theirs',
  'slope',
  'theirs',
  'ratio',
  ...DENOISED_SAMPLES.map(count => `denoised, ${count}`),
] as const

const NOTE = `Of the pixels that show something of the file. Red, green and blue: the light of all of them over theirs, less 1, with its standard
error. Apart: the mean difference of a value over the mean value; noise: what that would be with noise alone between the pictures. Scale: the
factor that brings ours nearest to theirs. FLIP: the difference that is seen, from 0 to 1. Ratio: the time
to an error over that of theirs; denoised: that of a denoised picture of so many samples.`

export function filesText({ theirs, size, samples, files }: FilesReport): string {
  const table = textTable(HEAD, files.map(rowOf))
  const measured = files.filter(isMeasured)
  const times = measured.length > 0 ? `${textTable(['file', ...TIMES], measured.map(timesRow))}\n` : ''
  const failures = files.flatMap(file => ('failed' in file ? [`${file.name}: ${file.failed}\n`] : []))
  const title = `Beside ${theirs}, ${size.join(' × ')} px, ${samples} samples per pixel`
  return `${title}\n${table}\n${times}${failures.join('')}`
}

/** Without pictures. */
export const filesJson = ({ theirs, size, samples, files }: FilesReport) => ({
  theirs,
  size,
  samples,
  error: ERROR,
  files: files.map(file => {
    if ('failed' in file) return file
    const { name, about, notes, shown, difference, flip } = file
    const times = isMeasured(file) && timesJson(file)
    return { name, about, notes, shown, ...difference, flip, ...(times && { times }) }
  }),
})

export async function filesPage(report: FilesReport, ours: string, host: string): Promise<string> {
  const { theirs, size, samples, files } = report
  const sections = await Promise.all(files.map(file => fileSection(file, ours, theirs)))
  const measured = files.filter(isMeasured)
  return htmlPage({
    title: 'pictures of files',
    style: PICTURES_STYLE,
    main: html`<p class="kicker">npm run bench -- pictures --against-cycles</p>
<h1>glTF files beside another path tracer</h1>
<p class="headline">Checked: ${ours}; compared with: ${theirs}. ${size.join(' × ')} px, ${samples} samples per pixel.</p>
<p>${NOTE}</p>
${pageTable(HEAD, files.map(rowOf))}
${measured.length > 0 && html`<h2>Time to the same error</h2>${pageTable(['file', ...TIMES], measured.map(timesRow))}`}
${sections}
<footer>${host}</footer>`,
  })
}

const isMeasured = (file: FileResult | ComparedFile): file is MeasuredFile => 'times' in file

function rowOf(file: FileResult | ComparedFile): string[] {
  if ('failed' in file) return [file.name, 'FAILED', ...HEAD.slice(2).map(() => '')]
  const { brightness, brightnessNoise, apart, noise, beyondNoise, scale } = file.difference
  const percent = (share: number): string => (share * 100).toFixed(2)
  const channels = brightness.map((value, i) => `${percent(value)} ± ${percent(brightnessNoise[i]!)}`)
  const shares = [apart, noise, beyondNoise].map(percent)
  return [file.name, ...channels, ...shares, scale.toFixed(4), file.flip.toFixed(4)]
}

const timesJson = ({ times: { ours, theirs, ratio, denoised } }: MeasuredFile) => ({ ours, theirs, ratio, denoised })

function timesRow({ name, times: { ours, theirs, ratio, denoised } }: MeasuredFile): string[] {
  const speeds = [ours, theirs].map(({ samplesPerSecond }) => (samplesPerSecond / 1e6).toFixed(3))
  const seconds = [ours, theirs].map(({ secondsToError }) => numberText(secondsToError))
  const slopes = [ours, theirs].map(({ slope }) => slope.toFixed(2))
  return [
    name,
    ...speeds,
    ...seconds,
    ...slopes,
    ratio.toFixed(2),
    ...denoised.points.map(point => point.ratio.toFixed(2)),
  ]
}

async function fileSection(file: FileResult | ComparedFile, ours: string, theirs: string): Promise<Markup> {
  if ('failed' in file) return failedSection(file)
  const { name, about, size, pictures, map, notes } = file
  const images = [
    { caption: theirs, size, pixels: pictures.theirs },
    { caption: ours, size, pixels: pictures.ours },
    { caption: 'FLIP', size, pixels: glowing(map) },
  ]
  return html`<section><h2>${name}</h2>
<p>${about}</p>
${await figures(images)}
${notes.length > 0 && html`<ul>${notes.map(note => html`<li>${note}</li>`)}</ul>`}
</section>
`
}

/** From black through orange to white. */
const glowing = (map: Float64Array): Uint8Array =>
  Uint8Array.from({ length: map.length * 3 }, (_, i) => 255 * map[Math.floor(i / 3)]! ** [0.5, 1, 2][i % 3]!)
