/** Sessions that are cancelled, in every state that they can be in. */
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { FrameSource } from '../../shared/session/session.ts'
import { MemoryCluster, type PaintPool, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { clusterOf, run, settle, withCut } from '../support/memory-session.ts'
import { smallScene } from '../support/small-scene.ts'

const scene = smallScene()
const size = [96, 64] as const
/** Too large to be warmed up with whole. */
const large = [960, 540] as const

/** Counts who listens to a cluster: to its workers, its timers, and whether its master closes. */
function listenersOf(memory: MemoryCluster): () => number {
  const { cluster, ports } = memory
  let count = 0
  const counted =
    <T>(listen: (listener: T) => () => void) =>
    (listener: T) => {
      const stop = listen(listener)
      let isOver = false
      count++
      return () => {
        if (!isOver) count--
        isOver = true
        stop()
      }
    }
  cluster.subscribe = counted(cluster.subscribe.bind(cluster))
  Object.assign(ports, { ticker: counted(ports.ticker) })
  return () => count + getEventListeners(ports.turns.closing, 'abort').length
}

describe('a session that is cancelled', () => {
  it.each<[string, (pool: PaintPool, reached: () => void) => void]>([
    [
      'while its scene is being built',
      (pool, reached) => {
        pool.loadScene = () => {
          reached()
          return new Promise(() => {})
        }
      },
    ],
    [
      'while it warms up',
      (pool, reached) => {
        pool.before = async ({ size: [w] }) => {
          if (w !== large[0]) reached()
          await new Promise(() => {})
        }
      },
    ],
    [
      'in a probe',
      (pool, reached) => {
        const { trace } = pool
        pool.trace = (order, progress) => {
          if (order.tile.pattern?.kind !== 'lattice') return trace.call(pool, order, progress)
          reached()
          return new Promise(() => {})
        }
      },
    ],
    [
      'while a frame is traced',
      (pool, reached) => {
        pool.before = async ({ frame, size: [w] }) => {
          if (frame !== 1 || w !== large[0]) return
          reached()
          await new Promise(() => {})
        }
      },
    ],
  ])('%s ends at once', async (_, harm) => {
    const pool = paintPool()
    let there = () => {}
    const reached = new Promise<void>(resolve => {
      there = resolve
    })
    harm(pool, () => there())
    const memory = clusterOf(pool, paintPool())
    const listeners = listenersOf(memory)
    const { done, cancel } = run(memory, withCut({ ...sessionOf(scene.hash, 'predictive', 3, 2), size: large }))
    await reached
    expect(listeners()).toBeGreaterThan(0)
    cancel()
    await expect(done).rejects.toThrow('cancelled')
    expect(listeners()).toBe(0)
  })

  it.each([0, 1, 2])(
    'while its client names no more frames after %s ends at once, and listens to nothing any more',
    async named => {
      const memory = clusterOf(paintPool())
      const listeners = listenersOf(memory)
      const order = sessionOf(scene.hash, 'predictive', 3, 1)
      const requests = [...order.frames]
      let asked = () => {}
      const waiting = new Promise<void>(resolve => {
        asked = resolve
      })
      const source: FrameSource = {
        ready: async () => {
          if (requests.length > 3 - named) return true
          asked()
          return new Promise(() => {})
        },
        take: () => requests.shift()!,
      }
      const { done, cancel } = run(memory, order, {}, source)
      await waiting
      await settle()
      cancel()
      await expect(done).rejects.toThrow('cancelled')
      expect(listeners()).toBe(0)
    },
  )

  it('while it waits for workers ends at once', async () => {
    const memory = new MemoryCluster()
    const listeners = listenersOf(memory)
    const { done, cancel } = run(memory, sessionOf(scene.hash, 'pbt', 1, 1))
    await settle()
    cancel()
    await expect(done).rejects.toThrow('cancelled')
    expect(listeners()).toBe(0)
  })

  it('while others have the cluster ends at once, and they go on', async () => {
    const pool = paintPool()
    let release = () => {}
    let held = false
    pool.before = ({ frame, size: [w] }) =>
      new Promise(resolve => {
        if (frame !== 1 || w !== size[0]) return resolve()
        held = true
        release = resolve
      })
    const memory = clusterOf(pool)
    const listeners = listenersOf(memory)
    const first = run(memory, sessionOf(scene.hash, 'static-blocks', 3, 1))
    while (!held) await settle()
    const second = run(memory, sessionOf(scene.hash, 'static-blocks', 3, 1))
    await settle()
    second.cancel()
    await expect(second.done).rejects.toThrow('cancelled')
    pool.before = async () => {}
    release()
    await first.done
    expect(first.frames.size).toBe(3)
    expect(listeners()).toBe(0)
  })

  it('while its frames are being handed over ends when the one at hand was taken', async () => {
    const memory = clusterOf(paintPool())
    const listeners = listenersOf(memory)
    let release = () => {}
    let taking = () => {}
    const taken = new Promise<void>(resolve => {
      taking = resolve
    })
    const frame = () => {
      taking()
      return new Promise<void>(resolve => {
        release = resolve
      })
    }
    const { done, cancel } = run(memory, sessionOf(scene.hash, 'pbt', 5, 1), { frame })
    await taken
    cancel()
    release()
    await expect(done).rejects.toThrow('cancelled')
    expect(listeners()).toBe(0)
  })
})
