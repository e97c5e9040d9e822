/** The cluster that a run asked for: somebody's master, or one started here for as long as the run lasts. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../shared/log.ts'
import { type Cluster, connect, startCluster } from '../library/cluster.ts'
import { describePacing } from '../library/pacing.ts'
import { hostCores } from './host.ts'
import type { RunOptions } from './options.ts'

/** How long an interrupted run waits for a cluster elsewhere to say goodbye. */
const PARTING_MS = 600

/** Does `work` with the cluster, which is closed whatever comes of it. Rejects with the signal's reason as soon as it aborts. */
export async function withCluster<T>(
  options: RunOptions,
  log: Log,
  signal: AbortSignal,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const cluster = await openCluster(options, log, signal)
  try {
    return await work(cluster)
  } finally {
    const closed = cluster.close()
    await (signal.aborted ? Promise.race([closed, delay(PARTING_MS)]) : closed)
  }
}

async function openCluster({ cluster, engine }: RunOptions, log: Log, signal: AbortSignal): Promise<Cluster> {
  if (cluster.kind === 'remote') return connect(cluster.url, { workers: cluster.workers, signal })
  const { workers, threads, pacing, cache } = cluster
  log.info(describePacing(pacing, workers, threads, hostCores()))
  return startCluster({ workers, threads, cores: pacing.shares ?? 'off', engine, cache, log, signal })
}
