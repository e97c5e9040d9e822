/** `sortfirst bench`: repeatable measurements, as a table or as JSON. */
import Table from 'cli-table3'
import { benchCoverage } from '../bench/coverage.ts'
import type { Timing } from '../bench/measure.ts'
import { benchStrategies } from '../bench/strategies.ts'
import { describeHost } from '../run/host.ts'

export async function coverage(raw: { scene: string; size: string; json?: boolean }): Promise<void> {
  const result = await benchCoverage(raw.scene, raw.size)
  if (raw.json) return printJson(result)
  const table = new Table({ style: PLAIN, head: ['coverage mask', 'median ms', 'best ms'] })
  table.push(['project the mesh', ...cells(result.project)], ['summed-area table', ...cells(result.sum)])
  const { triangles, size, coveredShare } = result
  const covered = `${(coveredShare * 100).toFixed(0)} % of the pixels covered`
  process.stdout.write(
    `${result.scene}: ${triangles.toLocaleString('en')} triangles at ${size.join('x')}, ${covered}\n${table}\n`,
  )
}

export function strategies(raw: { json?: boolean }): void {
  const result = benchStrategies([8, 64, 512])
  if (raw.json) return printJson({ strategies: result })
  const table = new Table({
    style: PLAIN,
    head: ['strategy', 'workers', 'first frame, median ms', 'best', 'later frame, median ms', 'best'],
  })
  table.push(...result.map(row => [row.strategy, row.workers, ...cells(row.first), ...cells(row.next)]))
  process.stdout.write(`plans of 1920x1080, CPU time\n${table}\n`)
}

const PLAIN = { head: [], border: [], compact: true }

const cells = ({ medianMs, bestMs }: Timing): string[] => [medianMs.toFixed(3), bestMs.toFixed(3)]

const printJson = (result: object): void => {
  process.stdout.write(`${JSON.stringify({ host: describeHost(), ...result }, null, 2)}\n`)
}
