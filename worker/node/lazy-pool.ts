/**
 * A pool of threads that starts when the first scene is to be built: a worker that waits for work, for hours perhaps, holds no threads
 * that it does not need.
 */
import type { TilePool } from '../tile-pool.ts'

/** A pool that can end by itself, or be closed. */
export interface RunningPool extends TilePool {
  readonly broken: Promise<never>
  close(): Promise<void>
}

/**
 * @param start of the pool itself; what it rejects with, `broken` does
 * @param atOnce starts it, as where a scene is sure to come; nothing has to wait for it until then
 */
export function lazyPool(start: () => RunningPool | Promise<RunningPool>, atOnce = false): RunningPool {
  let report = (_: unknown) => {}
  const broken = new Promise<never>((_, reject) => {
    report = reject
  })
  broken.catch(() => {})
  let starting: Promise<RunningPool> | undefined
  let isClosed = false
  const started = (): Promise<RunningPool> => {
    starting ??= (async () => start())().then(
      pool => {
        pool.broken.catch(report)
        if (isClosed) void pool.close()
        return pool
      },
      error => {
        report(error)
        throw error
      },
    )
    return starting
  }
  if (atOnce) started().catch(() => {})
  return {
    broken,
    loadScene: async (...args) => (await started()).loadScene(...args),
    restoreScene: async (...args) => (await started()).restoreScene(...args),
    // Where no scene was built there is none to be dropped, and nothing to be traced.
    unloadScene: async name => void (await (await starting)?.unloadScene(name)),
    trace: async (...args) => (await started()).trace(...args),
    close: async () => {
      isClosed = true
      await (await starting?.catch(() => undefined))?.close()
    },
  }
}
