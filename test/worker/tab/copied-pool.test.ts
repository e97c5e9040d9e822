/** A pool whose thread has a copy of each scene: it makes what a pool with shared memory does, whatever part of a tile is wanted. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOrder } from '../../../shared/frame/channels.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { startThreadPool } from '../../../worker/node/thread-pool.ts'
import { CopiedPool } from '../../../worker/tab/copied-pool.ts'
import type { ThreadPool } from '../../../worker/threads/thread-pool.ts'
import type { TileOrder } from '../../../worker/tile-order.ts'
import { TileProgress } from '../../../worker/tile-progress.ts'
import { copiedPool } from '../../support/tab.ts'
import { mixedScene, sharedBytes, viewOf } from '../support/meshes.ts'

const bytes = sharedBytes(mixedScene())
const view = viewOf([200, 120])
const whole = { x: 0, y: 0, w: 200, h: 120 }
const own = copiedPool()
let shared: ThreadPool

beforeAll(async () => {
  shared = await startThreadPool({ threads: 1, engine: 'wasm' })
  await Promise.all([shared.loadScene('mixed', bytes), own.loadScene('mixed', bytes)])
})
afterAll(() => shared.close())

const order = (more: Partial<TileOrder> = {}): TileOrder => ({ scene: 'mixed', view, tile: { rect: whole }, ...more })

describe('a pool with a copy of its own', () => {
  it('makes the pixels, cells and work of one that shares memory', async () => {
    const rects = fc.record({
      x: fc.nat(99),
      y: fc.nat(59),
      w: fc.integer({ min: 1, max: 100 }),
      h: fc.integer({ min: 1, max: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(rects, fc.boolean(), async (rect, hasMore) => {
        const asked = order({
          tile: { rect },
          cell: 8,
          ...(hasMore ? { channels: inOrder(['light', 'alpha', 'depth']), samples: { from: 0, to: 1 } } : {}),
        })
        const [mine, theirs] = await Promise.all([
          own.trace(asked, TileProgress.of(rect.h)),
          shared.trace(asked, TileProgress.of(rect.h)),
        ])
        expect(mine!.rows).toBe(theirs!.rows)
        expect(Buffer.compare(mine!.pixels, theirs!.pixels)).toBe(0)
        expect(mine!.cells!.depths).toEqual(theirs!.cells!.depths)
        expect(mine!.cells!.costs.length).toBe(theirs!.cells!.costs.length)
      }),
      { numRuns: 20 },
    )
  })

  it('ends at the row that is wanted, begins nothing that is not, and traces nothing of a tile that is cancelled', async () => {
    const asked: number[] = []
    const gos: (() => void)[] = []
    const pool = new CopiedPool(
      async order => {
        if (order.type !== 'trace') return { type: 'done' }
        const { rect } = order.order.tile
        asked.push(rect.y)
        await new Promise<void>(resolve => {
          gos.push(resolve)
        })
        const pixels = new Uint8Array(rect.w * rect.h * 3).fill(rect.y)
        return { type: 'traced', tile: { rows: rect.h, pixels, cpuMs: 1, wallMs: 1 } }
      },
      { ...engineByName('wasm').grain, batchRays: 1, fineRays: 1, blockRows: 1 },
      { now: () => 0, sleep: async () => {}, share: () => 1 },
    )
    const turn = () => new Promise(resolve => setImmediate(resolve))
    const progress = TileProgress.of(120)
    const traced = pool.trace(order(), progress)
    await turn()
    expect(asked).toEqual([0, 1])
    // Its first row is at hand, and nobody knows for how long.
    expect(progress.doneWithin(1e6)).toBe(0)
    progress.trim(1)
    for (const go of gos) go()
    const cancelled = TileProgress.of(120)
    cancelled.stop()
    expect(await pool.trace(order(), cancelled)).toBeUndefined()
    expect((await traced)!.rows).toBe(1)
    expect((await traced)!.pixels).toHaveLength(600)
    expect(asked).toEqual([0, 1])
  })

  it('pauses between strips, one at a time, while it is to take a share of the time', async () => {
    const slept: number[] = []
    let most = 0
    let asked = 0
    const pool = new CopiedPool(
      async order => {
        if (order.type !== 'trace') return { type: 'done' }
        most = Math.max(most, ++asked)
        const { rect } = order.order.tile
        await new Promise(resolve => setImmediate(resolve))
        asked--
        return {
          type: 'traced',
          tile: { rows: rect.h, pixels: new Uint8Array(rect.w * rect.h * 3), cpuMs: 9, wallMs: 30 },
        }
      },
      { ...engineByName('wasm').grain, batchRays: 1, fineRays: 1, blockRows: 1 },
      { now: () => 0, sleep: async ms => void slept.push(ms), share: () => 0.25 },
    )
    expect((await pool.trace(order({ tile: { rect: { ...whole, h: 3 } } }), TileProgress.of(3)))!.rows).toBe(3)
    expect(most).toBe(1)
    expect(slept).toEqual([90, 90, 90])
  })

  it('says what its thread could not do, and goes on', async () => {
    await expect(own.trace(order({ scene: 'none' }), TileProgress.of(120))).rejects.toThrow('not loaded')
    expect((await own.trace(order(), TileProgress.of(120)))!.rows).toBe(120)
    expect(await own.restoreScene('mixed', { bytes: 1, read: async () => true })).toBe(false)
  })
})
