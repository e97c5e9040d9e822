import { describe, expect, it } from 'vitest'
import { cpuLoad, shift } from '../../../../master/strategies/within/cpu-load.ts'
import { adjust, adjustmentsUntil } from '../../../support/devices.ts'

/** Of the paper's experiment: 87 % for the accelerator is best. */
const PAPER = [{ speed: 1 }, { speed: 0.87 / 0.13 }]

describe('cpu-load', () => {
  it.each([
    [1, 3, 4],
    [0.75, 4, 4],
    [0.5, 5, 40],
    [0, 120, 180],
  ])('reaches the share of the paper from %f in %i to %i adjustments', (withinStart, least, most) => {
    const seen = adjust(cpuLoad, PAPER, 300, { withinStart })
    const adjustments = adjustmentsUntil(seen, 0.8815, 0.0065)
    expect(adjustments).toBeGreaterThanOrEqual(least)
    expect(adjustments).toBeLessThanOrEqual(most)
  })

  it('stays where it is while the CPU is busy 85 to 95 % of the time', () => {
    for (const load of [0.85, 0.9, 0.95]) expect(shift(load, 0.6)).toBe(0)
    expect(shift(0.96, 0.6)).toBeGreaterThan(0)
    expect(shift(0.84, 0.6)).toBeLessThan(0)
  })

  it('shifts the more the further the load is off, and carefully where the accelerator has little', () => {
    expect(shift(1, 0.6)).toBeGreaterThan(shift(0.97, 0.6))
    expect(shift(0.2, 0.6)).toBeLessThan(shift(0.6, 0.6))
    expect(shift(1, 0.05)).toBeLessThan(shift(1, 0.6) / 10)
  })

  it('gives several accelerators equal parts', () => {
    const [first] = adjust(cpuLoad, [{ speed: 1 }, { speed: 2 }, { speed: 6 }], 1)
    expect(first!.shares[1]).toBe(first!.shares[2])
  })
})
