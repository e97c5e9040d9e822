/** The frames that a report has inside. */
import { readFileSync } from 'node:fs'
import type { ReportFrames } from '../../shared/dashboard/report-frames.ts'

export function framesIn(path: string): ReportFrames {
  const text = /<script type="application\/json" id="report-frames">([^<]*)<\/script>/.exec(
    readFileSync(path, 'utf8'),
  )![1]!
  return JSON.parse(text) as ReportFrames
}
