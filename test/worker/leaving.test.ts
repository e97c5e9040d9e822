/** What a worker says and answers when it leaves in good order. */
import { describe, expect, it } from 'vitest'
import { orderOf, rect, settle, startWorker } from './support/by-hand.ts'

describe('a worker that leaves', () => {
  const four = (_: number, end: number) => Math.min(4, end)

  it('keeps the rows that it has begun, and answers those', async () => {
    const { pool, answers, said, order, leave } = await startWorker()
    await order(orderOf({ lease: 1 }), orderOf({ lease: 2 }), orderOf({ lease: 3, part: 4 }))
    pool.asked[0]!.progress.take(four)
    // Of the two parts of the third, the first and some of the second.
    pool.asked[2]!.progress.take(four)
    pool.asked[3]!.progress.take(() => 2)
    await leave()
    const keeps = [
      { lease: 1, rows: 4 },
      { lease: 3, rows: 6 },
    ]
    expect(said).toEqual([{ type: 'leaving', reason: 'no more power', keeps }])
    for (const { finish } of pool.asked) finish()
    await settle()
    const rows = answers.map(({ lease, rect: { y, h }, times }) => [lease, y - rect.y, h, times.more ?? false])
    expect(rows).toEqual([
      [1, 0, 4, false],
      [3, 0, 4, true],
      [3, 4, 2, false],
    ])
    expect(said).toHaveLength(1)
  })

  it('answers the first part alone if nothing of the second was begun', async () => {
    const { pool, answers, said, order, leave } = await startWorker()
    await order(orderOf({ lease: 1, part: 4 }), orderOf({ lease: 2, part: 4 }))
    pool.asked[0]!.progress.take(four)
    pool.asked[2]!.progress.take(four)
    pool.asked[2]!.finish()
    await settle()
    await leave()
    expect(said).toMatchObject([{ keeps: [{ lease: 1, rows: 4 }] }])
    for (const { finish } of pool.asked) finish()
    await settle()
    expect(answers.map(({ lease, rect: { h }, times }) => [lease, h, times.more ?? false])).toEqual([
      [2, 4, true],
      [1, 4, false],
    ])
  })

  it('gives back what would take it long, though it was begun, and what is below that', async () => {
    const { pool, answers, said, order, leave } = await startWorker()
    await order(
      orderOf({ lease: 1 }),
      orderOf({ lease: 2, part: 4 }),
      orderOf({ lease: 3, part: 4 }),
      orderOf({ lease: 4 }),
    )
    const [one, two, below, three, rest, four] = pool.asked.map(({ progress }) => progress)
    const begin = (progress = one, leftMs = 0) => progress!.expect(0, progress!.take(() => 2)!.from, leftMs)
    begin(one)
    begin(one, 60_000)
    // Of the two parts of the second the whole of the first, and a long row of the other.
    for (const leftMs of [0, 0]) begin(two, leftMs)
    begin(below, 60_000)
    for (const leftMs of [0, 60_000]) begin(three, leftMs)
    begin(rest)
    begin(four, 60_000)
    await leave()
    const keeps = [1, 2, 3].map(lease => ({ lease, rows: lease === 2 ? 4 : 2 }))
    expect(said).toEqual([{ type: 'leaving', reason: 'no more power', keeps }])
    for (const { finish } of pool.asked) finish()
    await settle()
    const rows = answers.map(({ lease, rect: { h }, times }) => [lease, h, times.more ?? false])
    expect(rows).toEqual([
      [1, 2, false],
      [2, 4, false],
      [3, 2, false],
    ])
  })

  it('takes nothing that was ordered before the master knew', async () => {
    const { pool, said, order, leave } = await startWorker()
    await leave()
    await order(orderOf({ lease: 1 }))
    expect(pool.asked).toEqual([])
    expect(said).toEqual([{ type: 'leaving', reason: 'no more power', keeps: [] }])
  })

  it('waits so long for its rows and no longer', async () => {
    const { pool, answers, order, leave, tick, ends } = await startWorker()
    await order(orderOf({ lease: 1 }))
    pool.asked[0]!.progress.take(four)
    await leave()
    expect(ends).toEqual([])
    tick()
    await settle()
    expect(ends).toEqual(['no more power'])
    expect(pool.asked[0]!.progress.stopped).toBe(true)
    pool.asked[0]!.finish()
    await settle()
    expect(answers).toEqual([])
  })

  it('is told when the master asks it to', async () => {
    const { order, asked } = await startWorker()
    await order({ type: 'leave', reason: 'drained' })
    expect(asked).toEqual(['drained'])
  })
})
