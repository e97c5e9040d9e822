import { describe, expect, it } from 'vitest'
import { pbtSplitMerge } from '../../../master/strategies/pbt-split-merge.ts'
import type { Rect, Size } from '../../../shared/frame/rect.ts'
import { type CostAt, playFrames, team } from '../../support/strategy-run.ts'

const play = (size: Size, speeds: readonly number[], costAt: CostAt, frames: number) =>
  playFrames(pbtSplitMerge, { size, frames: Array(frames).fill({ workers: team(speeds), costAt }) })

describe('pbt-split-merge', () => {
  it('cuts the heaviest leaf in two and makes one of the lightest siblings', () => {
    const run = play([80, 20], [1, 1, 1, 1], x => (x < 20 ? 9 : 1), 2)
    const tiles = run.map(({ plan }) => plan.tiles.map(({ rect, worker }) => `${worker} ${rect.x}+${rect.w}`))
    expect(tiles[0]).toEqual(['w1 0+20', 'w2 20+20', 'w3 40+20', 'w4 60+20'])
    // Cut along its rows where it is higher than wide; w3 keeps what was w4's, who helps w1.
    expect(tiles[1]).toEqual(['w1 0+10', 'w4 10+10', 'w2 20+20', 'w3 40+40'])
    expect(run[1]!.plan.decisions).toEqual({ moved: 1 })
  })

  it('leaves everything where it was when nothing is to be gained', () => {
    const run = play([96, 64], Array(16).fill(1), (x, y) => (x < 24 && y < 16 ? 101 : 1), 10)
    const [last, before] = [run.at(-1)!, run.at(-2)!]
    expect(last.plan.tiles).toEqual(before.plan.tiles)
    expect(last.plan.decisions).toEqual({ moved: 0 })
    const heaviest = Math.max(...last.tiles.map(tile => tile.cpuMs))
    const first = Math.max(...run[0]!.tiles.map(tile => tile.cpuMs))
    expect(heaviest).toBeLessThan(first / 2)
  })

  it('gives a faster worker the larger part', () => {
    const widthOf = (tiles: readonly { worker?: string; rect: Rect }[], id: string) =>
      tiles.find(tile => tile.worker === id)!.rect.w
    const [, second] = play([240, 20], [1, 1, 0.5, 0.5], x => (x < 80 ? 20 : 1), 2)
    const { tiles } = second!.plan
    // One of the slow pair stays with all that both had; the other helps w1 with a third of its leaf.
    expect(widthOf(tiles, 'w1')).toBe(53)
    expect(widthOf(tiles, 'w4')).toBe(27)
    expect(widthOf(tiles, 'w3')).toBe(80)
  })

  it('stops after as many steps as there are leaves, whatever the costs', () => {
    for (const { plan } of play([64, 64], Array(16).fill(1), (x, y) => (x + y === 0 ? 1e6 : 1), 20))
      expect(plan.decisions?.moved ?? 0).toBeLessThanOrEqual(16)
  })
})
