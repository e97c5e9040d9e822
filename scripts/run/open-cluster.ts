/** The cluster that a run asked for: somebody's master, or one started here for as long as the run lasts. */
import type { Log } from '../../shared/log.ts'
import { startEmbeddedCluster } from '../cluster/embedded-cluster.ts'
import type { JobRunner } from '../cluster/job-runner.ts'
import { describePacing } from '../cluster/pacing.ts'
import { connectToCluster } from '../cluster/remote-cluster.ts'
import { hostCores } from './host.ts'
import type { RunOptions } from './options.ts'

/** Rejects with CancelledError when `signal` aborts before a master elsewhere has answered. */
export async function openCluster({ cluster, engine }: RunOptions, log: Log, signal: AbortSignal): Promise<JobRunner> {
  if (cluster.kind === 'remote') return connectToCluster(cluster.url, {}, signal)
  const { workers, threads, pacing } = cluster
  log.info(describePacing(pacing, workers, threads, hostCores()))
  return startEmbeddedCluster({ pacing, threads, engine }, log)
}
