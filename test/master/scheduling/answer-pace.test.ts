import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerPace } from '../../../master/scheduling/answer-pace.ts'

describe('the pace of answers', () => {
  it('is that of all time over all cost, and unknown before', () => {
    const pace = new AnswerPace()
    expect(pace.isKnown).toBe(false)
    pace.took(10, 30)
    pace.took(30, 50)
    expect([pace.isKnown, pace.msPerCost]).toEqual([true, 2])
  })

  it('is surer the more answers agree, and as unsure as they differ', () => {
    const [steady, uneven] = [new AnswerPace(), new AnswerPace()]
    for (let i = 0; i < 100; i++) {
      steady.took(10, 20)
      uneven.took(10, i % 2 === 0 ? 14 : 26)
    }
    expect(steady.spread).toBeLessThan(0.03)
    expect(uneven.spread).toBeCloseTo(0.3, 2)
    const first = new AnswerPace()
    first.took(10, 20)
    expect(first.spread).toBeGreaterThan(0.15)
  })

  it('has a spread whatever comes', () => {
    const answers = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
      {
        minLength: 1,
      },
    )
    fc.assert(
      fc.property(answers, all => {
        const pace = new AnswerPace()
        for (const [cost, ms] of all) pace.took(cost, ms)
        return pace.isKnown && pace.spread >= 0
      }),
    )
  })
})
