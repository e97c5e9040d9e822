import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearestLines } from '../../../../master/strategies/trees/nearest-lines.ts'

it('finds the number of lines that comes nearest to the share', () => {
  const anyCosts = fc.array(fc.constantFrom<number>(0, 1, 2, 5, 0.25, 100), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(anyCosts, fc.constantFrom(1 / 2, 1 / 3, 2 / 3, 0.9), (costs, share) => {
      const total = costs.reduce((sum, cost) => sum + cost, 0)
      if (total === 0) return true
      const off = (lines: number) =>
        Math.abs(costs.slice(0, lines).reduce((sum, cost) => sum + cost, 0) - share * total)
      const found = off(nearestLines(Float64Array.from(costs), share))
      return costs.every((_, i) => found <= off(i) + 1e-9) && found <= off(costs.length) + 1e-9
    }),
  )
})

it('shares the lines themselves where nothing costs anything', () => {
  expect(nearestLines(new Float64Array(12), 1 / 3)).toBe(4)
})

it('gives neither part more than half a line too much on even ground', () => {
  expect(nearestLines(new Float64Array(10).fill(1), 1 / 3)).toBe(3)
  expect(nearestLines(new Float64Array(11).fill(1), 1 / 3)).toBe(4)
})
