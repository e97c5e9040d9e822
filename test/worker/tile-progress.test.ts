import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SOON_MS, TileProgress } from '../../worker/tile-progress.ts'

describe('the progress of a tile', () => {
  it('gives rows out from the top, once each, to anyone who shares it', () => {
    const progress = TileProgress.of(10)
    const other = new TileProgress(progress.bytes)
    expect(progress.take(() => 4)).toEqual({ from: 0, to: 4 })
    expect(other.take((from, end) => end - from - 1)).toEqual({ from: 4, to: 9 })
    expect(progress.take(() => 4)).toEqual({ from: 9, to: 10 })
    expect([progress.take(() => 4), other.take(() => 4)]).toEqual([undefined, undefined])
    expect(other.begun).toBe(10)
  })

  it('gives nothing more when it is given up', () => {
    const progress = TileProgress.of(10)
    progress.take(() => 4)
    expect(progress.stopped).toBe(false)
    new TileProgress(progress.bytes).stop()
    expect([progress.stopped, progress.take(() => 4), progress.begun]).toEqual([true, undefined, 4])
  })

  it('begins no more rows when its worker leaves, but is not given up', () => {
    const [progress, untouched] = [TileProgress.of(10), TileProgress.of(10)]
    progress.take(() => 4)
    for (const { bytes } of [progress, untouched]) new TileProgress(bytes).leave()
    expect([progress.stopped, progress.isVoid, progress.take(() => 4), progress.begun]).toEqual([
      false,
      false,
      undefined,
      4,
    ])
    expect([untouched.stopped, untouched.isVoid, untouched.take(() => 4)]).toEqual([false, true, undefined])
    progress.stop()
    progress.leave()
    expect([progress.stopped, progress.isVoid]).toEqual([true, true])
  })

  it('begins anew after a thread has failed, with what is still wanted', () => {
    const progress = TileProgress.of(10)
    progress.take(() => 4)
    progress.trim(7)
    new TileProgress(progress.bytes).fail()
    expect([progress.isUseless, progress.stopped, progress.isVoid, progress.take(() => 4)]).toEqual([
      true,
      false,
      false,
      undefined,
    ])
    progress.restart()
    expect([progress.isUseless, progress.take(() => 9), progress.begun]).toEqual([false, { from: 0, to: 7 }, 7])
  })

  it('does not begin anew where it is given up, or its worker leaves, before or after a thread has failed', () => {
    for (const end of ['stop', 'leave'] as const)
      for (const order of [
        ['fail', end],
        [end, 'fail'],
      ] as const) {
        const progress = TileProgress.of(10)
        for (const what of order) progress[what]()
        progress.restart()
        expect([progress.stopped, progress.isVoid, progress.take(() => 4)]).toEqual([end === 'stop', true, undefined])
      }
  })

  it('gives rows back that would take long when its worker leaves, and those below them', () => {
    const progress = TileProgress.of(10, 3)
    const other = new TileProgress(progress.bytes)
    for (const [thread, leftMs] of [
      [0, 0],
      [1, SOON_MS],
      [2, SOON_MS + 1],
      // Done in the meantime.
      [0, 0],
    ] as const)
      other.expect(thread, progress.take(() => 2)!.from, leftMs)
    expect(progress.doneWithin(SOON_MS)).toBe(4)
    expect(progress.doneWithin(SOON_MS + 1)).toBe(8)
    progress.leave()
    expect([progress.begun, progress.rows, progress.isVoid]).toEqual([8, 4, false])
    expect([0, 2, 4, 6].map(from => other.isWanted(from))).toEqual([true, true, false, false])
    // What is said stays true, whatever becomes of them.
    other.expect(2, 4, 0)
    expect(progress.rows).toBe(4)
  })

  it('has nothing left where its first rows would take long', () => {
    const progress = TileProgress.of(10, 2)
    progress.expect(1, progress.take(() => 1)!.from, Number.POSITIVE_INFINITY)
    progress.leave()
    expect([progress.rows, progress.isVoid, progress.isWanted(0)]).toEqual([0, true, false])
  })

  it('knows nothing of threads that it was not made for', () => {
    const progress = TileProgress.of(10, 1)
    progress.expect(1, progress.take(() => 4)!.from, 10_000)
    progress.leave()
    expect(progress.rows).toBe(4)
  })

  it('takes rows back that are not wanted any more', () => {
    const progress = TileProgress.of(10, 2)
    for (let i = 0; i < 3; i++) progress.take(() => 3)
    progress.trim(4)
    expect([0, 3, 6].map(from => progress.isWanted(from))).toEqual([true, true, false])
    progress.giveBack(6)
    expect([progress.rows, progress.begun, progress.take(() => 1)]).toEqual([6, 9, undefined])
    progress.trim(0)
    expect(progress.isWanted(0)).toBe(true)
  })

  it('advances with every portion of work, be it a part of a row', () => {
    const progress = TileProgress.of(1)
    progress.take(() => 1)
    const before = progress.portions
    new TileProgress(progress.bytes).advance()
    expect(progress.portions).not.toBe(before)
  })

  it('is told to those who do not share it', () => {
    const [far, near] = [TileProgress.of(10, 2), TileProgress.of(10, 2)]
    far.take(() => 2)
    far.expect(1, far.take(() => 3)!.from, 60_000)
    near.follow(far.sign())
    expect([near.begun, near.doneWithin(SOON_MS), near.portions]).toEqual([5, 2, far.portions])
    far.expect(1, 2, 0)
    near.follow(far.sign())
    expect([near.begun, near.doneWithin(SOON_MS)]).toEqual([5, 5])
  })

  it('begins anew with what is wanted, and forgets what was given back', () => {
    const progress = TileProgress.of(10, 1)
    progress.expect(0, progress.take(() => 8)!.from, 60_000)
    progress.trim(6)
    progress.giveBack(0)
    progress.restart()
    expect([progress.begun, progress.rows, progress.doneWithin(SOON_MS)]).toEqual([0, 0, 0])
    expect(progress.take(() => 8)).toEqual({ from: 0, to: 6 })
    expect([progress.rows, progress.doneWithin(SOON_MS)]).toEqual([6, 6])
  })

  it('lets no thread pause while its worker leaves', () => {
    const progress = TileProgress.of(10)
    progress.leave()
    // Without that, this would take as long as the test may.
    progress.sleep(600_000)
  })

  it('ends at the lowest row that it was trimmed to, or with the rows that had been begun, but has a row at least', () => {
    const anyEvent = fc.oneof(
      fc.record({ trim: fc.integer({ min: -3, max: 25 }) }),
      fc.record({ take: fc.integer({ min: 1, max: 6 }) }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(anyEvent), (rows, events) => {
        const progress = TileProgress.of(rows)
        let [end, begun] = [rows, 0]
        for (const event of events) {
          if ('trim' in event) {
            progress.trim(event.trim)
            end = Math.min(end, Math.max(1, event.trim))
          } else {
            const taken = progress.take(() => event.take)
            if ((taken === undefined) !== begun >= end) return false
            if (taken && (taken.from !== begun || taken.to !== Math.min(end, begun + event.take))) return false
            begun = taken?.to ?? begun
          }
        }
        while (progress.take(() => 3)) {}
        return progress.begun === Math.max(end, begun)
      }),
    )
  })
})
