import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { frameRect, type Rect } from '../../../shared/rect.ts'
import type { View } from '../../../shared/view.ts'
import type { EngineName } from '../../../worker/engine/engine.ts'
import { engineByName } from '../../../worker/engine/index.ts'
import { ThreadError } from '../../../worker/threads/thread-link.ts'
import { ThreadPool } from '../../../worker/threads/thread-pool.ts'
import { openHere, traceTile, usableEngines } from '../support/engines.ts'
import { mixedScene, sharedBytes, viewOf } from '../support/meshes.ts'

const scene = mixedScene()
const bytes = sharedBytes(scene)
const view = viewOf([64, 40])
const whole = frameRect([64, 40])

/** The same pixels without any thread. */
function traceHere(engine: EngineName, given: View, rect: Rect): Uint8Array {
  return traceTile(openHere(engineByName(engine), scene), given, rect)
}

describe.each(usableEngines.flatMap(engine => [1, 2, 3].map(threads => [engine, threads] as const)))(
  '%s in a pool of %i threads',
  (engine, threads) => {
    let pool: ThreadPool
    beforeAll(async () => {
      pool = await ThreadPool.start({ threads, engine })
      const { buildMs } = await pool.loadScene(bytes)
      expect(buildMs).toBeGreaterThan(0)
    })
    afterAll(() => pool.close())

    it('makes the pixels that the engine makes', async () => {
      for (const rect of [whole, { x: 13, y: 7, w: 20, h: 1 }, { x: 63, y: 0, w: 1, h: 40 }]) {
        const { pixels, cpuMs, wallMs } = await pool.trace(view, rect)
        expect(Buffer.compare(pixels, traceHere(engine, view, rect))).toBe(0)
        expect(cpuMs).toBeGreaterThan(0)
        expect(wallMs).toBeGreaterThan(0)
      }
    })

    it('does one tile after the other, each into memory of its own', async () => {
      const tiles = [
        { x: 0, y: 0, w: 32, h: 40 },
        { x: 32, y: 0, w: 32, h: 40 },
      ]
      const [left, right] = await Promise.all(tiles.map(rect => pool.trace(view, rect)))
      expect(Buffer.compare(left!.pixels, traceHere(engine, view, tiles[0]!))).toBe(0)
      expect(Buffer.compare(right!.pixels, traceHere(engine, view, tiles[1]!))).toBe(0)
    })

    it('gives a tile up when told to, and is fit for the next', async () => {
      const endless = { ...view, quality: { samples: 1024, ambientRays: 64, maxDepth: 4 } }
      const abort = new AbortController()
      const [given, waiting] = [pool.trace(endless, whole, abort.signal), pool.trace(endless, whole, abort.signal)]
      const both = Promise.allSettled([given, waiting])
      setTimeout(() => abort.abort(new Error('enough')), 50)
      const started = performance.now()
      for (const result of await both)
        expect(result).toMatchObject({ status: 'rejected', reason: { message: 'enough' } })
      // All of it would take minutes; a row of it some 100 ms.
      expect(performance.now() - started).toBeLessThan(10_000)
      expect(Buffer.compare((await pool.trace(view, whole)).pixels, traceHere(engine, view, whole))).toBe(0)
    })

    it('tells when a thread fails, and is fit for the next', async () => {
      const broken = { ...view, camera: undefined as never }
      const failure = expect(pool.trace(broken, whole)).rejects
      await failure.toThrow(ThreadError)
      await expect(pool.trace(broken, whole)).rejects.toThrow('tracing 0,0 64x40 of frame 0 failed')
      expect((await pool.trace(view, whole)).pixels).toHaveLength(64 * 40 * 3)
    })
  },
)

describe('a pool', () => {
  let pool: ThreadPool
  afterEach(() => pool.close())

  it('refuses bytes that are no scene, and tiles without one', async () => {
    pool = await ThreadPool.start({ threads: 2, engine: 'reference' })
    await expect(pool.loadScene(new Uint8Array(new SharedArrayBuffer(64)))).rejects.toThrow(
      "does not begin with 'SFSC'",
    )
    await expect(pool.trace(view, whole)).rejects.toThrow('without a scene')
    await pool.loadScene(bytes)
    expect((await pool.trace(view, whole)).pixels).toHaveLength(64 * 40 * 3)
    await pool.unloadScene()
    await expect(pool.trace(view, whole)).rejects.toThrow('without a scene')
  })

  it('holds its threads together to their share of a core', async () => {
    pool = await ThreadPool.start({ threads: 2, engine: 'reference', coreShare: 0.5 })
    await pool.loadScene(bytes)
    const { cpuMs, wallMs } = await pool.trace(
      viewOf([64, 40], { quality: { samples: 16, ambientRays: 4, maxDepth: 4 } }),
      whole,
    )
    // Each thread may take a quarter: the slower of two that share the rows takes at least twice their CPU time in all.
    expect(wallMs).toBeGreaterThan(cpuMs * 2 * 0.98)
  })

  it('wakes a sleeping thread to give its tile up', async () => {
    pool = await ThreadPool.start({ threads: 1, engine: 'reference', coreShare: 1e-5 })
    await pool.loadScene(bytes)
    const abort = new AbortController()
    const tile = pool.trace(view, whole, abort.signal)
    setTimeout(() => abort.abort(), 100)
    // Asleep, it would stay so for minutes after its first rows.
    await expect(tile).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('rejects everything once a thread has died', async () => {
    const program = new URL('../support/dying-thread.js', import.meta.url)
    pool = await ThreadPool.start({ threads: 2, engine: 'reference', program })
    const broken = expect(pool.broken).rejects.toThrow(/tracing thread \d ended by itself: exit code 3/)
    await expect(pool.loadScene(bytes)).rejects.toThrow(/ended by itself: exit code 3/)
    await broken
    await expect(pool.trace(view, whole)).rejects.toThrow(ThreadError)
  })

  it('rejects what is under way when it is closed', async () => {
    pool = await ThreadPool.start({ threads: 1, engine: 'reference' })
    const loading = expect(pool.loadScene(bytes)).rejects.toThrow('closed')
    await pool.close()
    await loading
    await expect(pool.trace(view, whole)).rejects.toThrow('closed')
  })
})

describe('starting a pool', () => {
  it('fails when its threads cannot start', async () => {
    const program = new URL('../support/no-such-thread.js', import.meta.url)
    await expect(ThreadPool.start({ threads: 2, engine: 'reference', program })).rejects.toThrow(ThreadError)
  })
})
