import { describe, expect, it } from 'vitest'
import { splitMerge } from '../../../master/strategies/split-merge.ts'
import { area } from '../../../shared/frame/rect.ts'
import { type CostAt, playFrames, team } from '../../support/strategy-run.ts'

const play = (count: number, costAt: CostAt, frames = 12) =>
  playFrames(splitMerge, {
    size: [128, 64],
    frames: Array(frames).fill({ workers: team(Array(count).fill(1)), costAt }),
  })

describe('split-merge', () => {
  it('begins with halves of halves, at least two for each worker', () => {
    const [first] = play(5, () => 1, 1)
    expect(first!.plan.tiles).toHaveLength(16)
    expect(new Set(first!.plan.tiles.map(tile => area(tile.rect)))).toEqual(new Set([512]))
  })

  it('divides each heavy tile once a frame', () => {
    // All cost is in one tile of four; its quarters are half a share each. Two others become one meanwhile.
    const tiles = play(2, x => (x < 32 ? 1 : 0), 5).map(({ plan }) => plan.tiles.length)
    expect(tiles).toEqual([4, 4, 6, 6, 6])
  })

  it('ends with no tile above half a share and no pair of halves below a quarter of it', () => {
    const { tiles } = play(4, (x, y) => 1 + 20 * Math.exp(-((x - 30) ** 2 + (y - 20) ** 2) / 200)).at(-1)!
    const share = tiles.reduce((sum, tile) => sum + tile.cpuMs, 0) / 4
    expect(Math.max(...tiles.map(tile => tile.cpuMs))).toBeLessThanOrEqual(share / 2)
    expect(tiles.length).toBeLessThanOrEqual(32)
    // The hot spot is in small tiles, the rest in large ones.
    expect(Math.max(...tiles.map(tile => area(tile.rect)))).toBeGreaterThan(
      4 * Math.min(...tiles.map(tile => area(tile.rect))),
    )
  })

  it('rests on a still picture: the same tiles, with the same workers', () => {
    const run = play(6, (x, y) => 1 + ((x * 7 + y * 3) % 11) + (x > 90 ? 12 : 0))
    expect(run.at(-1)!.plan).toEqual(run.at(-2)!.plan)
  })

  it('combines what has become light', () => {
    const workers = team([1, 1, 1])
    const hot =
      (at: number): CostAt =>
      x =>
        Math.abs(x - at) < 8 ? 30 : 1
    const frames = [...Array(8).fill(hot(20)), ...Array(8).fill(hot(110))].map(costAt => ({ workers, costAt }))
    const run = playFrames(splitMerge, { size: [128, 64], frames })
    const leftHalf = (frame: number) => run[frame]!.plan.tiles.filter(tile => tile.rect.x + tile.rect.w <= 64).length
    expect(leftHalf(15)).toBeLessThan(leftHalf(7))
  })
})
