import { describe, expect, it } from 'vitest'
import { scatter } from '../../../master/strategies/scatter.ts'
import { forEachRun, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../../shared/session/strategy-options.ts'
import { frameInput } from '../../support/frame-input.ts'
import { team } from '../../support/strategy-run.ts'

const plan = (options: Partial<StrategyOptions>, speeds: readonly number[] = [1, 1, 1]) =>
  scatter.plan(
    frameInput({ size: [70, 41], workers: team(speeds), options: { ...DEFAULT_STRATEGY_OPTIONS, ...options } }),
  ).tiles

/** Whose pixel it is, row by row. */
const owners = (tiles: ReturnType<typeof plan>) => {
  const owned = Array<string>(70 * 41)
  for (const tile of tiles)
    forEachRun(tile, (x, y, length) => owned.fill(tile.worker!, y * 70 + x, y * 70 + x + length))
  return owned
}

describe('scatter', () => {
  it('is F(i) = i mod p over pixels', () => {
    owners(plan({ scatter: 'pixel' })).forEach((owner, i) => {
      if (owner !== `w${(i % 3) + 1}`) expect.fail(`pixel ${i} is of ${owner}`)
    })
  })

  it('is F(i) = i mod p over rows', () => {
    owners(plan({ scatter: 'row' })).forEach((owner, i) => {
      if (owner !== `w${(Math.floor(i / 70) % 3) + 1}`) expect.fail(`pixel ${i} is of ${owner}`)
    })
  })

  it('is F(i) = i mod p over tiles of 16 px, or as asked for, counted row by row', () => {
    for (const [side, tiles] of [
      [16, plan({})],
      [7, plan({ tile: 7 })],
    ] as const) {
      const columns = Math.ceil(70 / side)
      owners(tiles).forEach((owner, i) => {
        const cell = Math.floor(Math.floor(i / 70) / side) * columns + Math.floor((i % 70) / side)
        if (owner !== `w${(cell % 3) + 1}`) expect.fail(`pixel ${i} is of ${owner}`)
      })
    }
  })

  it('is one tile for each worker, and for unequal workers one for each turn', () => {
    expect(plan({})).toHaveLength(3)
    const tiles = plan({ scatter: 'pixel' }, [1, 0.5, 0, 0.5])
    expect(tiles.map(tile => tile.worker)).toEqual(['w1', 'w2', 'w4', 'w1'])
    for (const tile of tiles) expect(pixelCount(tile)).toBeCloseTo((70 * 41) / 4, -1)
  })
})
