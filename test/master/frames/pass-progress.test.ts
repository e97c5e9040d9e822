import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { PassProgress } from '../../../master/frames/pass-progress.ts'
import { areaId, leaseId } from '../../../shared/ids.ts'

const rect = (y: number, h: number) => ({ rect: { x: 0, y, w: 16, h } })
const tiles = [rect(0, 16), rect(16, 16)].map(tile => ({ ...tile, worker: areaId('a') }))
/** All of it costs 1, but for the lower half, which costs 3. */
const predicted = new CostMap([16, 32], 8).withCosts(i => (i < 4 ? 1 : 3))
const [first, second] = [leaseId(1), leaseId(2)]

/** With both tiles out. */
function begun(...plan: ConstructorParameters<typeof PassProgress>): PassProgress {
  const progress = new PassProgress(...plan)
  ;[first, second].forEach((lease, i) => {
    progress.ordered(lease, tiles[i]!)
  })
  return progress
}

describe('how much of a pass is done', () => {
  it('is counted in pixels, or in predicted costs', () => {
    for (const [plan, half] of [
      [{ tiles }, 0.5],
      [{ tiles, predicted }, 0.25],
    ] as const) {
      const progress = begun(plan)
      expect([progress.pixels, progress.share]).toEqual([512, 0])
      progress.placed(first, tiles[0]!)
      expect(progress.share).toBeCloseTo(half)
      progress.placed(second, tiles[1]!)
      expect(progress.share).toBe(1)
    }
  })

  it('is counted in pixels where costs say nothing of them', () => {
    const pattern = { kind: 'lattice', stepX: 2, stepY: 2, dx: 0, dy: 0 } as const
    const progress = begun({ tiles: tiles.map(tile => ({ ...tile, pattern })), predicted })
    progress.placed(first, { ...tiles[0]!, pattern })
    expect([progress.pixels, progress.share]).toEqual([128, 0.5])
  })

  it('counts rows once that a worker says are done, and that then arrive', () => {
    const progress = begun({ tiles })
    progress.said(first, 8)
    expect(progress.share).toBe(0.25)
    progress.placed(first, rect(0, 4))
    expect(progress.share).toBe(0.25)
    progress.placed(first, rect(4, 12))
    expect(progress.share).toBe(0.5)
  })

  it('is not what a worker still does of another pass', () => {
    const progress = begun({ tiles })
    progress.said(leaseId(7), 16)
    expect(progress.share).toBe(0)
  })

  it('never goes back, and never beyond all, whatever is said', () => {
    const events = fc.array(
      fc.record({ lease: fc.integer({ min: 0, max: 3 }), rows: fc.integer({ min: 0, max: 40 }), placed: fc.boolean() }),
    )
    fc.assert(
      fc.property(events, fc.boolean(), (said, known) => {
        const progress = begun(known ? { tiles, predicted } : { tiles })
        for (const lease of [0, 3]) progress.ordered(leaseId(lease), tiles[lease % 2]!)
        let before = 0
        for (const { lease, rows, placed } of said) {
          const tile = tiles[lease % 2]!
          if (placed) progress.placed(leaseId(lease), tile)
          else progress.said(leaseId(lease), rows)
          expect(progress.share).toBeGreaterThanOrEqual(before)
          expect(progress.share).toBeLessThanOrEqual(1)
          before = progress.share
        }
      }),
    )
  })

  it('is nothing of a pass without pixels', () => {
    expect(new PassProgress({ tiles: [] }).share).toBe(0)
  })
})
