/** A cluster of this machine's processes. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startEmbeddedCluster } from '../../../scripts/library/embedded-cluster.ts'
import { DEFAULT_HEARTBEAT } from '../../../shared/protocol/heartbeat.ts'
import { silentLog } from '../../../shared/text/log.ts'
import { reportsOf, smallSession } from '../../support/session.ts'

it('keeps a lone worker that is silent for a while: nobody else could go on', async () => {
  const pacing = { shares: null, speeds: [1] }
  const cluster = await startEmbeddedCluster({ pacing, threads: 1, engine: 'wasm' }, silentLog)
  try {
    const [worker] = cluster.processes
    const session = smallSession({ minWorkers: 1, strategy: 'single-worker' })
    const reports = await reportsOf(cluster, session, async ({ frame }) => {
      if (frame !== 0) return
      worker!.kill('SIGSTOP')
      // Far longer than a worker of a cluster is waited for that has others.
      await delay(4 * DEFAULT_HEARTBEAT.patience * DEFAULT_HEARTBEAT.intervalMs)
      worker!.kill('SIGCONT')
    })
    expect(reports).toHaveLength(3)
    expect(reports.flatMap(({ events }) => events ?? [])).toEqual([])
    expect(new Set(reports.flatMap(({ workers }) => workers.map(({ id }) => id))).size).toBe(1)
  } finally {
    await cluster.close()
  }
})
