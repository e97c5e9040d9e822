import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areasThatPay } from '../../../master/sessions/areas-that-pay.ts'
import { type AreaId, areaId } from '../../../shared/ids.ts'

const worker = (id: string, speed = 1, workerId?: string) => ({ id, speed, ...(workerId ? { workerId } : {}) })
const eight = Array.from({ length: 8 }, (_, i) => worker(`w${i + 1}`))
const nobody = { leastShare: 0, claims: new Map<AreaId, number>(), before: new Set<string>() }
const names = (areas: readonly { readonly id: string }[]) => areas.map(({ id }) => id).join(' ')

describe('areas that pay for a frame', () => {
  it.each([
    [0, 1, 'w1'],
    [4, 1, 'w1'],
    [5, 1, 'w1 w2'],
    [12, 1, 'w1 w2 w3'],
    [12, 2, 'w1 w2'],
    // A trip too short to be measured counts as half a millisecond.
    [12, 0, 'w1 w2 w3 w4 w5 w6'],
    [1000, 1, names(eight)],
  ])('trace for four round trips each: %d ms of work, %d ms a trip', (workMs, roundTripMs, expected) => {
    expect(names(areasThatPay(eight, { workMs, roundTripMs, ...nobody }))).toBe(expected)
  })

  it('are those that nobody else has, then those that had the frame before, then the fastest, in their order', () => {
    const claims = new Map([
      [areaId('w1'), 1],
      [areaId('w2'), 2],
    ])
    const before = new Set(['w1', 'w7'])
    const areas = [...eight, worker('quick', 2)]
    const some = (workMs: number) => names(areasThatPay(areas, { ...nobody, workMs, roundTripMs: 1, claims, before }))
    expect(some(4)).toBe('w7')
    expect(some(12)).toBe('w7 quick')
    expect(some(16)).toBe('w3 w7 quick')
    expect(some(36)).toBe('w1 w3 w4 w5 w6 w7 w8 quick')
  })

  it.each([
    [0.125, 'w1'],
    [0.126, 'w1 w2'],
    [0.5, 'w1 w2 w3 w4'],
    [1, names(eight)],
  ])('are at least a share of %d of all', (leastShare, expected) => {
    expect(names(areasThatPay(eight, { ...nobody, workMs: 1, roundTripMs: 1, leastShare }))).toBe(expected)
  })

  it('are a share of the speed of all, not of their number', () => {
    const areas = [...eight, worker('quick', 100)]
    const half = (claimed: readonly string[]) =>
      names(
        areasThatPay(areas, {
          ...nobody,
          workMs: 1,
          roundTripMs: 1,
          leastShare: 0.5,
          claims: new Map(claimed.map(id => [areaId(id), 1])),
        }),
      )
    expect(half([])).toBe('quick')
    // The others are not half of it.
    expect(half(['quick'])).toBe(names(areas))
  })

  it('are all of a worker or none', () => {
    const areas = [worker('a', 1, 'a'), worker('b', 1, 'b'), worker('a.2', 6, 'a'), worker('b.2', 1, 'b')]
    expect(names(areasThatPay(areas, { workMs: 20, roundTripMs: 1, ...nobody }))).toBe('a a.2')
  })

  it('have a speed, and are together fast enough or all', () => {
    const speed = fc.constantFrom(0, 0.2, 1, 7)
    const given = fc.record({
      speeds: fc.array(speed, { minLength: 1, maxLength: 20 }).filter(speeds => speeds.some(one => one > 0)),
      workMs: fc.double({ min: 0, max: 200, noNaN: true }),
      roundTripMs: fc.double({ min: 0, max: 5, noNaN: true }),
    })
    fc.assert(
      fc.property(given, ({ speeds, workMs, roundTripMs }) => {
        const areas = speeds.map((speed, i) => worker(`w${i}`, speed))
        const chosen = areasThatPay(areas, { workMs, roundTripMs, ...nobody })
        const sum = chosen.reduce((total, { speed }) => total + speed, 0)
        expect(sum).toBeGreaterThan(0)
        if (chosen.length < areas.length)
          expect(workMs).toBeLessThanOrEqual(sum * 4 * Math.max(roundTripMs, 0.5) * (1 + 1e-12))
        // In their order, each once.
        expect(areas.filter(area => chosen.includes(area))).toEqual(chosen)
      }),
    )
  })
})
