import { describe, expect, it } from 'vitest'
import { diffusion } from '../../../master/strategies/diffusion.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { type CostAt, playFrames, team } from '../../support/strategy-run.ts'

const rectsAfter = (frames: number, size: Size, speeds: readonly number[], costAt: CostAt) =>
  playFrames(diffusion, { size, frames: Array(frames).fill({ workers: team(speeds), costAt }) })
    .at(-1)!
    .plan.tiles.map(tile => tile.rect)

describe('diffusion', () => {
  it('begins with tiles as square as can be, in proportion to speeds', () => {
    expect(rectsAfter(1, [400, 200], [1, 1, 1, 1, 1, 1, 1, 1], () => 1).map(({ w, h }) => [w, h])).toEqual(
      Array(8).fill([100, 100]),
    )
    expect(rectsAfter(1, [400, 100], [3, 1, 0, 4], () => 1).map(({ w }) => w)).toEqual([150, 50, 200])
  })

  it('moves the edge between two by α times what they differ by', () => {
    const [left, right] = rectsAfter(2, [200, 50], [1, 1], x => (x < 100 ? 3 : 1))
    // Nobody has more than one neighbour: α = 1/2. Of 15000 and 5000 half the difference is 33 columns of 150.
    expect([left!.w, right!.w]).toEqual([67, 133])
  })

  it('moves edges of those only whose neighbours have more or less than they', () => {
    const widths = rectsAfter(2, [600, 20], [1, 1, 1, 1, 1, 1], x => (x < 100 ? 5 : 1)).map(rect => rect.w)
    // α = 1/3: 5 − 1 flows by a third, 4/3 of the 5 that 100 columns cost.
    expect(widths).toEqual([73, 127, 100, 100, 100, 100])
  })

  it('moves the edges of whole bands, too', () => {
    const before = rectsAfter(1, [100, 100], [1, 1, 1, 1], () => 1)
    const after = rectsAfter(2, [100, 100], [1, 1, 1, 1], (_, y) => (y < 50 ? 4 : 1))
    expect(before.map(({ w, h }) => [w, h])).toEqual(Array(4).fill([50, 50]))
    expect(after.map(({ w, h }) => [w, h])).toEqual([
      [50, 38],
      [50, 38],
      [50, 62],
      [50, 62],
    ])
  })

  it('comes to rest where nobody has more than a neighbour, also among unequals', () => {
    const costAt: CostAt = (x, y) => 1 + x / 40 + y / 20
    const run = playFrames(diffusion, {
      size: [240, 120],
      frames: Array(60).fill({ workers: team([1, 0.5, 1, 0.25, 1, 1]), costAt }),
    })
    const times = run.at(-1)!.tiles.map(tile => tile.wallMs)
    expect(Math.max(...times) / Math.min(...times)).toBeLessThan(1.1)
  })
})
