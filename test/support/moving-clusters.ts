/** Clusters to film moving scenes on, and pools that tell what they were asked for. */
import { startEmbeddedCluster } from '../../scripts/library/embedded-cluster.ts'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { resolvePacing } from '../../scripts/options/groups/pacing.ts'
import { PartStore } from '../../shared/scene/part-store.ts'
import type { SessionRunner } from '../../shared/session/session.ts'
import { silentLog } from '../../shared/text/log.ts'
import { WorkerScenes } from '../../worker/scenes.ts'
import type { TileOrder } from '../../worker/tile-order.ts'
import { areaOf, type MemoryCluster, type PaintPool, paintPool } from './memory-cluster.ts'
import { start } from './program.ts'

export interface WatchedPool<Key> {
  readonly pool: PaintPool
  /** What was noted of the tiles, by key. */
  readonly traced: Map<Key, Set<string>>
  /** Names of the scenes that were loaded. */
  readonly loaded: string[]
}

/** @param note what to note of a tile, and under which key; undefined: nothing */
export function watchedPool<Key>(note: (order: TileOrder) => readonly [Key, string] | undefined): WatchedPool<Key> {
  const traced = new Map<Key, Set<string>>()
  const loaded: string[] = []
  const plain = paintPool()
  const pool: PaintPool = {
    ...plain,
    loadScene: async name => {
      loaded.push(name)
      return { buildMs: 1 }
    },
    trace(order, progress) {
      const [key, text] = note(order) ?? []
      if (key !== undefined) traced.set(key, (traced.get(key) ?? new Set()).add(text!))
      return plain.trace(order, progress)
    },
  }
  return { pool, traced, loaded }
}

/** Two workers with watched pools, and the scenes that they hold. */
export const watchedWorkers = <Key>(memory: MemoryCluster, watched: () => WatchedPool<Key>) =>
  ['anna', 'bert'].map(name => {
    const watch = watched()
    const scenes = new WorkerScenes([watch.pool], new PartStore(2 ** 20), 2 ** 20)
    memory.visit({ name, areas: [areaOf({})] }, watch.pool, scenes)
    return { ...watch, scenes }
  })

/** A cluster in this process, of real workers with a thread each. */
export const clusterHere = (count: number) =>
  startEmbeddedCluster(
    { pacing: resolvePacing({ count, threads: 1, cores: 2, shares: 'off' }), threads: 1, engine: 'wasm' },
    silentLog,
  )

/** A master and two workers started by hand, and a client of them. */
export async function clusterThere(): Promise<SessionRunner> {
  const master = start(['master', '--listen', '127.0.0.1:0'])
  const url = /ws:\S+/.exec(await master.line(/listens on/))![0]
  const workers = ['anna', 'bert'].map(name => start(['worker', url, '--name', name]))
  await Promise.all(workers.map(worker => worker.line(/joined/)))
  const client = await connectToCluster(url, {}, new AbortController().signal)
  return {
    run: (...session) => client.run(...session),
    async close() {
      await client.close()
      await Promise.all(workers.map(worker => worker.stop()))
      await master.stop()
    },
  }
}
