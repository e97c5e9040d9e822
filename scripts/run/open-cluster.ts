/** The cluster that a run asked for: somebody's master, or one started here for as long as the run lasts. */
import type { Log } from '../../shared/log.ts'
import type { SessionRunner } from '../../shared/session.ts'
import { startEmbeddedCluster } from '../cluster/embedded-cluster.ts'
import { describePacing } from '../cluster/pacing.ts'
import { connectToCluster } from '../cluster/remote-cluster.ts'
import { hostCores } from './host.ts'
import type { RunOptions } from './options.ts'

/** Rejects with CancelledError when `signal` aborts before a master elsewhere has answered. */
export async function openCluster(
  { cluster, engine }: RunOptions,
  log: Log,
  signal: AbortSignal,
): Promise<SessionRunner> {
  if (cluster.kind === 'remote') return connectToCluster(cluster.url, {}, signal)
  const { workers, threads, pacing } = cluster
  log.info(describePacing(pacing, workers, threads, hostCores()))
  return startEmbeddedCluster({ pacing, threads, engine }, log)
}
