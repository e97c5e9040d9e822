/** A cluster of this machine's processes. */
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type EmbeddedCluster, startEmbeddedCluster } from '../../../scripts/library/embedded-cluster.ts'
import { DEFAULT_HEARTBEAT } from '../../../shared/protocol/heartbeat.ts'
import { type Log, silentLog } from '../../../shared/text/log.ts'
import { reportsOf, runSession, smallSession } from '../../support/session.ts'

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

describe('a worker of two', () => {
  const two = (log: Log = silentLog) =>
    startEmbeddedCluster({ pacing: { shares: null, speeds: [1, 1] }, threads: 1, engine: 'wasm' }, log)
  const session = smallSession({ minWorkers: 2, strategy: 'static-blocks' })
  const workersOf = async (cluster: EmbeddedCluster) =>
    (await reportsOf(cluster, session)).map(({ workers }) => workers.map(({ name }) => name))

  it('that is killed before it joins, or later, is not waited for', async () => {
    const said: string[] = []
    const cluster = await two({ info: () => {}, warn: text => void said.push(text) })
    try {
      cluster.processes[0]!.kill('SIGKILL')
      expect(await workersOf(cluster)).toEqual([['worker-2'], ['worker-2'], ['worker-2']])
      expect(said).toEqual(['worker-1 ended (SIGKILL)'])
      cluster.processes[1]!.kill('SIGKILL')
      await expect(workersOf(cluster)).rejects.toThrow(
        'workers: expected at least one to stay, got none: worker-2 ended (SIGKILL',
      )
    } finally {
      await cluster.close()
    }
  })

  it('that is killed between two films is not waited for', async () => {
    const cluster = await two()
    try {
      const [both] = await workersOf(cluster)
      expect(both).toEqual(['worker-1', 'worker-2'])
      cluster.processes[1]!.kill('SIGKILL')
      expect((await workersOf(cluster)).at(-1)).toEqual(['worker-1'])
    } finally {
      await cluster.close()
    }
  })

  it('that is stopped before it joins is waited for, without a limit', async () => {
    const cluster = await two()
    try {
      const [, stopped] = cluster.processes
      stopped!.kill('SIGSTOP')
      const said: string[] = []
      let joined = 0
      await runSession(cluster, session, {
        status: text => {
          said.push(text)
          if (text.startsWith('waiting for 1 of 2')) stopped!.kill('SIGCONT')
        },
        started: workers => {
          joined = workers.length
        },
      })
      expect(joined).toBe(2)
      expect(said).toContain('waiting for 1 of 2 workers')
    } finally {
      await cluster.close()
    }
  })
})
