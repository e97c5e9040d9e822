/** `sortfirst simulate`: any strategy on any number of simulated workers, from recorded or traced costs. */
import { predictorByName } from '../../master/costs/predictors/index.ts'
import type { ClusterSpec } from '../../master/simulator/cluster-spec.ts'
import type { Summary } from '../../shared/frame/summary.ts'
import { workerCount } from '../../shared/session/worker-count.ts'
import { type OutputFolder, withOutputFolder } from '../files/output-folder.ts'
import { print } from '../files/standard-output.ts'
import type { Words } from '../options/declare/group.ts'
import { camerasOf } from '../options/groups/camera-file.ts'
import { warnOfCache } from '../options/worker-options.ts'
import { listed, plural, workersText } from '../report/figures/numbers.ts'
import { writeReport } from '../report/write-report.ts'
import { withNames } from '../run/named-strategies.ts'
import { agreementsOf } from '../simulate/agreement.ts'
import { clustersOf } from '../simulate/clusters.ts'
import { readSimulation } from '../simulate/group.ts'
import { type RecordingSource, resolveSimulateOptions, type SimulateOptions } from '../simulate/options.ts'
import { runSimulation, type Simulated } from '../simulate/run-simulation.ts'
import { openRecording, type Source, traceScene } from '../simulate/source.ts'
import { agreementDoubts, agreementTable, summaryTable } from '../simulate/tables.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'

export async function simulate(sourceName: string, words: Words): Promise<void> {
  const { given, plugIns } = await withNames(readSimulation(words))
  const options = resolveSimulateOptions(sourceName, given, plugIns, await camerasOf(given))
  const progress = createProgress(process.stderr)
  if (options.source.kind === 'scene') await warnOfCache(given.noCache ?? given.cache, progress)
  await interruptible(async signal => {
    if (options.check && options.source.kind === 'recording')
      await checkAgreement(options, options.source, progress, signal)
    else await withOutputFolder(options.out, out => simulateAll(options, out, progress, signal))
  })
}

async function simulateAll(
  options: SimulateOptions,
  out: OutputFolder,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { leftOut, strategies } = options
  if (leftOut.length > 0)
    progress.info(
      `--levels 2 runs ${listed(strategies.map(({ name }) => name))} only: the others cannot share a frame among racks (${leftOut.join(', ')})`,
    )
  const { facts, frames } = await openSource(options, progress, signal)
  const clusters = clustersOf(options.cluster, facts.workers, facts.quality)
  const summaries: Summary[] = []
  for (const cluster of clusters) {
    const order = {
      facts,
      frames: frames.slice(0, options.frames),
      cluster,
      strategies: options.strategies,
      options: options.strategyOptions,
      predictor: predictorByName(options.strategyOptions.predictor, options.plugIns.predictors),
      clock: options.clock ?? facts.clock,
    }
    const simulated = await runSimulation(order, progress, signal).catch(error => {
      if (signal.aborted)
        progress.info(
          `${summaries.length} of ${plural(clusters.length, 'report')} ${summaries.length === 1 ? 'is' : 'are'} in ${options.out}`,
        )
      throw error
    })
    const folder = clusters.length === 1 ? out : await out.below(`${workerCount(cluster.workers)}-workers`)
    await write(folder, simulated, progress)
    for (const warning of simulated.summary.warnings)
      progress.warn(`${workersText(cluster.workers, 'simulated worker')}: ${warning}`)
    summaries.push(simulated.summary)
    if (!options.json) await print(`\n${headline(simulated.summary, cluster)}\n${summaryTable(simulated.summary)}\n`)
  }
  if (options.json) await print(`${JSON.stringify(summaries.length === 1 ? summaries[0] : summaries)}\n`)
  else await print(`\nreports: ${options.out}\n`)
}

const openSource = ({ source, frames }: SimulateOptions, progress: Progress, signal: AbortSignal): Promise<Source> =>
  source.kind === 'recording' ? openRecording(source) : traceScene(source, frames ?? 1, progress, signal)

/** The same files as `compare`, except images, since none were rendered. */
async function write(folder: OutputFolder, { summary, brief, runs }: Simulated, progress: Progress): Promise<void> {
  if (!brief) {
    await writeReport(folder, { summary, tiled: [], runs })
    return
  }
  await folder.write('summary.json', `${JSON.stringify(summary, undefined, 1)}\n`)
  progress.info(`${folder.path}: summary.json without per-worker data, and no report: there are too many workers`)
}

function headline({ scene, camera, size, frames, workers }: Summary, { network, tracing, racks }: ClusterSpec): string {
  const held = tracing.pace === 1 ? '' : ` limited to ${Number((1 / tracing.pace).toFixed(3))} of a core`
  const noise = tracing.noise > 0 ? `, ${(tracing.noise * 100).toFixed(1)} % noise` : ''
  const links = network.masterMbit < Number.POSITIVE_INFINITY ? `, links of ${network.masterMbit} Mbit/s` : ''
  const divided = racks === undefined ? '' : ` in ${plural(racks, 'rack')}`
  const cluster = `${workersText(workers, 'simulated worker')}${held}${divided}`
  return `${scene.name}, ${camera}, ${size.join('x')}, ${plural(frames, 'frame')}; ${cluster}, ${network.latencyMs} ms one way${links}${noise}`
}

async function checkAgreement(
  options: SimulateOptions,
  source: RecordingSource,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { facts, all } = await openRecording(source)
  const [cluster] = clustersOf(options.cluster, facts.workers, facts.quality)
  const agreements = await agreementsOf(source.path, all, cluster!, options.cluster.latencyMs, options.plugIns, signal)
  for (const doubt of agreementDoubts(agreements)) progress.warn(doubt)
  if (options.json) await print(`${JSON.stringify(agreements)}\n`)
  else await print(`${agreementTable(agreements)}\n`)
}
