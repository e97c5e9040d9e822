import { expect, it } from 'vitest'
import { lazyPool, type RunningPool } from '../../../worker/node/lazy-pool.ts'
import { TileProgress } from '../../../worker/tile-progress.ts'
import { paintTile } from '../../support/memory-cluster.ts'
import { viewOf } from '../support/meshes.ts'

const order = { scene: 's', view: viewOf([64, 48]), tile: { rect: { x: 3, y: 5, w: 20, h: 12 } } }
const scene = new Uint8Array(new SharedArrayBuffer(4))

function world() {
  const log: string[] = []
  let end = (_: Error) => {}
  const broken = new Promise<never>((_, reject) => {
    end = reject
  })
  broken.catch(() => {})
  const pool: RunningPool = {
    broken,
    loadScene: async name => {
      log.push(`load ${name}`)
      return { buildMs: 1 }
    },
    restoreScene: async () => true,
    unloadScene: async name => void log.push(`unload ${name}`),
    trace: async (asked, progress) => paintTile(asked, progress),
    close: async () => void log.push('close'),
  }
  const start = async () => {
    log.push('start')
    return pool
  }
  return { log, start, end: (error: Error) => end(error) }
}

it('starts with the first scene, once, and not for one that is dropped', async () => {
  const { log, start } = world()
  const pool = lazyPool(start)
  await pool.unloadScene('none')
  expect(log).toEqual([])
  await Promise.all([pool.loadScene('a', scene), pool.loadScene('b', scene)])
  await pool.unloadScene('a')
  expect(log).toEqual(['start', 'load a', 'load b', 'unload a'])
  expect((await pool.trace(order, TileProgress.of(12)))!.rows).toBe(12)
  await pool.close()
  expect(log.at(-1)).toBe('close')
})

it('starts at once where a scene is sure to come, and is broken if it cannot', async () => {
  const { log, start } = world()
  const pool = lazyPool(start, true)
  expect(log).toEqual(['start'])
  await pool.loadScene('a', scene)
  expect(log).toEqual(['start', 'load a'])
  const none = lazyPool(() => {
    throw new Error('no threads to be had')
  }, true)
  await expect(none.broken).rejects.toThrow('no threads to be had')
})

it('closes nothing where nothing was started', async () => {
  const { log, start } = world()
  await lazyPool(start).close()
  expect(log).toEqual([])
})

it('is broken where its threads end, or cannot start', async () => {
  const { start, end } = world()
  const pool = lazyPool(start)
  await pool.loadScene('a', scene)
  end(new Error('a thread ended'))
  await expect(pool.broken).rejects.toThrow('a thread ended')
  const none = lazyPool(() => Promise.reject(new Error('no threads to be had')))
  await expect(none.loadScene('a', scene)).rejects.toThrow('no threads')
  await expect(none.broken).rejects.toThrow('no threads')
})
