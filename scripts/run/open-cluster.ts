/** The cluster that a run asked for: somebody's master, or one started here for as long as the run lasts. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../shared/log.ts'
import { type Cluster, connect, startCluster } from '../library/cluster.ts'
import { describePacing } from '../library/pacing.ts'
import { hostCores } from './host.ts'
import { anyOf } from './interrupt.ts'
import type { RunOptions } from './options.ts'

/** How long an interrupted run waits for a cluster elsewhere to say goodbye. */
const PARTING_MS = 600

/**
 * Does `work` while the cluster comes up, which is closed whatever comes of it. Rejects with the signal's reason as soon as it
 * aborts.
 */
export async function withCluster<T>(
  options: RunOptions,
  log: Log,
  signal: AbortSignal,
  work: (cluster: Promise<Cluster>) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const opening = openCluster(options, log, anyOf([signal, over.signal]))
  // Work that ends before it asks for the cluster hears of no other error.
  opening.catch(() => {})
  try {
    return await work(opening)
  } finally {
    // What is not open by now closes when it is, and nobody waits for that.
    over.abort()
    const closed = opening.then(cluster => cluster.close()).catch(() => {})
    await (signal.aborted ? Promise.race([closed, delay(PARTING_MS)]) : closed)
  }
}

async function openCluster(
  { cluster: asked, cache, engine }: RunOptions,
  log: Log,
  signal: AbortSignal,
): Promise<Cluster> {
  if (asked.kind === 'remote') return connect(asked.url, { workers: asked.workers, signal })
  const { workers, threads, pacing } = asked
  const cluster = await startCluster({ workers, threads, cores: pacing.shares ?? 'off', engine, cache, log, signal })
  log.info(describePacing(pacing, workers, threads, hostCores()))
  return cluster
}
