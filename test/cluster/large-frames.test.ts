/** Frames that are so large that threads of the master assemble them: the same bytes, and nothing is left of those that fail. */
import { afterEach, describe, expect, it } from 'vitest'
import { PlanePool, type StartPlaneThread } from '../../master/planes/plane-pool.ts'
import { startPlaneThread } from '../../master/planes/start-thread.ts'
import { unpackWith } from '../../master/planes/unpack-tiles.ts'
import { MemoryCluster, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { clusterOf, joinedBy, run, settle } from '../support/memory-session.ts'
import type { TestSession } from '../support/session.ts'
import { smallScene } from '../support/small-scene.ts'

const scene = smallScene()
/** 17 MiB of light. */
const size = [1024, 725] as const
const quality = { samples: 64, ambientRays: 1, maxDepth: 2, bounces: 2 }
const order = (changes: Partial<TestSession>): TestSession => ({
  ...sessionOf(scene.hash, 'predictive', 1, 2),
  size,
  quality,
  ...changes,
})

const pools: PlanePool[] = []
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close()
})

/** Two workers of a master with threads. */
function withThreads(start: StartPlaneThread = startPlaneThread) {
  const memory = { used: 0 }
  class Watched extends PlanePool {
    override take(bytes: number): SharedArrayBuffer {
      memory.used++
      return super.take(bytes)
    }
    override give(given: readonly ArrayBufferLike[]): void {
      memory.used -= given.length
      super.give(given)
    }
  }
  const pool = new Watched({ start, threads: 2, alarm: () => () => {} })
  pools.push(pool)
  const workers = [paintPool(), paintPool()]
  const ports = { planes: pool, unpack: unpackWith(pool) }
  const cluster = joinedBy(new MemoryCluster(undefined, performance, Math.random, ports), workers)
  return { cluster, memory, workers }
}

describe('a large frame', () => {
  it.each<[string, Partial<TestSession>]>([
    ['of several passes', { passes: 3, progressive: true }],
    ['of several passes that nobody watches', { passes: 3 }],
    ['that is adaptive', { noise: 0.02, progressive: true }],
    ['that is adaptive and that nobody watches', { noise: 0.02 }],
    [
      'that is transparent, with channels',
      { transparent: true, channels: ['light', 'albedo', 'depth', 'id', 'samples'] },
    ],
    ['whose rows are checked', { channels: ['light'], verify: 0.1 }],
  ])('%s has the bytes of one that is assembled at once', async (_, changes) => {
    const plain = run(clusterOf(paintPool(), paintPool()), order(changes))
    await plain.done
    const { cluster, memory } = withThreads()
    const shared = run(cluster, order(changes))
    await shared.done
    expect(shared.reports.map(({ sha256 }) => sha256)).toEqual(plain.reports.map(({ sha256 }) => sha256))
    expect(Buffer.compare(shared.frames.get(0)!, plain.frames.get(0)!)).toBe(0)
    const before = new Map(plain.previews.map(({ samples, pixels }) => [samples, pixels]))
    for (const { samples, pixels } of shared.previews) expect(Buffer.compare(pixels, before.get(samples)!)).toBe(0)
    const passes = ({ reports }: typeof plain) => reports[0]!.passes?.map(({ pixels }) => pixels)
    expect(passes(shared)).toEqual(passes(plain))
    expect(shared.reports[0]!.noise).toEqual(plain.reports[0]!.noise)
    expect(shared.reports[0]!.noise?.limit).toBe(changes.noise)
    expect(memory.used).toBe(0)
  })

  it('that is cancelled in the middle of it leaves no memory behind', async () => {
    const { cluster, memory, workers } = withThreads()
    let tiles = 0
    const cancelled = new Promise<void>(resolve => {
      workers[0]!.before = async ({ size: [w] }) => {
        if (w === size[0] && ++tiles === 3) resolve()
      }
    })
    const session = run(cluster, order({ passes: 4, progressive: true }))
    await cancelled
    expect(memory.used).toBe(2)
    session.cancel()
    await expect(session.done).rejects.toThrow('cancelled')
    while (memory.used > 0) await settle()
  })

  it.each(['unpack', 'place', 'merge', 'color'] as const)(
    'fails in one sentence if a thread dies that has to %s, and the next one is made',
    async kind => {
      let isHarmed = false
      const start: StartPlaneThread = events => {
        const thread = startPlaneThread(events)
        return {
          ...thread,
          post: (job, transfer) => {
            if (isHarmed || job.kind !== kind) return thread.post(job, transfer)
            isHarmed = true
            thread.end()
          },
        }
      }
      const { cluster, memory } = withThreads(start)
      const broken = run(cluster, order({ passes: 3, progressive: true }))
      if (kind === 'color') {
        // Of a preview or of the frame.
        await expect(broken.done).rejects.toMatchObject({ code: 'THREAD_FAILED' })
      } else await expect(broken.done).rejects.toThrow('a thread that assembles frames failed: it ended with code')
      while (memory.used > 0) await settle()
      const next = run(cluster, order({ passes: 3, progressive: true }))
      await next.done
      expect(next.reports).toHaveLength(1)
      expect(cluster.cluster.workers()).toHaveLength(2)
    },
  )
})
