/** Sessions that have rows traced twice, on a cluster in memory of which some workers lie. */
import { describe, expect, it } from 'vitest'
import { strategyNames } from '../../master/strategies/index.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import { frameRect, type Rect } from '../../shared/frame/rect.ts'
import { areaId } from '../../shared/ids.ts'
import { DEFAULT_STRATEGY } from '../../shared/session/default-strategy.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { from, inverted, lyingPool, oneByte } from '../support/lying-pool.ts'
import { MemoryCluster, type PaintPool, paint, paintPool, paintTile, sessionOf } from '../support/memory-cluster.ts'
import { run, settle } from '../support/memory-session.ts'
import { expectPartition } from '../support/partition.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { scene, type TestSession } from '../support/session.ts'

function clusterOf(seed: number, ...pools: PaintPool[]) {
  const memory = new MemoryCluster(undefined, performance, randomNumbers(seed))
  const visits = pools.map((pool, i) => memory.visit(identity(`n${i}`), pool))
  return { memory, visits }
}

const identity = (name: string) => ({
  name,
  areas: [{ engine: 'reference', kernel: 'k', threads: 1, speed: 1, clock: 'cpu', grain: { rows: 1 } } as const],
})

const session = (changes: Partial<TestSession> = {}, frames = 3, workers = 3): TestSession => ({
  ...sessionOf(scene.hash, 'predictive', frames, workers),
  verify: 1,
  ...changes,
})

/** Hashes of what a session delivers on honest workers. */
async function truth(changes: Partial<TestSession>, frames = 3): Promise<string[]> {
  const { memory } = clusterOf(1, paintPool(), paintPool(), paintPool())
  const { verify: _, ...order } = session(changes, frames)
  const { done, reports } = run(memory, order)
  await done
  return hashes(reports)
}

const hashes = (reports: readonly FrameReport[]): string[] => reports.map(({ sha256 }) => sha256)

const WAYS: [string, Partial<TestSession>][] = [
  ['one pass', {}],
  ['several passes', { passes: 3, quality: { samples: 6, ambientRays: 1, maxDepth: 2 } }],
  ['frames in flight', { inFlight: 2 }],
  ['an adaptive frame', { noise: 0.02, quality: { samples: 64, ambientRays: 0, maxDepth: 0, bounces: 2 } }],
]

/** Every strategy in one way, and the default one in all. */
const CASES = [
  ...strategyNames.map((strategy, i) => [strategy, ...WAYS[i % WAYS.length]!] as const),
  ...WAYS.map(way => [DEFAULT_STRATEGY, ...way] as const),
]

describe.each(CASES)('verified frames of %s with %s', (strategy, _way, changes) => {
  it('raise no false alarm, and have the same bytes', async () => {
    const { memory } = clusterOf(2, paintPool(), paintPool(), paintPool())
    const { done, reports } = run(memory, session({ strategy, ...changes, verify: 0.3 }))
    await done
    expect(hashes(reports)).toEqual(await truth({ strategy, ...changes }))
    for (const { verification } of reports) expect(verification).toMatchObject({ mismatches: 0, repeats: 0 })
    expect(reports.reduce((rows, { verification }) => rows + verification!.rows, 0)).toBeGreaterThan(0)
  })

  it('have no pixel of a liar', async () => {
    const order = session({ strategy, ...changes })
    const { memory, visits } = clusterOf(3, paintPool(), lyingPool(inverted), paintPool())
    const { done, reports } = run(memory, order)
    await done
    expect(hashes(reports)).toEqual(await truth({ strategy, ...changes }))
    expect(memory.cluster.workers().map(({ name }) => name)).toEqual(['n0', 'n2'])
    await expect(visits[1]!.stay).rejects.toThrow(/n1 is expelled: its pixels of rows? .* differ from those of n/)
  })
})

describe('a liar', () => {
  it('is found for one wrong byte of a tile', async () => {
    const { memory, visits } = clusterOf(4, paintPool(), paintPool(), lyingPool(oneByte))
    const { done, reports } = run(memory, session({}))
    await done
    expect(hashes(reports)).toEqual(await truth({}))
    expect(reports[0]!.verification).toMatchObject({ repeats: 0, retracedPx: expect.any(Number) })
    await expect(visits[2]!.stay).rejects.toThrow('n2 is expelled')
  })

  it('is found when it begins to lie, and its earlier frames are named', async () => {
    const said: string[] = []
    const { memory, visits } = clusterOf(5, paintPool(), paintPool(), lyingPool(from(3, inverted)))
    const { done, reports } = run(memory, session({}, 6), { status: text => void said.push(text) })
    await done
    expect(hashes(reports)).toEqual(await truth({}, 6))
    expect(said.filter(text => text.startsWith('warning'))).toEqual([
      expect.stringMatching(
        /^warning: worker n2 is expelled: .* frame 3 .*; frames 0 to 2 of this session have pixels of it, too$/,
      ),
    ])
    await expect(visits[2]!.stay).rejects.toThrow('frames 0 to 2')
  })

  it('has only its own rows traced again, however many areas they go to', async () => {
    const pools = [paintPool(), paintPool(), lyingPool(inverted)]
    const { memory } = clusterOf(10, ...pools)
    const { done, reports } = run(memory, session({ strategy: 'static-blocks' }, 2))
    await done
    expect(hashes(reports)).toEqual(await truth({ strategy: 'static-blocks' }, 2))
    const { size, tiles, workers, verification } = reports[0]!
    const pixels = size[0] * size[1]
    expect(verification!.repeats).toBe(0)
    // Its third of the frame.
    expect(verification!.retracedPx).toBeGreaterThan(0.3 * pixels)
    expect(verification!.retracedPx).toBeLessThan(0.36 * pixels)
    expectPartition(tiles, size)
    const names = new Map(workers.map(({ id, name }) => [id, name]))
    expect(new Set(tiles.map(({ worker }) => names.get(worker)))).toEqual(new Set(['n0', 'n1']))
    expect(tiles.filter(({ rect }) => rect.w * rect.h < pixels / 4).length).toBeGreaterThan(1)
    expect(reports[1]!.verification).not.toHaveProperty('retracedPx')
  })

  it('has all of a frame of several passes traced again, which rest on each other', async () => {
    const { memory } = clusterOf(11, paintPool(), paintPool(), lyingPool(inverted))
    const changes = { passes: 3, quality: { samples: 6, ambientRays: 1, maxDepth: 2 } }
    const { done, reports } = run(memory, session(changes, 1))
    await done
    expect(reports[0]!.verification).toMatchObject({ repeats: 1 })
    expect(reports[0]!.verification).not.toHaveProperty('retracedPx')
  })

  it('is not alone: two that lie differently are both found, and the rows of either replaced', async () => {
    const other = lyingPool(pixels => {
      for (const [i, byte] of pixels.entries()) pixels[i] = byte ^ 3
    })
    const { memory } = clusterOf(12, paintPool(), other, paintPool(), lyingPool(inverted))
    const { done, reports } = run(memory, session({ strategy: 'demand-driven' }, 3, 4))
    await done
    expect(hashes(reports)).toEqual(await truth({ strategy: 'demand-driven' }))
    expect(memory.cluster.workers().map(({ name }) => name)).toEqual(['n0', 'n2'])
    for (const { tiles, size } of reports) expectPartition(tiles, size)
  })

  it('may not join again under its name', async () => {
    const { memory } = clusterOf(6, paintPool(), paintPool(), lyingPool(inverted))
    await run(memory, session({}, 1)).done
    await expect(memory.visit(identity('n2'), paintPool()).stay).rejects.toThrow('it returned wrong pixels before')
    expect(memory.cluster.workers()).toHaveLength(2)
    memory.visit(identity('n3'), paintPool())
    await expect.poll(() => memory.cluster.workers().length).toBe(3)
  })

  /** The picture that is thrown away is traced as one tile, the frame as one for each area. */
  const isTile = ({ w, h }: Rect) => w * h < 96 * 64

  /** Lies about its tile of a frame, and not when it checks others. */
  function liarOfOneTile() {
    let lied: PixelSet | undefined
    const pool = lyingPool((pixels, order) => {
      if (lied || !isTile(order.tile.rect)) return
      lied = order.tile
      inverted(pixels, order)
    })
    return {
      pool,
      isIts: ({ x, y }: Rect) => lied?.rect.x === x && lied.rect.y === y,
      hasLied: () => lied !== undefined,
    }
  }

  it('has no pixel in the frame if its connection has ended before it is found out', async () => {
    const { pool, isIts } = liarOfOneTile()
    const honest = [paintPool(), paintPool()]
    let hasLeft = false
    for (const each of honest)
      each.before = async (_, rect) => {
        if (hasLeft || !isIts(rect)) return
        hasLeft = true
        visits[1]!.line.terminate()
        await settle()
      }
    const { memory, visits } = clusterOf(14, honest[0]!, pool, honest[1]!)
    const { done, reports } = run(memory, session({ strategy: 'static-blocks' }, 1))
    await done
    expect(hasLeft).toBe(true)
    expect(hashes(reports)).toEqual(await truth({ strategy: 'static-blocks' }, 1))
    expect(reports[0]!.verification).toMatchObject({ repeats: 0, retracedPx: expect.any(Number) })
  })

  it('has no pixel in a frame in progress, whatever it was found by, and if it is gone', async () => {
    const { pool, hasLied } = liarOfOneTile()
    const slow = paintPool()
    slow.before = async (_, rect) => {
      if (!isTile(rect)) return
      await expect.poll(hasLied).toBe(true)
      await settle()
      visits[1]!.line.terminate()
      await settle()
      memory.cluster.expel(liar!, 'it lied elsewhere')
      slow.before = async () => {}
    }
    const { memory, visits } = clusterOf(15, paintPool(), pool, slow)
    await expect.poll(() => memory.cluster.workers().length).toBe(3)
    const liar = memory.cluster.tracerOf(areaId('w2'))
    // Too few rows for any check.
    const { done, reports } = run(memory, session({ strategy: 'static-blocks', verify: 1e-9 }, 1))
    await done
    expect(hashes(reports)).toEqual(await truth({ strategy: 'static-blocks' }, 1))
    expect(reports[0]!.verification).toMatchObject({ rows: 0, repeats: 0, retracedPx: expect.any(Number) })
  })

  it('fails the frame if nobody is left to decide, and both are named', async () => {
    const { memory } = clusterOf(7, paintPool(), lyingPool(inverted))
    const { done, frames } = run(memory, session({}, 3, 2))
    await expect(done).rejects.toThrow(
      /^frame 0: n[01] and n[01] returned different pixels for rows .*, expected equal ones; one more worker is needed/,
    )
    expect(frames.size).toBe(0)
  })

  it('is found by a small share of the rows within a few frames', async () => {
    let found = 0
    const trials = 6
    for (let seed = 0; seed < trials; seed++) {
      const { memory, visits } = clusterOf(seed, paintPool(), paintPool(), lyingPool(inverted))
      const size = [320, 240] as const
      const { done, frames } = run(memory, session({ verify: 0.05, size: [...size], strategy: 'static-blocks' }, 1))
      await done
      const bytes = paint({ frame: 0 }, { rect: frameRect([...size]) })
      const isRight = Buffer.compare(frames.get(0)!, bytes) === 0
      // Whoever is expelled has no pixel in it, and whoever is not may have.
      const isFound = memory.cluster.workers().length === 2
      if (isFound) found++
      expect(isRight).toBe(isFound)
      visits[2]!.stay.catch(() => {})
    }
    // Tiles of 80 rows: four of them are checked.
    expect(found).toBe(trials)
  })
})

it('does not let a faulty worker that reconnects outvote an honest one', async () => {
  const honest = paintPool()
  const { memory, visits } = clusterOf(13, lyingPool(inverted), honest)
  let isTracing = false
  // All that it is asked then is a check of what the other one has traced.
  honest.before = async () => {
    if (!isTracing) return
    isTracing = false
    visits[0]!.line.terminate()
    memory.visit(identity('n0'), lyingPool(inverted))
    await memory.nextReady()
  }
  const { done, frames } = run(memory, session({ strategy: 'single-worker' }, 1, 2), {
    started: () => {
      isTracing = true
    },
  })
  await expect(done).rejects.toThrow(/^frame 0: n0 and n1 returned different pixels/)
  expect(frames.size).toBe(0)
  expect(memory.cluster.names).toEqual(['n0', 'n1'])
})

describe('an honest worker that leaves in the middle of a check', () => {
  /** Leaves when it has begun so many rows of the first tile that is a check: of a tile that another has traced. */
  async function leaver(rows: number, workers: number) {
    const { memory } = clusterOf(11, ...Array.from({ length: workers }, () => paintPool()))
    const stop = new AbortController()
    const pool = paintPool()
    const { trace } = pool
    let asked = 0
    pool.trace = async (order, progress) => {
      // Its tiles are whole columns or blocks; a check of a few rows comes once the others have answered.
      if (order.view.frame === 0 && order.tile.rect.h > rows && order.cell === undefined && ++asked === 1) {
        progress.take(() => rows)
        stop.abort()
        return paintTile(order, progress)
      }
      return trace.call(pool, order, progress)
    }
    memory.visit(identity('leaver'), pool, undefined, undefined, stop.signal)
    const order = session({ strategy: 'static-blocks' }, 3, workers + 1)
    const said: string[] = []
    const { done, reports } = run(memory, order, { status: text => void said.push(text) })
    await done
    return { memory, reports, said, asked, truth: await truth({ strategy: 'static-blocks' }) }
  }

  it.each([0, 1, 2])('with %i of its rows begun is not called a liar, and the frame is right', async rows => {
    const { memory, reports, said, asked, truth } = await leaver(rows, 2)
    expect(asked).toBeGreaterThan(0)
    expect(hashes(reports)).toEqual(truth)
    expect(memory.cluster.names).toEqual(['n0', 'n1'])
    expect(said.filter(text => /expelled|differ/.test(text))).toEqual([])
    for (const { verification } of reports) expect(verification!.mismatches).toBe(0)
  })
})

describe('two workers of one name and address', () => {
  it('are two: when one is expelled, the other goes on', async () => {
    const { memory } = clusterOf(3, paintPool(), paintPool())
    memory.visit({ ...identity('twin'), key: 'p1' }, paintPool())
    memory.visit({ ...identity('twin'), key: 'p2' }, lyingPool(inverted))
    const { done, reports } = run(memory, session({ strategy: 'static-blocks' }, 3, 4))
    await done
    expect(hashes(reports)).toEqual(await truth({ strategy: 'static-blocks' }))
    expect(memory.cluster.workers().map(({ name }) => name)).toEqual(['n0', 'n1', 'twin'])
    // The one that stayed may come back at any time, the other one may not.
    const honest = memory.visit({ ...identity('twin'), key: 'p1' }, paintPool())
    const liar = memory.visit({ ...identity('twin'), key: 'p2' }, paintPool())
    await expect(liar.stay).rejects.toThrow('worker twin is expelled')
    expect(memory.cluster.workers().filter(({ name }) => name === 'twin')).toHaveLength(2)
    honest.line.terminate()
  })

  it('are blamed apart', async () => {
    const { memory } = clusterOf(3)
    memory.visit({ ...identity('twin'), key: 'p1' }, paintPool())
    memory.visit({ ...identity('twin'), key: 'p2' }, paintPool())
    await expect.poll(() => memory.cluster.workers().length).toBe(2)
    const [one, two] = memory.cluster.workers().map(({ id }) => memory.cluster.identify(areaId(id)))
    expect(one!.area).not.toBe(two!.area)
    expect(one!.worker).not.toBe(two!.worker)
  })
})

it('waits for a second worker, and checks nothing with other arithmetic', async () => {
  const memory = new MemoryCluster(undefined, performance, randomNumbers(8))
  memory.visit(identity('n0'), paintPool())
  const { done, reports } = run(memory, session({ options: DEFAULT_STRATEGY_OPTIONS }, 1, 1))
  const other = identity('n1')
  memory.visit({ ...other, areas: [{ ...other.areas[0]!, kernel: 'other' }] }, paintPool())
  await done
  expect(reports[0]!.verification).toMatchObject({ rows: 0, mismatches: 0, cpuMs: 0 })
  expect(reports[0]!.verification!.unchecked).toBeGreaterThan(0)
})

it('orders a check like any other tile', async () => {
  const { memory } = clusterOf(9, paintPool(), paintPool(), paintPool())
  const keys = new Map<number, Set<string>>()
  const { trace } = memory.cluster
  let isVerified = 0
  memory.cluster.trace = (area, request, holder) => {
    const seen = keys.get(isVerified) ?? new Set()
    keys.set(isVerified, seen.add(Object.keys(request).sort().join()))
    trace.call(memory.cluster, area, request, holder)
  }
  const { verify: _, ...plain } = session({ strategy: 'static-blocks' })
  await run(memory, plain).done
  isVerified = 1
  const { done, reports } = run(memory, { ...plain, verify: 1 })
  await done
  expect(reports[0]!.verification!.rows).toBeGreaterThan(0)
  for (const fields of keys.get(1)!) expect(keys.get(0)).toContain(fields)
})
