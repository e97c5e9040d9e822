import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { pixelCount } from '../../../shared/frame/pixel-set.ts'
import { frameRect, type Rect } from '../../../shared/frame/rect.ts'
import { allSamples, type View } from '../../../shared/frame/view.ts'
import type { EngineName } from '../../../worker/engine/engine.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { launchThreadPool, startThreadPool } from '../../../worker/node/thread-pool.ts'
import { CellSums, readCells, shareCells } from '../../../worker/threads/cell-sums.ts'
import { ThreadError } from '../../../worker/threads/thread-link.ts'
import type { ThreadPool } from '../../../worker/threads/thread-pool.ts'
import { SOON_MS, TileProgress } from '../../../worker/tile-progress.ts'
import { times } from '../../support/nightly.ts'
import { openHere, traceSet, traceTile, usableEngines } from '../support/engines.ts'
import { GREY, mixedScene, sceneOf, sharedBytes, sphere, viewOf } from '../support/meshes.ts'

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
  pool.trace({ scene: 'mixed', view: given, tile: { rect } }, progress)

describe.each(usableEngines.flatMap(engine => [1, 2, 3].map(threads => [engine, threads] as const)))(
  '%s in a pool of %i threads',
  (engine, threads) => {
    let pool: ThreadPool
    beforeAll(async () => {
      pool = await startThreadPool({ threads, engine })
      const { buildMs } = await pool.loadScene('mixed', bytes)
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
      // Meanwhile this thread hears nothing, not even that a test has hung.
      const patience = performance.now() + 250_000
      while (second.begun < whole.h && performance.now() < patience) {}
      expect(second.begun).toBe(whole.h)
      const [one, two] = await Promise.all(tiles)
      expect(Buffer.compare(one!.pixels, two!.pixels)).toBe(0)
    })

    it('packs the pixels of a pattern, and tells what cells cost', async () => {
      const pattern = { kind: 'gaps', stepX: 8, stepY: 8, dx: 4, dy: 4 } as const
      const set = { rect: { x: 5, y: 3, w: 50, h: 30 }, pattern }
      const tracer = openHere(engineByName(engine), scene)
      const { rows, pixels, cells, work } = (await pool.trace(
        { scene: 'mixed', view, tile: set, cell: 8 },
        TileProgress.of(30),
      ))!
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

    it('sums up light in passes, and counts what each costs', async () => {
      const set = { rect: { x: 5, y: 3, w: 50, h: 30 } }
      const tracer = openHere(engineByName(engine), scene)
      const sums = new Float64Array(50 * 30 * 3)
      const works: number[] = []
      for (const samples of [
        { from: 1, to: 3 },
        { from: 0, to: 1 },
      ]) {
        const many = { ...view, quality: { ...view.quality, samples: 3 } }
        const order = { scene: 'mixed', view: many, tile: set, samples, channels: ['light'], cell: 8 } as const
        const { pixels, work } = (await pool.trace(order, TileProgress.of(30)))!
        const expected = new Float64Array(sums.length)
        tracer.trace(many, set, samples, { light: expected })
        expect(Buffer.compare(pixels, new Uint8Array(expected.buffer))).toBe(0)
        works.push(work!)
      }
      expect(works[0]! / works[1]!).toBeGreaterThan(1.5)
      expect(works[0]! / works[1]!).toBeLessThan(2.5)
    })

    it('ends a tile early that was trimmed, before it begins or in the midst of it', async () => {
      const waits = TileProgress.of(whole.h)
      waits.trim(7)
      const { rows, pixels } = (await trace(pool, view, whole, waits))!
      expect(rows).toBe(7)
      expect(Buffer.compare(pixels, traceHere(engine, view, { ...whole, h: 7 }))).toBe(0)

      const slow = { ...view, quality: { samples: 64, ambientRays: 16, maxDepth: 4 } }
      const begun = TileProgress.of(whole.h)
      const tile = pool.trace({ scene: 'mixed', view: slow, tile: { rect: whole }, cell: 8 }, begun)
      while (begun.begun === 0) await new Promise(resolve => setImmediate(resolve))
      begun.trim(1)
      const some = (await tile)!
      expect(some.rows).toBe(begun.rows)
      expect(some.rows).toBeLessThan(whole.h)
      expect(Buffer.compare(some.pixels, traceHere(engine, slow, { ...whole, h: some.rows }))).toBe(0)
      expect(some.cells!.costs).toHaveLength(8 * Math.ceil(some.rows / 8))
    })

    it('gives a tile up when told to, and is fit for the next', async () => {
      const endless = { ...view, quality: { samples: 1024, ambientRays: 64, maxDepth: 4 } }
      const tiles = [TileProgress.of(whole.h), TileProgress.of(whole.h), TileProgress.of(whole.h)]
      const given = tiles.map(progress => trace(pool, endless, whole, progress))
      while (tiles[0]!.begun === 0) await new Promise(resolve => setImmediate(resolve))
      for (const progress of tiles) progress.stop()
      for (const result of given) expect(await result).toBeUndefined()
      expect(Math.max(...tiles.map(({ begun }) => begun))).toBeLessThan(whole.h)
      expect(Buffer.compare((await trace(pool, view, whole))!.pixels, traceHere(engine, view, whole))).toBe(0)
    })

    describe('with rows that take minutes', () => {
      const endless: View = { ...view, quality: { samples: 2 ** 20, ambientRays: 2, maxDepth: 4, bounces: 8 } }
      /** Rows full of geometry. */
      const middle = { ...whole, y: 18, h: 4 }
      const turn = () => new Promise(resolve => setImmediate(resolve))

      it('advances within a row, and honours a cancel there', async () => {
        const progress = TileProgress.of(1, threads)
        const tile = trace(pool, endless, { ...middle, h: 1 }, progress)
        while (progress.begun === 0) await turn()
        for (const before = progress.portions; progress.portions < before + 4; ) await turn()
        progress.stop()
        expect(await tile).toBeUndefined()
      })

      it('gives them back when their worker leaves, and is fit for the next', async () => {
        const progress = TileProgress.of(4, threads)
        const tile = trace(pool, endless, middle, progress)
        // The first portion says how long the others will take.
        while (progress.begun === 0 || progress.doneWithin(SOON_MS) > 0) await turn()
        progress.leave()
        expect(await tile).toBeUndefined()
        expect(Buffer.compare((await trace(pool, view, whole))!.pixels, traceHere(engine, view, whole))).toBe(0)
      })

      it('gives those back that are below the wanted ones', async () => {
        // A pixel, and a row below it.
        const cells = [0, ...Array.from({ length: 64 }, (_, i) => 64 + i)]
        const rect = { ...whole, h: 2 }
        const tile = { rect, pattern: { kind: 'cells', cellW: 1, cellH: 1, columns: 64, cells } as const }
        const progress = TileProgress.of(2, threads)
        const traced = pool.trace({ scene: 'mixed', view: endless, tile, cell: 8 }, progress)
        while (progress.begun < 2) await turn()
        progress.trim(1)
        const { rows, pixels } = (await traced)!
        expect([rows, pixels.length]).toEqual([1, 3])
        expect(Buffer.compare(pixels, traceHere(engine, endless, { ...whole, w: 1, h: 1 }))).toBe(0)
      })
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
    pool = await startThreadPool({ threads: 2, engine: 'reference' })
    await expect(pool.loadScene('zeros', new Uint8Array(new SharedArrayBuffer(64)))).rejects.toThrow(
      "does not begin with 'SFSC'",
    )
    await expect(trace(pool, view, whole)).rejects.toThrow('scene mixed is not loaded')
    await pool.loadScene('mixed', bytes)
    expect((await trace(pool, view, whole))!.pixels).toHaveLength(64 * 40 * 3)
    await pool.unloadScene('mixed')
    await expect(trace(pool, view, whole)).rejects.toThrow('scene mixed is not loaded')
    await pool.unloadScene('mixed')
  })

  it('holds several scenes at once, each under its name', async () => {
    const other = sceneOf([{ mesh: sphere([0, 1, 0], 1, 3), material: GREY }])
    pool = await startThreadPool({ threads: 2, engine: 'reference' })
    const loads = [pool.loadScene('mixed', bytes), pool.loadScene('ball', sharedBytes(other))]
    for (const { buildMs } of await Promise.all(loads)) expect(buildMs).toBeGreaterThan(0)
    // What is there stays as it is, whatever comes under its name.
    expect(await pool.loadScene('mixed', sharedBytes(other))).toEqual({ buildMs: 0 })
    const orders = ['ball', 'mixed', 'ball', 'mixed'].map(name => ({ scene: name, view, tile: { rect: whole } }))
    const tiles = orders.map(order => pool.trace(order, TileProgress.of(whole.h)))
    const [ball, mixed, ...again] = await Promise.all(tiles)
    expect(Buffer.compare(mixed!.pixels, traceHere('reference', view, whole))).toBe(0)
    const expected = traceTile(openHere(engineByName('reference'), other), view, whole)
    expect(Buffer.compare(ball!.pixels, expected)).toBe(0)
    for (const [i, traced] of again.entries()) expect(Buffer.compare(traced!.pixels, [ball, mixed][i]!.pixels)).toBe(0)
    await pool.unloadScene('ball')
    await expect(pool.trace(orders[0]!, TileProgress.of(whole.h))).rejects.toThrow(
      'tracing 0,0 64x40 of frame 0: scene ball is not loaded, expected one of those that are (mixed); load it first',
    )
    expect((await trace(pool, view, whole))!.rows).toBe(40)
  })

  it('goes on tracing one scene while another is loaded, or cannot be', async () => {
    pool = await startThreadPool({ threads: 1, engine: 'reference' })
    await pool.loadScene('mixed', bytes)
    const log: string[] = []
    const noted = (name: string, work: Promise<unknown>) => work.catch(() => {}).then(() => log.push(name))
    const slow = viewOf([64, 40], { quality: { samples: 64, ambientRays: 8, maxDepth: 4 } })
    // The load begins before the first tile is done; its orders wait for that in the thread, and the tile after it for nothing else.
    const tiles = [trace(pool, slow, whole), trace(pool, view, whole)]
    const loads = [
      pool.loadScene('zeros', new Uint8Array(new SharedArrayBuffer(64))),
      pool.loadScene('ball', sharedBytes(sceneOf([{ mesh: sphere([0, 1, 0], 1, 6), material: GREY }]))),
    ]
    await Promise.all([
      ...tiles.map((tile, i) => noted(`tile ${i}`, tile)),
      ...loads.map((load, i) => noted(`load ${i}`, load)),
    ])
    expect(log).toEqual(['tile 0', 'tile 1', 'load 0', 'load 1'])
    await expect(loads[0]).rejects.toThrow("does not begin with 'SFSC'")
    expect((await pool.trace({ scene: 'ball', view, tile: { rect: whole } }, TileProgress.of(40)))!.rows).toBe(40)
  })

  it('drops a scene when the tiles that were asked of it are done', async () => {
    pool = await startThreadPool({ threads: 2, engine: 'reference' })
    await pool.loadScene('mixed', bytes)
    const slow = viewOf([64, 40], { quality: { samples: 16, ambientRays: 8, maxDepth: 4 } })
    const tiles = [trace(pool, slow, whole), trace(pool, slow, whole), trace(pool, view, whole)]
    const log: string[] = []
    const dropped = pool.unloadScene('mixed').then(() => log.push('dropped'))
    for (const tile of tiles) expect((await tile)!.rows).toBe(40)
    expect(log).toEqual([])
    await dropped
    await expect(trace(pool, view, whole)).rejects.toThrow('not loaded')
  })

  it('holds its threads together to their share of a core', async () => {
    pool = await startThreadPool({ threads: 2, engine: 'reference', coreShare: 0.5 })
    await pool.loadScene('mixed', bytes)
    const heavy = viewOf([64, 40], { quality: { samples: 16, ambientRays: 4, maxDepth: 4 } })
    const { cpuMs, wallMs } = (await trace(pool, heavy, whole))!
    // Each thread may take a quarter of a core, so the slower of two that share the rows pauses until twice their CPU time in all has
    // passed; were it half a core each, until once. In between, because some CPU time is spent after the last pause.
    expect(wallMs).toBeGreaterThan(cpuMs * 1.5)
  })

  it('wakes a sleeping thread to give its tile up', async () => {
    pool = await startThreadPool({ threads: 1, engine: 'reference', coreShare: 1e-5 })
    await pool.loadScene('mixed', bytes)
    const progress = TileProgress.of(whole.h)
    const tile = trace(pool, view, whole, progress)
    // Taken, begun, and pausing: asleep, it would stay so for minutes after its first rows.
    while (progress.portions < 3) await new Promise(resolve => setImmediate(resolve))
    progress.stop()
    expect(await tile).toBeUndefined()
  })

  it('traces tile after tile in the same shared memory', async () => {
    pool = await startThreadPool({ threads: 2, engine: 'reference' })
    await pool.loadScene('mixed', bytes)
    const tile = async (i: number) => {
      const rect = { x: (i * 5) % 20, y: (i * 3) % 11, w: 8 + (i % 30), h: 4 + (i % 17) }
      const channels = [i % 2 ? 'rgb' : 'light'] as const
      await pool.trace({ scene: 'mixed', view, tile: { rect }, cell: 8, channels }, TileProgress.of(rect.h))
    }
    const inTurn = async (from: number, to: number) => {
      for (let i = from; i < to; i += 2) await Promise.all([tile(i), tile(i + 1)])
    }
    await inTurn(0, times(200))
    // From here on only what says how far a tile has come is made anew, a few words each.
    const made: number[] = []
    const Native = SharedArrayBuffer
    vi.stubGlobal(
      'SharedArrayBuffer',
      class extends Native {
        constructor(length: number) {
          super(length)
          made.push(length)
        }
      },
    )
    try {
      await inTurn(0, times(100))
    } finally {
      vi.unstubAllGlobals()
    }
    expect(made).toHaveLength(times(100))
    expect(new Set(made)).toEqual(new Set([TileProgress.of(1).bytes.byteLength]))
  })

  it('takes up what another pool has built, with any number of threads, and traces the same', async () => {
    pool = await startThreadPool({ threads: 1, engine: 'wasm' })
    const { image } = await pool.loadScene('mixed', bytes)
    const stored = image!.slice()
    await pool.close()
    pool = await startThreadPool({ threads: 3, engine: 'wasm' })
    const read = async (into: Uint8Array) => {
      into.set(stored)
      return true
    }
    expect(await pool.restoreScene('mixed', { bytes: stored.length, read })).toBe(true)
    expect(Buffer.compare((await trace(pool, view, whole))!.pixels, traceHere('wasm', view, whole))).toBe(0)
    expect(await pool.restoreScene('other', { bytes: stored.length, read: async () => false })).toBe(false)
    await expect(pool.trace({ scene: 'other', view, tile: { rect: whole } }, TileProgress.of(40))).rejects.toThrow(
      'not loaded',
    )
  })

  it('builds the same with help, and whoever helped ends', async () => {
    pool = await startThreadPool({ threads: 1, engine: 'wasm' })
    const alone = await pool.loadScene('alone', bytes)
    const helped = await pool.loadScene('helped', bytes, 3)
    expect(Buffer.compare(helped.image!, alone.image!)).toBe(0)
    const tile = await pool.trace({ scene: 'helped', view, tile: { rect: whole } }, TileProgress.of(40))
    expect(Buffer.compare(tile!.pixels, traceHere('wasm', view, whole))).toBe(0)
  })

  it('ends a build in which a thread traps, and is fit for the next', async () => {
    const program = new URL('../support/trapping-thread.js', import.meta.url)
    pool = await startThreadPool({ threads: 2, engine: 'wasm' }, program)
    await expect(pool.loadScene('mixed', bytes)).rejects.toThrow(
      'tracing thread 2: building the scene failed: unreachable',
    )
    await expect(trace(pool, view, whole)).rejects.toThrow('not loaded')
    await pool.loadScene('mixed', bytes)
    expect(Buffer.compare((await trace(pool, view, whole))!.pixels, traceHere('wasm', view, whole))).toBe(0)
  })

  it('rejects everything once a thread has died', async () => {
    const program = new URL('../support/dying-thread.js', import.meta.url)
    pool = await startThreadPool({ threads: 2, engine: 'reference' }, program)
    const broken = expect(pool.broken).rejects.toThrow(/tracing thread \d ended unexpectedly: exit code 3/)
    await expect(pool.loadScene('mixed', bytes)).rejects.toThrow(/ended unexpectedly: exit code 3/)
    await broken
    await expect(trace(pool, view, whole)).rejects.toThrow(ThreadError)
  })

  it('rejects what is under way when it is closed', async () => {
    pool = await startThreadPool({ threads: 1, engine: 'reference' })
    const loading = expect(pool.loadScene('mixed', bytes)).rejects.toThrow('closed')
    await pool.close()
    await loading
    await expect(trace(pool, view, whole)).rejects.toThrow('closed')
  })
})

describe('starting a pool', () => {
  it('fails when its threads cannot start', async () => {
    const program = new URL('../support/no-such-thread.js', import.meta.url)
    await expect(startThreadPool({ threads: 2, engine: 'reference' }, program)).rejects.toThrow(ThreadError)
    const launched = launchThreadPool({ threads: 2, engine: 'reference' }, program)
    await expect(launched.broken).rejects.toThrow(ThreadError)
    await expect(launched.loadScene('a', new Uint8Array(new SharedArrayBuffer(4)))).rejects.toThrow(ThreadError)
  })
})
