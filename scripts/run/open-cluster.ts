/** The cluster that a run asked for: somebody's master, or one started here for as long as the run lasts. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../shared/log.ts'
import { startEmbeddedCluster } from '../cluster/embedded-cluster.ts'
import type { JobRunner } from '../cluster/job-runner.ts'
import { describePacing } from '../cluster/pacing.ts'
import { connectToCluster } from '../cluster/remote-cluster.ts'
import { hostCores } from './host.ts'
import { untilAborted } from './interrupt.ts'
import type { RunOptions } from './options.ts'

/** Does `work` with the cluster, which is closed whatever comes of it. Rejects with the signal's reason as soon as it aborts. */
export async function withCluster<T>(
  options: RunOptions,
  log: Log,
  signal: AbortSignal,
  work: (runner: JobRunner) => Promise<T>,
): Promise<T> {
  const opening = openCluster(options, log)
  // Where it is given up, what is opened all the same must not stay.
  const runner = await untilAborted(signal, opening).catch(error => {
    opening.then(late => late.close()).catch(() => {})
    throw error
  })
  try {
    return await work({ run: (...order) => runPromptly(runner, ...order), close: () => runner.close() })
  } finally {
    const closed = runner.close()
    await (signal.aborted ? Promise.race([closed, delay(PARTING_MS)]) : closed)
  }
}

/** How long an interrupted run waits for a cluster elsewhere to say goodbye. */
const PARTING_MS = 600

/** Runs a job that ends as soon as its signal aborts, in whatever state it is; nothing is heard of it from then on. */
function runPromptly(runner: JobRunner, ...[job, scene, sink, signal]: Parameters<JobRunner['run']>): Promise<void> {
  const wanted: typeof sink = {
    started: workers => signal.aborted || sink.started(workers),
    status: text => signal.aborted || sink.status(text),
    frame: (report, pixels) => {
      signal.throwIfAborted()
      return sink.frame(report, pixels)
    },
  }
  return untilAborted(signal, runner.run(job, scene, wanted, signal))
}

async function openCluster({ cluster, engine }: RunOptions, log: Log): Promise<JobRunner> {
  if (cluster.kind === 'remote') return connectToCluster(cluster.url)
  const { workers, threads, pacing } = cluster
  log.info(describePacing(pacing, workers, threads, hostCores()))
  return startEmbeddedCluster({ pacing, threads, engine }, log)
}
