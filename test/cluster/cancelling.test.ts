/** Sessions that are cancelled, in every state that they can be in. */
import { describe, expect, it } from 'vitest'
import { MemoryCluster, type PaintPool, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { clusterOf, run, settle, withCut } from '../support/memory-session.ts'
import { smallScene } from '../support/small-scene.ts'

const scene = smallScene()
const size = [96, 64] as const
/** Too large to be warmed up with whole. */
const large = [960, 540] as const

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
    const { done, cancel } = run(memory, withCut({ ...sessionOf(scene.hash, 'predictive', 3, 2), size: large }))
    await reached
    cancel()
    await expect(done).rejects.toThrow('cancelled')
  })

  it('while it waits for workers ends at once', async () => {
    const { done, cancel } = run(new MemoryCluster(), sessionOf(scene.hash, 'pbt', 1, 1))
    await settle()
    cancel()
    await expect(done).rejects.toThrow('cancelled')
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
  })

  it('while its frames are being handed over ends when the one at hand was taken', async () => {
    const memory = clusterOf(paintPool())
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
  })
})
