/** What a worker answers to its orders, and when; whoever traces does so when the test says. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PixelPattern } from '../../shared/frame/pixel-set.ts'
import type { TraceTile } from '../../shared/protocol/messages.ts'
import { unpackCells } from '../../shared/protocol/node/cell-packing.ts'
import { PartSender } from '../../shared/protocol/part-transfer.ts'
import { WORKS_HELD } from '../../shared/protocol/version.ts'
import { manifestBytes } from '../../shared/scene/manifest.ts'
import { paint } from '../support/memory-cluster.ts'
import { sceneUnder } from '../support/moving-scene.ts'
import { held, orderOf, rect, scene, settle, startWorker, view } from './support/by-hand.ts'

/** The same in another light. */
const lit = sceneUnder(7)

describe('a worker that is sent a tile', () => {
  it('answers with its pixels and times, or those of the pattern in it', async () => {
    const { pool, answers, order } = await startWorker()
    const pattern: PixelPattern = { kind: 'lattice', stepX: 4, stepY: 3, dx: 1, dy: 2 }
    await order(orderOf({ lease: 1 }), orderOf({ lease: 2, pattern }))
    expect(pool.asked.map(({ order: { tile } }) => tile)).toEqual([{ rect }, { rect, pattern }])
    expect(pool.asked.map(({ order }) => [order.scene, order.view])).toEqual([
      [scene, view],
      [scene, view],
    ])
    for (const { finish } of pool.asked) finish()
    await settle()
    expect(answers.map(({ lease }) => lease)).toEqual([1, 2])
    expect(answers.map(answer => answer.rect)).toEqual([rect, rect])
    for (const [i, answer] of answers.entries()) {
      expect(Buffer.compare(answer.body, paint(view, pool.asked[i]!.order.tile))).toBe(0)
      expect(answer.rawBytes).toBe(answer.body.length)
      expect(answer.times).toEqual({
        waitMs: expect.any(Number),
        wallMs: 0,
        cpuMs: expect.closeTo(answer.rawBytes / 3000, 5),
        encodeMs: expect.any(Number),
      })
    }
  })

  it('tells what cells cost when it is asked', async () => {
    const { pool, answers, order } = await startWorker()
    await order(orderOf({ cell: 8 }))
    pool.asked[0]!.finish()
    await settle()
    const { times, body, cells } = answers[0]!
    expect(times.work).toBeGreaterThan(0)
    expect(Buffer.compare(body, paint(view, { rect }))).toBe(0)
    const { costs, depths } = unpackCells(cells!, rect, 8, times.cpuMs)
    expect(costs).toHaveLength(9)
    // Columns of 5, 8 and 7 px, rows of 3, 8 and 1; all pixels are alike.
    expect(costs[0]! / costs[4]!).toBeCloseTo(15 / 64, 1)
    expect(costs.reduce((sum, cost) => sum + cost)).toBeCloseTo(times.cpuMs)
    // Of the cells' centres (4, 12, 20; 4, 12, 20) only (4, 12), (12, 12) and (20, 12) are pixels of the tile.
    expect([...depths].map(depth => Number.isNaN(depth))).toEqual([
      ...[true, true, true],
      ...[false, false, false],
      ...[true, true, true],
    ])
  })

  it('answers in two parts when it is asked to, the first before the second is done', async () => {
    const { pool, answers, order } = await startWorker()
    await order(orderOf({ part: 5, cell: 8 }))
    expect(pool.asked.map(({ order: { tile } }) => tile.rect)).toEqual([
      { ...rect, h: 5 },
      { ...rect, y: 10, h: 7 },
    ])
    pool.asked[0]!.finish()
    await settle()
    expect(answers.map(answer => [answer.rect.y, answer.rect.h, answer.times.more])).toEqual([[5, 5, true]])
    pool.asked[1]!.finish()
    await settle()
    expect(answers.map(answer => [answer.rect.y, answer.rect.h, answer.times.more])).toEqual([
      [5, 5, true],
      [10, 7, undefined],
    ])
    for (const answer of answers) {
      const { body, times, cells } = answer
      expect(Buffer.compare(body, paint(view, { rect: answer.rect }))).toBe(0)
      expect(() => unpackCells(cells!, answer.rect, 8, times.cpuMs)).not.toThrow()
    }
  })

  it('answers once where the first part is all of it', async () => {
    const { pool, answers, order } = await startWorker()
    await order(orderOf({ part: 12 }))
    for (const { finish } of pool.asked) finish()
    await settle()
    expect(answers.map(answer => [answer.rect, answer.times.more])).toEqual([[rect, undefined]])
  })

  it('keeps the view of a work for its later tiles', async () => {
    const { pool, said, order } = await startWorker()
    const later = ({ view: _, ...rest }: TraceTile): TraceTile => rest
    for (let work = 0; work <= WORKS_HELD; work++) await order(orderOf({ lease: work, work }))
    await order(later(orderOf({ lease: 100, work: 1 })))
    expect(pool.asked.at(-1)?.order.view).toEqual(view)
    expect(said).toEqual([])
  })

  it('gives all tiles of a work up at once, and no others', async () => {
    const { pool, answers, said, order } = await startWorker()
    await order(orderOf({ lease: 1, work: 1 }), orderOf({ lease: 2, work: 2 }), orderOf({ lease: 3, work: 1, part: 5 }))
    await order({ type: 'cancel-work', work: 1 })
    expect(pool.asked.map(({ progress }) => progress.stopped)).toEqual([true, false, true, true])
    for (const { finish } of pool.asked) finish()
    await settle()
    expect([answers.map(({ lease }) => lease), said]).toEqual([[2], []])
  })

  it('has it traced by the area that it is for', async () => {
    const { pool, other, answers, order } = await startWorker()
    await order(orderOf({ lease: 1, area: 1 }))
    expect([pool.asked.length, other.asked.length]).toEqual([0, 1])
    other.asked[0]!.finish()
    await settle()
    expect(answers.map(({ lease }) => lease)).toEqual([1])
  })

  it('hands on which samples and what of each pixel are wanted', async () => {
    const { pool, order } = await startWorker()
    await order(orderOf({ samples: { from: 1, to: 2 }, channels: ['light'] }))
    expect(pool.asked[0]!.order).toMatchObject({ samples: { from: 1, to: 2 }, channels: ['light'] })
  })

  it('shows that an area advances, for each tile that it has', async () => {
    const { pool, other, said, order, tick } = await startWorker()
    await order(orderOf({ lease: 1 }), orderOf({ lease: 2 }), orderOf({ lease: 3, area: 1 }))
    pool.asked[0]!.progress.take(() => 2)
    tick()
    await settle()
    // Most tiles are over before they need a sign.
    expect(said).toEqual([])
    pool.asked[0]!.progress.take(() => 4)
    tick()
    await settle()
    expect(said).toEqual([
      { type: 'tile-progress', lease: 1, rows: 6 },
      { type: 'tile-progress', lease: 2 },
    ])
    // Nothing was begun since.
    tick()
    other.asked[0]!.progress.take(() => 1)
    tick()
    await settle()
    expect(said.slice(2)).toEqual([{ type: 'tile-progress', lease: 3, rows: 1 }])
  })

  it('shows that it advances within a row, and shows nothing of one that hangs', async () => {
    const { pool, said, order, tick } = await startWorker()
    await order(orderOf({ part: 5 }))
    const [, second] = pool.asked
    second!.progress.take(() => 1)
    for (const isAtWork of [true, true, false, true]) {
      if (isAtWork) second!.progress.advance()
      tick()
      await settle()
    }
    const sign = { type: 'tile-progress', lease: 7 }
    expect(said).toEqual([sign, sign])
  })

  it('shows progress for an accelerator that waits for the CPU, as long as that advances', async () => {
    const { pool, other, said, order, tick } = await startWorker()
    await order(orderOf({ lease: 1 }), orderOf({ lease: 2, area: 1 }))
    tick()
    pool.asked[0]!.progress.advance()
    tick()
    other.waitsForCpu = true
    pool.asked[0]!.progress.advance()
    tick()
    tick()
    await settle()
    const sign = (lease: number) => ({ type: 'tile-progress', lease })
    expect(said).toEqual([sign(1), sign(1), sign(2)])
  })

  it('shows progress while a scene is built in its way, for two minutes', async () => {
    const { pool, said, scenes, order, tick } = await startWorker()
    await order(orderOf())
    let go = () => {}
    pool.loading = new Promise(resolve => {
      go = resolve
    })
    await order({ type: 'use-scene', scene: lit.hash, manifest: lit.manifest })
    for (const [part, bytes] of lit.parts) scenes.parts.put(part, bytes)
    const building = scenes.build(lit.hash)
    for (let looks = 0; looks < 70; looks++) tick()
    await settle()
    expect(said.filter(({ type }) => type === 'tile-progress')).toHaveLength(60)
    go()
    await building
    tick()
    await settle()
    expect(said.filter(({ type }) => type === 'tile-progress')).toHaveLength(60)
  })

  it('says once that it failed, and gives the other part up', async () => {
    const { pool, answers, said, order } = await startWorker()
    await order(orderOf({ part: 5 }))
    pool.asked[0]!.finish(new Error('no light'))
    await settle()
    expect(said).toEqual([{ type: 'tile-failed', lease: 7, reason: 'no light' }])
    expect(pool.asked[1]!.progress.stopped).toBe(true)
    pool.asked[1]!.finish(new Error('no light'))
    await settle()
    expect([said.length, answers.length]).toEqual([1, 0])
  })

  it('says nothing more of it when it is cancelled, before it begins or in the midst of it', async () => {
    const { pool, answers, said, order } = await startWorker()
    await order(orderOf({ part: 5 }), orderOf({ lease: 8 }))
    pool.asked[0]!.finish()
    await order({ type: 'cancel-tile', lease: 7 }, { type: 'cancel-tile', lease: 8 })
    expect(pool.asked.map(({ progress }) => progress.stopped)).toEqual([true, true, true])
    pool.asked[1]!.finish()
    pool.asked[2]!.finish(new Error('cancelled'))
    await settle()
    expect(said).toEqual([])
    expect(answers.map(answer => [answer.lease, answer.times.more])).toEqual([[7, true]])
    // The same lease number may come again, in another session.
    await order(orderOf())
    pool.asked[3]!.finish()
    await settle()
    expect(answers).toHaveLength(2)
  })

  it('gives everything up when the connection ends', async () => {
    const { pool, master, order } = await startWorker()
    await order(orderOf({ part: 5 }), orderOf({ lease: 8 }))
    master.terminate()
    await settle()
    expect(pool.asked.map(({ progress }) => progress.stopped)).toEqual([true, true, true])
  })
})

describe('a tile of a scene that was dropped while its master said to use it', () => {
  const bytes = manifestBytes(held.manifest)

  /** The master does not know yet that the scene is not here any more. */
  async function dropped() {
    // There is room for one scene, and for the parts that two have in common.
    const worker = await startWorker(bytes + 10, 4 * bytes + 40)
    const { scenes, order, said } = worker
    await order({ type: 'release-scene', scene })
    scenes.use(lit.hash, lit.manifest)
    for (const part of scenes.missing(lit.hash)) scenes.parts.put(part, lit.parts.get(part)!)
    await scenes.build(lit.hash)
    scenes.release(lit.hash)
    await order({ type: 'use-scene', scene, manifest: held.manifest, built: true }, orderOf(), orderOf({ lease: 8 }))
    const look = held.manifest.parts[0]!.sha256
    expect(said).toEqual([
      { type: 'scene-dropped', scene },
      { type: 'parts-wanted', scene, parts: [look] },
    ])
    said.length = 0
    const sendParts = async () => {
      new PartSender(worker.master).send(held, [look])
      while (!scenes.isBuilt(scene)) await settle()
      await settle()
    }
    return { ...worker, sendParts }
  }

  it('is traced when it is built again', async () => {
    const { pool, answers, said, tick, sendParts } = await dropped()
    expect(pool.asked).toEqual([])
    tick()
    await settle()
    // Nobody is to take it for lost meanwhile.
    expect(said).toEqual([7, 8].map(lease => ({ type: 'tile-progress', lease })))
    await sendParts()
    expect(pool.asked.map(({ order }) => order.scene)).toEqual([scene, scene])
    for (const { finish } of pool.asked) finish()
    await settle()
    expect(answers.map(({ lease }) => lease)).toEqual([7, 8])
    expect(said.map(({ type }) => type)).not.toContain('tile-failed')
  })

  it('is not traced if it is cancelled before', async () => {
    const { pool, said, order, sendParts } = await dropped()
    await order({ type: 'cancel-tile', lease: 7 }, { type: 'trim-tile', lease: 8, rows: 3 })
    await sendParts()
    expect(pool.asked.map(({ progress }) => progress.wanted)).toEqual([3])
    expect(said.map(({ type }) => type)).not.toContain('tile-failed')
  })

  it('is given back if its worker leaves', async () => {
    const { said, leave } = await dropped()
    await leave()
    expect(said).toEqual([{ type: 'leaving', reason: 'no more power', keeps: [] }])
  })

  it('fails if the scene is not to be had any more', async () => {
    const { said, order } = await dropped()
    await order({ type: 'release-scene', scene })
    const reason = `scene ${scene.slice(0, 12)} is not held here`
    expect(said).toEqual([7, 8].map(lease => ({ type: 'tile-failed', lease, reason })))
  })
})

describe('a tile of which fewer rows are wanted', () => {
  it('is shorter, whether it waits or has begun; one that is done is not', async () => {
    const { pool, answers, order } = await startWorker()
    await order(orderOf({ lease: 1 }), orderOf({ lease: 2 }))
    const [one, two] = pool.asked
    one!.progress.take(() => 4)
    await order({ type: 'trim-tile', lease: 1, rows: 6 }, { type: 'trim-tile', lease: 2, rows: 2 })
    one!.finish()
    two!.finish()
    await order({ type: 'trim-tile', lease: 1, rows: 1 })
    expect(answers.map(answer => [answer.lease, answer.rect.h, answer.rawBytes])).toEqual([
      [1, 6, 6 * 20 * 3],
      [2, 2, 2 * 20 * 3],
    ])
  })

  /** What happens: so many rows are taken, a part is finished, or fewer rows are wanted. */
  const anyEvent = fc.oneof(
    fc.record({ type: fc.constant('take' as const), rows: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ type: fc.constant('trim' as const), rows: fc.integer({ min: 0, max: 14 }) }),
    fc.record({ type: fc.constant('finish' as const), rows: fc.constant(0) }),
  )

  it('is answered once, with all rows that were wanted or begun, whenever the trim comes', async () => {
    const anyCase = fc.tuple(fc.option(fc.integer({ min: 1, max: 13 }), { nil: undefined }), fc.array(anyEvent))
    await fc.assert(
      fc.asyncProperty(anyCase, async ([part, events]) => {
        const { pool, answers, order } = await startWorker()
        await order(orderOf(part === undefined ? {} : { part }))
        const open = [...pool.asked]
        let wanted = rect.h
        for (const event of events) {
          const current = open[0]
          if (event.type === 'trim') {
            await order({ type: 'trim-tile', lease: 7, rows: event.rows })
            if (answers.every(answer => answer.times.more)) wanted = Math.min(wanted, Math.max(event.rows, 1))
          } else if (event.type === 'take') current?.progress.take(() => event.rows)
          else if (current) {
            // Threads go on until nothing is left to take.
            while (current.progress.take(() => 3)) {}
            open.shift()?.finish()
            await settle()
          }
        }
        for (const { progress, finish } of open) {
          while (progress.take(() => 3)) {}
          finish()
          await settle()
        }
        const rows = answers.reduce((sum, answer) => sum + answer.rect.h, 0)
        let y = rect.y
        for (const answer of answers) {
          if (answer.rect.y !== y || answer.rect.x !== rect.x || answer.rect.w !== rect.w) return false
          if (Buffer.compare(answer.body, paint(view, { rect: answer.rect })) !== 0) return false
          y += answer.rect.h
        }
        const more = answers.map(answer => answer.times.more === true)
        return more.every((flag, i) => flag === i < answers.length - 1) && rows >= wanted && rows <= rect.h
      }),
      { numRuns: 60 },
    )
  })
})
