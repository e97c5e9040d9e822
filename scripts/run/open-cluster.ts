/** The cluster that a run asked for: somebody's master, or one started here for as long as the run lasts. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../shared/log.ts'
import type { SessionRunner, SessionSink } from '../../shared/session.ts'
import { untilAborted } from '../../shared/until-aborted.ts'
import { startEmbeddedCluster } from '../cluster/embedded-cluster.ts'
import { describePacing } from '../cluster/pacing.ts'
import { connectToCluster } from '../cluster/remote-cluster.ts'
import { hostCores } from './host.ts'
import type { RunOptions } from './options.ts'

/** Does `work` with the cluster, which is closed whatever comes of it. Rejects with the signal's reason as soon as it aborts. */
export async function withCluster<T>(
  options: RunOptions,
  log: Log,
  signal: AbortSignal,
  work: (runner: SessionRunner) => Promise<T>,
): Promise<T> {
  const opening = openCluster(options, log, signal)
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

/** Runs a session that ends as soon as its signal aborts, whatever the cluster does; nothing is heard of it from then on. */
function runPromptly(runner: SessionRunner, ...run: Parameters<SessionRunner['run']>): Promise<void> {
  const [order, scene, source, sink, signal] = run
  const { preview } = sink
  const wanted: SessionSink = {
    started: workers => signal.aborted || sink.started(workers),
    status: text => signal.aborted || sink.status(text),
    frame: (report, pixels) => {
      signal.throwIfAborted()
      return sink.frame(report, pixels)
    },
    ...(preview ? { preview: frame => (signal.aborted ? undefined : preview(frame)) } : {}),
  }
  return untilAborted(signal, runner.run(order, scene, source, wanted, signal))
}

async function openCluster({ cluster, engine }: RunOptions, log: Log, signal: AbortSignal): Promise<SessionRunner> {
  if (cluster.kind === 'remote') return connectToCluster(cluster.url, {}, signal)
  const { workers, threads, pacing } = cluster
  log.info(describePacing(pacing, workers, threads, hostCores()))
  return startEmbeddedCluster({ pacing, threads, engine }, log)
}
