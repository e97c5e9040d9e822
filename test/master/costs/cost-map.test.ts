import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CostMap } from '../../../master/costs/cost-map.ts'
import { sampledCosts } from '../../../master/costs/resampled-costs.ts'
import type { Rect, Size } from '../../../shared/frame/rect.ts'

const anyMap: fc.Arbitrary<CostMap> = fc
  .tuple(
    fc.integer({ min: 1, max: 70 }),
    fc.integer({ min: 1, max: 50 }),
    fc.constantFrom(4, 8, 16),
    fc.array(fc.constantFrom(0, 1, 0.3, 700, 1e-6), { minLength: 1, maxLength: 40 }),
  )
  .map(([w, h, cell, costs]) => {
    const map = new CostMap([w, h], cell)
    for (let i = 0; i < map.costs.length; i++) map.costs[i] = costs[(i * 7) % costs.length]!
    return map
  })

const rectIn = ([w, h]: Size): fc.Arbitrary<Rect> =>
  fc.tuple(fc.nat(w - 1), fc.nat(h - 1)).chain(([x, y]) =>
    fc.record({
      x: fc.constant(x),
      y: fc.constant(y),
      w: fc.integer({ min: 1, max: w - x }),
      h: fc.integer({ min: 1, max: h - y }),
    }),
  )

const pixelCost = (map: CostMap, x: number, y: number): number => {
  const [column, row] = [Math.floor(x / map.cell), Math.floor(y / map.cell)]
  return map.costs[row * map.columns + column]! / map.area(column, row)
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 + 1e-9 * Math.abs(b)

describe('a cost map', () => {
  it('that is multiplied keeps its cells and depths, and is another one', () => {
    fc.assert(
      fc.property(anyMap, fc.constantFrom(0, 1, 1024), (map, factor) => {
        map.depths[0] = 3
        const { costs, depths, size, cell } = map.times(factor)
        expect([size, cell, [...depths]]).toEqual([map.size, map.cell, [...map.depths]])
        expect([...costs]).toEqual(Array.from(map.costs, cost => cost * factor))
        costs[0] = 9e9
        expect(map.costs[0]).toBeLessThan(9e9)
      }),
    )
  })
})

describe('the field of a cost map', () => {
  it('sums what its pixels cost, over whole rectangles and by lines', () => {
    const anyCase = anyMap.chain(map => rectIn(map.size).map(rect => ({ map, rect })))
    fc.assert(
      fc.property(anyCase, ({ map, rect }) => {
        const columns = new Float64Array(rect.w)
        const rows = new Float64Array(rect.h)
        let total = 0
        for (let y = 0; y < rect.h; y++) {
          for (let x = 0; x < rect.w; x++) {
            const cost = pixelCost(map, rect.x + x, rect.y + y)
            columns[x]! += cost
            rows[y]! += cost
            total += cost
          }
        }
        const field = map.field()
        return (
          near(field.total(rect), total) &&
          field.profile(rect, 'x').every((cost, i) => cost >= 0 && near(cost, columns[i]!)) &&
          field.profile(rect, 'y').every((cost, i) => cost >= 0 && near(cost, rows[i]!))
        )
      }),
    )
  })

  it('can be sampled into cells again', () => {
    fc.assert(
      fc.property(anyMap, map =>
        sampledCosts(map.field(), map.size, map.cell).costs.every((cost, i) => near(cost, map.costs[i]!)),
      ),
    )
  })
})

describe('sampled costs', () => {
  it('are what a field says of each cell, those at the edges smaller', () => {
    const map = new CostMap([20, 12], 4)
    map.costs.fill(1)
    expect([...sampledCosts(map.field(), [20, 12], 16).costs]).toEqual([12, 3].map(cost => expect.closeTo(cost, 9)))
  })
})
