/**
 * The dashboard of the master's page, with the frames of the report's runs: arrow keys choose one, and whoever is pointed at lights up in the
 * picture, the chart and the table. Its program and its data are in the page, which loads nothing; where no scripts run, there is no sign of it.
 */
import { readFileSync } from 'node:fs'
import {
  REPORT_DASHBOARD,
  REPORT_FRAMES,
  type ReportFrames,
  type RunFrames,
} from '../../../shared/dashboard/report-frames.ts'
import type { Summary } from '../../../shared/frame/summary.ts'
import { bundledFile } from '../../../shared/node/program-files.ts'
import { html, type Markup, trusted } from '../charts/markup.ts'
import { workerNames } from '../charts/worker-axis.ts'
import { listed } from '../figures/numbers.ts'
import type { ReportImage } from './report-pictures.ts'

/** As the build makes it of the page's own modules. */
export interface DashboardProgram {
  readonly script: string
  readonly style: string
}

let program: DashboardProgram | undefined

/** @throws as `readFileSync`, of a file that the build leaves beside the program */
export function dashboardProgram(): DashboardProgram {
  program ??= JSON.parse(readFileSync(bundledFile('report.json'), 'utf8')) as DashboardProgram
  return program
}

/** @param pictures small ones, of some frames: all strategies make the same */
export function dashboardSection(
  summary: Summary,
  runs: readonly RunFrames[],
  pictures: readonly ReportImage[],
): Markup | undefined {
  if (runs.length === 0) return undefined
  const data: ReportFrames = {
    runs,
    workers: [...workerNames(summary).keys()],
    pictures: pictures.map(({ frame, dataUri }) => ({ frame, uri: dataUri })),
  }
  return html`<section id="${REPORT_DASHBOARD}" hidden>
<h2>Frame by frame</h2>
<p>Arrow keys choose a frame in the line of all, by ten with Shift. Point at a worker anywhere to find it in the picture, the chart and the table. ${leftOut(runs)}</p>
</section>
<script type="application/json" id="${REPORT_FRAMES}">${trusted(scriptJson(data))}</script>`
}

function leftOut(runs: readonly RunFrames[]): string {
  const longer = runs.filter(({ step }) => step > 1)
  if (longer.length === 0) return ''
  const told = longer.map(
    ({ name, frames, frameCount, step }) => `${frames.length} of the ${frameCount} of ${name} (one in ${step})`,
  )
  return `Not all frames have room here: there are ${listed(told)}.`
}

/** JSON that no name in it can end the element of, or begin another in. */
const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
