import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TileProgress } from '../../worker/tile-progress.ts'

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
