import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pauseMs } from '../../../worker/threads/pacer.ts'

describe('pacing', () => {
  it('stretches CPU time to CPU time over share', () => {
    expect(pauseMs(10, 10, 0.2)).toBe(40)
    expect(pauseMs(10, 30, 0.2)).toBe(20)
  })

  it('never sleeps when late, nor with a whole core', () => {
    expect(pauseMs(10, 80, 0.2)).toBe(0)
    expect(pauseMs(1000, 10, 1)).toBe(0)
  })

  it('makes a tile take its CPU time over the share, whatever its rows cost', () => {
    const anyRows = fc.array(fc.double({ min: 0.01, max: 50, noNaN: true }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(anyRows, fc.constantFrom(0.05, 0.2, 0.5, 0.9), (rows, share) => {
        let [cpu, clock] = [0, 0]
        for (const row of rows) {
          cpu += row
          clock += row
          clock += pauseMs(cpu, clock, share)
        }
        expect(clock).toBeCloseTo(cpu / share, 6)
      }),
    )
  })
})
