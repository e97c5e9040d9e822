import { describe, expect, it } from 'vitest'
import type { PreviousFrame } from '../../../../master/strategies/strategy.ts'
import { nominalCost, plannedCosts } from '../../../../master/strategies/tiles/tile-costs.ts'
import type { TileReport } from '../../../../shared/frame/frame-report.ts'
import { team } from '../../../support/strategy-run.ts'

const [fast, slow] = team([1, 0.5])
const left = { x: 0, y: 0, w: 8, h: 6 }
const right = { x: 8, y: 0, w: 4, h: 6 }
const report = (x: number, y: number, w: number, h: number, worker: string, ms: number): TileReport => ({
  rect: { x, y, w, h },
  worker,
  cpuMs: ms,
  wallMs: 3 * ms,
})
const previous: PreviousFrame = {
  plan: {
    tiles: [
      { rect: left, worker: fast!.id },
      { rect: right, worker: slow!.id },
    ],
  },
  // The right tile came first; the left one was rescued in two strips, by both.
  tiles: [report(8, 0, 4, 6, 'w2', 5), report(0, 0, 4, 6, 'w1', 2), report(4, 0, 4, 6, 'w2', 3)],
  workers: [fast!, slow!],
}

describe('what planned tiles cost', () => {
  it('is what all their pieces cost, whoever traced them', () => {
    expect([...plannedCosts(previous, 'cpu')]).toEqual([5, 5])
  })

  it('by the wall clock is what a worker of speed 1 would have taken', () => {
    expect([...plannedCosts(previous, 'wall')]).toEqual([6 + 4.5, 7.5])
    expect(nominalCost(previous, 'wall')(previous.tiles[0]!)).toBe(7.5)
    expect(nominalCost(previous, 'cpu')(previous.tiles[0]!)).toBe(5)
  })
})
