import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FREE_SPLITS, settleSplit } from '../../../../master/strategies/trees/split-rules.ts'

const px = fc.nat(4000)

describe('settleSplit', () => {
  it('goes where the costs ask for it when nothing holds it', () => {
    fc.assert(
      fc.property(px, fc.option(px, { nil: undefined }), (goal, last) => settleSplit(goal, last, FREE_SPLITS) === goal),
    )
  })

  it('keeps its share of the last split with damping', () => {
    expect(settleSplit(200, 100, { ...FREE_SPLITS, damping: 0.25 })).toBe(175)
    expect(settleSplit(100, 200, { ...FREE_SPLITS, damping: 0.25 })).toBe(125)
    expect(settleSplit(200, undefined, { ...FREE_SPLITS, damping: 0.25 })).toBe(200)
  })

  it('arrives, with any damping, and never goes beyond', () => {
    fc.assert(
      fc.property(px, px, fc.constantFrom(0.3, 0.9, 0.99), (goal, start, damping) => {
        let at = start
        for (let frame = 0; frame < 1000 && at !== goal; frame++) {
          const next = settleSplit(goal, at, { ...FREE_SPLITS, damping })
          if (Math.abs(next - goal) >= Math.abs(at - goal) || (next - goal) * (at - goal) < 0) return false
          at = next
        }
        return at === goal
      }),
    )
  })

  it('falls on the nearest multiple of the boundary', () => {
    expect([95, 97, 112, 0].map(goal => settleSplit(goal, undefined, { ...FREE_SPLITS, boundary: 16 }))).toEqual([
      96, 96, 112, 0,
    ])
  })

  it('stays where it was when it would move by less than the resistance', () => {
    const rules = { ...FREE_SPLITS, resistance: 8 }
    expect(settleSplit(107, 100, rules)).toBe(100)
    expect(settleSplit(93, 100, rules)).toBe(100)
    expect(settleSplit(108, 100, rules)).toBe(108)
    expect(settleSplit(93, undefined, rules)).toBe(93)
  })
})
