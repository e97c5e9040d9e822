import { describe, expect, it } from 'vitest'
import { randomTiles } from '../../../master/strategies/random-tiles.ts'
import { pixelCount } from '../../../shared/frame/pixel-set.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../../shared/session/strategy-options.ts'
import { frameInput } from '../../support/frame-input.ts'
import { team } from '../../support/strategy-run.ts'

const plan = (seed: number, speeds: readonly number[]) =>
  randomTiles.plan(
    frameInput({ size: [640, 640], workers: team(speeds), options: { ...DEFAULT_STRATEGY_OPTIONS, tile: 8, seed } }),
  ).tiles

describe('random-tiles', () => {
  it('gives each worker about the share of its speed, in one tile', () => {
    const tiles = plan(1, [2, 1, 0, 1])
    expect(tiles.map(tile => tile.worker)).toEqual(['w1', 'w2', 'w4'])
    const shares = tiles.map(tile => pixelCount(tile) / 640 ** 2)
    // 6400 draws: three standard deviations are less than 0.02.
    for (const [i, share] of [0.5, 0.25, 0.25].entries()) expect(Math.abs(shares[i]! - share)).toBeLessThan(0.02)
  })

  it('draws, and does not deal: equal workers do not get equal numbers of tiles', () => {
    const counts = plan(1, [1, 1, 1, 1]).map(pixelCount)
    expect(new Set(counts).size).toBeGreaterThan(1)
  })

  it('draws otherwise with another seed, and a second time with the same', () => {
    expect(plan(1, [1, 1])).toEqual(plan(1, [1, 1]))
    expect(plan(1, [1, 1])).not.toEqual(plan(2, [1, 1]))
  })
})
