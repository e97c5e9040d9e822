import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centreOf } from '../../../shared/scene/centre.ts'

describe('the centre of coordinates', () => {
  it('is the origin for a box near it', () => {
    expect(centreOf([-1, 0, -1], [1, 2, 1])).toEqual([0, 0, 0])
    expect(centreOf([-100, -1, -100], [100, 40, 100])).toEqual([0, 0, 0])
    expect(centreOf([0, 0, 0], [0, 0, 0])).toEqual([0, 0, 0])
  })

  it('is a multiple of a power of two, no farther from the box than that is long', () => {
    const coordinate = fc.double({ min: -1e7, max: 1e7, noNaN: true })
    const side = fc.double({ min: 0, max: 1e4, noNaN: true })
    fc.assert(
      fc.property(fc.tuple(coordinate, coordinate, coordinate), fc.tuple(side, side, side), (min, sides) => {
        const max = min.map((low, axis) => low + sides[axis]!)
        const diagonal = Math.hypot(...min.map((low, axis) => max[axis]! - low))
        const step = 2 ** Math.max(-100, Math.ceil(Math.log2(diagonal)))
        for (const [axis, at] of centreOf(min, max).entries()) {
          expect(Math.abs(at - (min[axis]! + max[axis]!) / 2)).toBeLessThanOrEqual(step / 2 + 1e-9)
          expect(Math.abs((at / step) % 1)).toBe(0)
        }
      }),
    )
  })

  it('is nowhere else for a box without end', () => {
    expect(centreOf([Number.NEGATIVE_INFINITY, 0, 0], [1, 1, 1])).toEqual([0, 0, 0])
    expect(centreOf([Number.NaN, 0, 0], [1, 1, 1])).toEqual([0, 0, 0])
  })
})
