/** The cluster for a run: that of a remote master, or one started here for the duration of the run. */
import { setTimeout as delay } from 'node:timers/promises'
import type { MasterAccess } from '../../shared/access/node/master-access.ts'
import type { Log } from '../../shared/text/log.ts'
import { type Cluster, connect, startClusterWith } from '../library/cluster.ts'
import type { SpareWorker } from '../library/worker-process.ts'
import type { LocalOptions } from '../options/groups/cluster.ts'
import { describePacing } from '../options/groups/pacing.ts'
import type { RunOptions } from '../options/run.ts'
import { anyOf } from '../terminal/interrupt.ts'
import { hostCores } from './host.ts'

export interface ClusterToOpen extends Pick<RunOptions, 'cluster' | 'cache' | 'engine' | 'mixEngines'> {
  /** Of the master, if it is started here. @default any that is free */
  readonly port?: number | undefined
  /** For the master, if it is a remote one. Not among the options of a run, because those are written to files. */
  readonly access: MasterAccess
}

/** How long an interrupted run waits for a remote cluster to close. */
const PARTING_MS = 600

/**
 * Runs `work` while the cluster starts, and always closes the cluster afterwards. Rejects with the signal's reason as soon as
 * it aborts. What the cluster is, is said when `work` asks for it: until then, the run may still be refused.
 * @param spare becomes the first worker of a cluster that is started here
 */
export async function withCluster<T>(
  options: ClusterToOpen,
  log: Log,
  signal: AbortSignal,
  work: (cluster: () => Promise<Cluster>) => Promise<T>,
  spare?: SpareWorker,
): Promise<T> {
  const over = new AbortController()
  const opening = openCluster(options, log, anyOf([signal, over.signal]), spare)
  // `work` may end without awaiting the cluster.
  opening.catch(() => {})
  let isSaid = false
  try {
    return await work(async () => {
      const cluster = await opening
      if (options.cluster.kind === 'local' && !isSaid) log.info(pacingText(options.cluster))
      isSaid = true
      return cluster
    })
  } finally {
    // A cluster that is still opening closes once it is open, which is not awaited.
    over.abort()
    const closed = opening.then(cluster => cluster.close()).catch(() => {})
    await (signal.aborted ? Promise.race([closed, delay(PARTING_MS)]) : closed)
  }
}

async function openCluster(
  { cluster: asked, access, cache, engine, mixEngines, port }: ClusterToOpen,
  log: Log,
  signal: AbortSignal,
  spare: SpareWorker | undefined,
): Promise<Cluster> {
  if (asked.kind === 'remote') {
    const { url, workers, reconnect } = asked
    return connect(url, { ...access, workers, reconnect, log, signal })
  }
  const { workers, threads, pacing, accelerators } = asked
  return startClusterWith(spare, {
    workers,
    threads,
    cores: pacing.shares ?? 'off',
    engine,
    mixEngines,
    accelerators,
    cache,
    port,
    log,
    signal,
  })
}

const pacingText = ({ pacing, workers, threads }: LocalOptions): string =>
  describePacing(pacing, workers, threads, hostCores())
