/** The end of a run: creates its summary, and prints its result. */

import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import type { Summary } from '../../shared/frame/summary.ts'
import { byName } from '../../shared/text/by-name.ts'
import { batches } from '../files/batches.ts'
import { print } from '../files/standard-output.ts'
import type { RunOptions } from '../options/run.ts'
import type { KeptFrames } from '../report/figures/kept-frames.ts'
import { summarize } from '../report/figures/summarize.ts'
import { summaryJson } from '../report/figures/summary-json.ts'
import { summaryText } from '../report/tables/summary-table.ts'
import { describeHost } from './host.ts'
import { type PreparedScene, sceneFacts } from './prepare-scene.ts'

/** The results of all strategies of a run. */
export interface FinishedRun {
  readonly scene: PreparedScene
  readonly runs: readonly KeptFrames[]
  /** The same strategies for each further round. @default none */
  readonly later?: readonly (readonly KeptFrames[])[]
}

export function summaryOf({ scene, runs, later = [] }: FinishedRun, options: RunOptions): Summary {
  const workers = everyone([...runs, ...later.flat()])
  return summarize(
    {
      scene: sceneFacts(scene),
      size: [...options.size],
      ...(options.region ? { region: { ...options.region } } : {}),
      quality: options.quality,
      ...(options.noise === undefined ? {} : { noise: options.noise }),
      ...(options.time === undefined ? {} : { timeMs: options.time * 1000 }),
      ...(options.denoise === 'off' ? {} : { denoise: options.denoise }),
      camera: scene.cameraPath,
      host: describeHost(),
      workers: [...workers],
      pacing: pacingOf(workers),
      within: options.strategy.within,
      devices: askedDevices(options),
    },
    runs,
    options.clock,
    later,
  )
}

/** Those of the workers that were started here; others have their own. */
const askedDevices = ({ cluster }: RunOptions): string[] =>
  cluster.kind === 'local' ? Array.from({ length: cluster.workers }, () => cluster.accelerators).flat() : []

/** All workers that any frame was planned for, by name, including those that joined late or left early. */
function everyone(runs: FinishedRun['runs']): WorkerInfo[] {
  const known = new Map(runs.flatMap(run => run.workers.map(worker => [worker.id, worker])))
  return [...known.values()].sort(byName)
}

/** Cores each worker was limited to, or null without pacing. */
const pacingOf = (workers: readonly WorkerInfo[]): number[] | null =>
  workers.some(worker => worker.cores !== undefined) ? workers.map(worker => worker.cores ?? worker.threads) : null

/**
 * Prints the summary as JSON for `--json`, or as a table with a last line that says where the result is.
 * @throws OutputError
 */
export async function printResult(summary: Summary, { json }: Pick<RunOptions, 'json'>, where: string): Promise<void> {
  if (json) return print(batches(summaryJson(summary)))
  // Some pseudo terminals report zero columns.
  const look = { color: process.stdout.isTTY, width: process.stdout.columns || 160 }
  await print(`\n${summaryText(summary, look)}\n\n${where}\n`)
}
