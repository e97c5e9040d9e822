/** The cluster that a run asked for: somebody's master, or one started here for as long as the run lasts. */
import type { Log } from '../../shared/log.ts'
import { startEmbeddedCluster } from '../cluster/embedded-cluster.ts'
import type { JobRunner } from '../cluster/job-runner.ts'
import { describePacing } from '../cluster/pacing.ts'
import { connectToCluster } from '../cluster/remote-cluster.ts'
import { hostCores } from './host.ts'
import type { RunOptions } from './options.ts'

/** Does `work` with the cluster, which is closed whatever comes of it. */
export async function withCluster<T>(
  options: RunOptions,
  log: Log,
  work: (runner: JobRunner) => Promise<T>,
): Promise<T> {
  const runner = await openCluster(options, log)
  try {
    return await work(runner)
  } finally {
    await runner.close()
  }
}

async function openCluster({ cluster, engine }: RunOptions, log: Log): Promise<JobRunner> {
  if (cluster.kind === 'remote') return connectToCluster(cluster.url)
  const { workers, threads, pacing } = cluster
  log.info(describePacing(pacing, workers, threads, hostCores()))
  return startEmbeddedCluster({ pacing, threads, engine }, log)
}
