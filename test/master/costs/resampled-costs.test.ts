import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { enlarge } from '../../../master/costs/resampled-costs.ts'

describe('a small picture’s costs', () => {
  it('lie at the same places of a large one', () => {
    const picture = new CostMap([16, 8], 4)
    picture.costs.set([0, 16, 0, 0, 0, 0, 32, 0])
    picture.depths.set([1, 2, 3, 4, 5, 6, 7, 8])
    const map = enlarge(picture, [160, 80], 8)
    const at = (x: number, y: number) => Math.floor(y / 8) * map.columns + Math.floor(x / 8)
    expect(map.costs[at(60, 20)]).toBe(64)
    expect(map.costs[at(100, 60)]).toBe(128)
    expect(map.costs[at(20, 20)]).toBe(0)
    expect(map.depths[at(60, 20)]).toBe(2)
    expect(map.depths[at(100, 60)]).toBe(7)
  })

  it('are as much per pixel wherever all pixels cost the same, at any size', () => {
    const side = fc.integer({ min: 1, max: 90 })
    fc.assert(
      fc.property(side, side, fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }), (a, b, w, h) => {
        const picture = new CostMap([a, b], 4)
        for (let row = 0; row < picture.rows; row++)
          for (let column = 0; column < picture.columns; column++)
            picture.costs[row * picture.columns + column] = 3 * picture.area(column, row)
        expect(enlarge(picture, [w, h], 8).total).toBeCloseTo(3 * w * h, 4)
      }),
    )
  })
})
