/** What every rule within a worker promises. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withinByName, withins } from '../../master/strategies/within/index.ts'
import { areaId } from '../../shared/ids.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { FLAT, WITHIN_NAMES } from '../../shared/session/strategy-words.ts'
import { adjust } from '../support/devices.ts'

const anyMeasure = fc.record({
  busyMs: fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e9, noNaN: true })),
  work: fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e15, noNaN: true })),
})

describe.each(withins.map(({ name }) => name))('%s', name => {
  const within = withinByName(name as (typeof WITHIN_NAMES)[number])!

  it('gives shares that are none below 0 and together 1, whatever was measured', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 9 }),
        fc.array(fc.array(anyMeasure, { minLength: 9, maxLength: 9 }), { maxLength: 5 }),
        fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
        (speeds, frames, withinStart) => {
          const areas = speeds.map((speed, i) => ({ id: areaId(`a${i}`), speed }))
          const options = { ...DEFAULT_STRATEGY_OPTIONS, ...(withinStart === undefined ? {} : { withinStart }) }
          let division = within.divide({ areas, options })
          for (const measured of [...frames, []]) {
            expect(division.shares).toHaveLength(areas.length)
            expect(Math.min(...division.shares)).toBeGreaterThanOrEqual(0)
            expect(division.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
            const { shares, memory } = division
            const input = {
              areas,
              options,
              previous: { shares, measured: measured.slice(0, areas.length), frames: 1, memory },
            }
            if (measured.length === 0) break
            division = within.divide(input)
            expect(within.divide(input)).toEqual(division)
          }
        },
      ),
    )
  })

  it('begins with declared speeds, or with the share that the accelerators were given', () => {
    const devices = [{ speed: 1 }, { speed: 2 }, { speed: 5 }]
    expect(adjust(within, devices, 1)[0]!.shares).toEqual(
      name === 'cpu-load' ? [0.125, 0.4375, 0.4375] : [0.125, 0.25, 0.625],
    )
    for (const withinStart of [0, 0.5, 1])
      expect(adjust(within, devices, 1, { withinStart })[0]!.shares[0]).toBeCloseTo(1 - withinStart)
  })

  it('leaves shares alone that are right', () => {
    const seen = adjust(within, [{ speed: 1 }, { speed: 9, rate: 8.1 }], 10, { withinStart: 0.9 })
    for (const { shares } of seen) expect(Math.abs(shares[1]! - 0.9)).toBeLessThan(0.02)
  })
})

it('knows every rule by the name that options have, and none for areas that are workers', () => {
  for (const name of WITHIN_NAMES) expect(withinByName(name)?.name).toBe(name === FLAT ? undefined : name)
})
