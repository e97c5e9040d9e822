/** Times beside Cycles, as text and as a part of the page. */
import { html, type Markup } from '../../../report/charts/markup.ts'
import { numberText, pictureSection } from '../page.ts'
import { pageTable, textTable } from '../tables.ts'
import { ERROR, type SceneTimes, type TracerTimes } from '../times/measure-times.ts'
import type { CyclesBench } from './bench-cycles.ts'

const HEAD = ['scene', 'tracer', 'Msamples/s', `s to an error of ${ERROR}`, 'slope', 'over Cycles']

const NOTE = `CPU time of tracing on one thread, without loading scenes and building trees. Errors are means of (x − r)² / (r² + 0.01) over a
picture converged with both tracers; the time is that of a straight line of slope −1 through the measured errors. A denoised
picture has the time and the error that it has, beside the time of Cycles to that error.`

export function timesText({ times, leftOut }: CyclesBench): string {
  const left = leftOut.map(({ name, reason }) => `  ${name}: ${reason}`)
  return `${textTable(HEAD, times.flatMap(rowsOf))}\nNot asked of Cycles:\n${left.join('\n')}\n`
}

/** Without pictures. */
export const timesJson = ({ name, leftOut, times }: CyclesBench) => ({
  name,
  leftOut,
  error: ERROR,
  scenes: times.map(({ scene, ours, theirs, ratio, denoised }) => ({
    scene: scene.name,
    ours,
    theirs,
    ratio,
    denoised,
  })),
})

export async function timesSection({ name, times }: CyclesBench, ours: string): Promise<Markup> {
  const sections = await Promise.all(
    times.map(({ scene, pictures, checks }) => pictureSection({ scene, ...pictures, checks }, { ours, theirs: name })),
  )
  return html`<section><h2>Time to the same error</h2>
<p>${NOTE}</p>
${pageTable(HEAD, times.flatMap(rowsOf))}
</section>
${sections}`
}

function rowsOf({ scene, ours, theirs, ratio, denoised }: SceneTimes): string[][] {
  const row = ({ name, samplesPerSecond, secondsToError, slope }: TracerTimes): string[] => [
    ...[scene.name, name, (samplesPerSecond / 1e6).toFixed(3), numberText(secondsToError), slope.toFixed(2)],
  ]
  return [
    [...row(ours), ratio.toFixed(2)],
    [...row(theirs), '1.00'],
    ...denoised.points.map(({ samples, seconds, error, ratio }) => [
      ...[scene.name, `${denoised.name}, ${samples} samples`, '', `${numberText(seconds)} to ${numberText(error)}`, ''],
      ratio.toFixed(2),
    ]),
  ]
}
