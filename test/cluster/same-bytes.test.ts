/**
 * The flagship: a frame has the same bytes with any strategy, any number of workers and threads, and whatever happens to
 * them. Real processes, real sockets.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { strategyNames } from '../../master/strategies/index.ts'
import { type EmbeddedCluster, startEmbeddedCluster } from '../../scripts/cluster/embedded-cluster.ts'
import { silentLog } from '../../shared/log.ts'
import { expectPartition } from '../support/partition.ts'
import { expectMessages, ledgerError, reportsOf, smallSession } from '../support/session.ts'

const clusterOf = (workers: number, threads: number) =>
  startEmbeddedCluster({ pacing: { shares: null, speeds: Array(workers).fill(1) }, threads, engine: 'wasm' }, silentLog)

/** What one worker makes of the frames, alone. */
let expected: readonly string[]
let heavy: readonly string[]

/** Frames that take long enough to be harmed in the middle. */
const heavySession = (minWorkers: number) =>
  smallSession({
    minWorkers,
    size: [160, 90],
    quality: { samples: 64, ambientRays: 2, maxDepth: 3 },
    strategy: 'static-blocks',
  })

beforeAll(async () => {
  const alone = await clusterOf(1, 1)
  expected = (await reportsOf(alone, smallSession({ strategy: 'single-worker' }))).map(report => report.sha256)
  heavy = (await reportsOf(alone, heavySession(1))).map(report => report.sha256)
  await alone.close()
})

describe.each([1, 2, 3, 5, 8])('with %i workers', workers => {
  describe.each([1, 2])('of %i threads', threads => {
    let cluster: EmbeddedCluster
    beforeAll(async () => {
      cluster = await clusterOf(workers, threads)
    })
    afterAll(() => cluster.close())

    it.each(strategyNames)('%s makes the same frames', async strategy => {
      const reports = await reportsOf(cluster, smallSession({ strategy, minWorkers: workers }))
      expect(reports.map(report => report.sha256)).toEqual(expected)
      for (const report of reports) {
        expectPartition(report.tiles, report.size)
        expect(report.workers).toHaveLength(workers)
        expect(ledgerError(report)).toBeLessThanOrEqual(0.01)
        expect(report.tiles.every(tile => tile.cpuMs > 0 && tile.wallMs > 0)).toBe(true)
        expectMessages(report)
      }
    })
  })
})

describe('when a worker', () => {
  it('is killed in the middle of a frame, the others make the same frame', async () => {
    const cluster = await clusterOf(3, 1)
    const reports = await reportsOf(cluster, heavySession(3), report => {
      if (report.frame === 0) cluster.processes[1]?.kill('SIGKILL')
    })
    await cluster.close()
    expect(reports.map(report => report.sha256)).toEqual(heavy)
    expect(reports.map(report => report.rescued)).toEqual([0, 1, 0])
    expect(reports.map(report => report.workers.length)).toEqual([3, 3, 2])
  })

  it('stops answering in the middle of a frame, the others make the same frame', async () => {
    const cluster = await clusterOf(3, 1)
    const reports = await reportsOf(cluster, heavySession(3), report => {
      if (report.frame === 0) cluster.processes[2]?.kill('SIGSTOP')
    })
    await cluster.close()
    expect(reports.map(report => report.sha256)).toEqual(heavy)
    expect(reports.map(report => report.rescued)).toEqual([0, 1, 0])
  })
})
