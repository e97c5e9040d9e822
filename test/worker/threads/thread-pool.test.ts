import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pixelCount } from '../../../shared/pixel-set.ts'
import { frameRect, type Rect } from '../../../shared/rect.ts'
import { allSamples, type View } from '../../../shared/view.ts'
import type { EngineName } from '../../../worker/engine/engine.ts'
import { engineByName } from '../../../worker/engine/index.ts'
import { CellSums, readCells, shareCells } from '../../../worker/threads/cell-sums.ts'
import { ThreadError } from '../../../worker/threads/thread-link.ts'
import { ThreadPool } from '../../../worker/threads/thread-pool.ts'
import { TileProgress } from '../../../worker/tile-progress.ts'
import { openHere, traceSet, traceTile, usableEngines } from '../support/engines.ts'
import { mixedScene, sharedBytes, viewOf } from '../support/meshes.ts'

const scene = mixedScene()
const bytes = sharedBytes(scene)
const view = viewOf([64, 40])
const whole = frameRect([64, 40])

/** The same pixels without any thread. */
function traceHere(engine: EngineName, given: View, rect: Rect): Uint8Array {
  return traceTile(openHere(engineByName(engine), scene), given, rect)
}

/** Has a tile traced, all of it. */
const trace = (pool: ThreadPool, given: View, rect: Rect, progress = TileProgress.of(rect.h)) =>
  pool.trace({ view: given, tile: { rect } }, progress)

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
        const { pixels, cpuMs, wallMs } = (await trace(pool, view, rect))!
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
      const [left, right] = await Promise.all(tiles.map(rect => trace(pool, view, rect)))
      expect(Buffer.compare(left!.pixels, traceHere(engine, view, tiles[0]!))).toBe(0)
      expect(Buffer.compare(right!.pixels, traceHere(engine, view, tiles[1]!))).toBe(0)
    })

    it('goes on with the next tile while nobody takes the one that is done', async () => {
      const [first, second] = [TileProgress.of(whole.h), TileProgress.of(whole.h)]
      const tiles = [trace(pool, view, whole, first), trace(pool, view, whole, second)]
      await new Promise(resolve => setImmediate(resolve))
      // Meanwhile this thread hears nothing.
      const patience = performance.now() + 20_000
      while (second.begun < whole.h && performance.now() < patience) {}
      expect(second.begun).toBe(whole.h)
      const [one, two] = await Promise.all(tiles)
      expect(Buffer.compare(one!.pixels, two!.pixels)).toBe(0)
    })

    it('packs the pixels of a pattern, and tells what cells cost', async () => {
      const pattern = { kind: 'gaps', stepX: 8, stepY: 8, dx: 4, dy: 4 } as const
      const set = { rect: { x: 5, y: 3, w: 50, h: 30 }, pattern }
      const tracer = openHere(engineByName(engine), scene)
      const { rows, pixels, cells, work } = (await pool.trace({ view, tile: set, cell: 8 }, TileProgress.of(30)))!
      expect(rows).toBe(30)
      expect(Buffer.compare(pixels, traceSet(tracer, view, set))).toBe(0)
      const count = pixelCount(set)
      const [steps, depth] = [new Uint32Array(count), new Float32Array(count)]
      tracer.trace(view, set, allSamples(view), { rgb: new Uint8Array(count * 3), steps, depth })
      const shared = shareCells(set.rect, 8, view.quality)
      new CellSums(shared, set.rect).add(set, steps, depth)
      const expected = readCells(shared, set.rect)
      expect(cells!.depths).toEqual(expected.cells.depths)
      // How long a ray takes, some engines tell a little differently where it comes with other rays.
      expect(work! / expected.work).toBeCloseTo(1, 1)
      expect(cells!.costs).toHaveLength(expected.cells.costs.length)
    })

    it('ends a tile early that was trimmed, before it begins or in the midst of it', async () => {
      const waits = TileProgress.of(whole.h)
      waits.trim(7)
      const { rows, pixels } = (await trace(pool, view, whole, waits))!
      expect(rows).toBe(7)
      expect(Buffer.compare(pixels, traceHere(engine, view, { ...whole, h: 7 }))).toBe(0)

      const slow = { ...view, quality: { samples: 64, ambientRays: 16, maxDepth: 4 } }
      const begun = TileProgress.of(whole.h)
      const tile = pool.trace({ view: slow, tile: { rect: whole }, cell: 8 }, begun)
      while (begun.begun === 0) await new Promise(resolve => setImmediate(resolve))
      begun.trim(1)
      const some = (await tile)!
      expect(some.rows).toBe(begun.begun)
      expect(some.rows).toBeLessThan(whole.h)
      expect(Buffer.compare(some.pixels, traceHere(engine, slow, { ...whole, h: some.rows }))).toBe(0)
      expect(some.cells!.costs).toHaveLength(8 * Math.ceil(some.rows / 8))
    })

    it('gives a tile up when told to, and is fit for the next', async () => {
      const endless = { ...view, quality: { samples: 1024, ambientRays: 64, maxDepth: 4 } }
      const tiles = [TileProgress.of(whole.h), TileProgress.of(whole.h), TileProgress.of(whole.h)]
      const given = tiles.map(progress => trace(pool, endless, whole, progress))
      setTimeout(() => tiles.map(progress => progress.stop()), 50)
      const started = performance.now()
      for (const result of given) expect(await result).toBeUndefined()
      // All of it would take minutes; a row of it some 100 ms.
      expect(performance.now() - started).toBeLessThan(10_000)
      expect(Buffer.compare((await trace(pool, view, whole))!.pixels, traceHere(engine, view, whole))).toBe(0)
    })

    it('tells when a thread fails, and is fit for the next', async () => {
      const broken = { ...view, camera: undefined as never }
      const failure = expect(trace(pool, broken, whole)).rejects
      await failure.toThrow(ThreadError)
      await expect(trace(pool, broken, whole)).rejects.toThrow('tracing 0,0 64x40 of frame 0 failed')
      expect((await trace(pool, view, whole))!.pixels).toHaveLength(64 * 40 * 3)
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
    await expect(trace(pool, view, whole)).rejects.toThrow('without a scene')
    await pool.loadScene(bytes)
    expect((await trace(pool, view, whole))!.pixels).toHaveLength(64 * 40 * 3)
    await pool.unloadScene()
    await expect(trace(pool, view, whole)).rejects.toThrow('without a scene')
  })

  it('holds its threads together to their share of a core', async () => {
    pool = await ThreadPool.start({ threads: 2, engine: 'reference', coreShare: 0.5 })
    await pool.loadScene(bytes)
    const heavy = viewOf([64, 40], { quality: { samples: 16, ambientRays: 4, maxDepth: 4 } })
    const { cpuMs, wallMs } = (await trace(pool, heavy, whole))!
    // Each thread may take a quarter: the slower of two that share the rows takes at least twice their CPU time in all.
    expect(wallMs).toBeGreaterThan(cpuMs * 2 * 0.98)
  })

  it('wakes a sleeping thread to give its tile up', async () => {
    pool = await ThreadPool.start({ threads: 1, engine: 'reference', coreShare: 1e-5 })
    await pool.loadScene(bytes)
    const progress = TileProgress.of(whole.h)
    const tile = trace(pool, view, whole, progress)
    setTimeout(() => progress.stop(), 100)
    // Asleep, it would stay so for minutes after its first rows.
    expect(await tile).toBeUndefined()
  })

  it('rejects everything once a thread has died', async () => {
    const program = new URL('../support/dying-thread.js', import.meta.url)
    pool = await ThreadPool.start({ threads: 2, engine: 'reference', program })
    const broken = expect(pool.broken).rejects.toThrow(/tracing thread \d ended by itself: exit code 3/)
    await expect(pool.loadScene(bytes)).rejects.toThrow(/ended by itself: exit code 3/)
    await broken
    await expect(trace(pool, view, whole)).rejects.toThrow(ThreadError)
  })

  it('rejects what is under way when it is closed', async () => {
    pool = await ThreadPool.start({ threads: 1, engine: 'reference' })
    const loading = expect(pool.loadScene(bytes)).rejects.toThrow('closed')
    await pool.close()
    await loading
    await expect(trace(pool, view, whole)).rejects.toThrow('closed')
  })
})

describe('starting a pool', () => {
  it('fails when its threads cannot start', async () => {
    const program = new URL('../support/no-such-thread.js', import.meta.url)
    await expect(ThreadPool.start({ threads: 2, engine: 'reference', program })).rejects.toThrow(ThreadError)
  })
})
