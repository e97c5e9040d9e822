import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolvePassOptions } from '../../../scripts/options/pass-options.ts'
import { OptionError } from '../../../shared/errors.ts'

const inFlight = '2'

describe('passes', () => {
  it('are one unless told otherwise, and a few where somebody watches', () => {
    expect(resolvePassOptions({ inFlight }, 16)).toEqual({ passes: 1, progressive: false, inFlight: 2 })
    expect(resolvePassOptions({ inFlight, progressive: true }, 16)).toMatchObject({ passes: 8, progressive: true })
    expect(resolvePassOptions({ inFlight, progressive: true }, 3)).toMatchObject({ passes: 3 })
    expect(resolvePassOptions({ inFlight, progressive: true, passes: '12' }, 16)).toMatchObject({ passes: 12 })
  })

  it('of adaptive frames are their own business', () => {
    const noise = '0.02'
    expect(resolvePassOptions({ inFlight, noise, progressive: true }, 64)).toMatchObject({
      passes: 1,
      progressive: true,
    })
    expect(() => resolvePassOptions({ inFlight, noise, passes: '2' }, 64)).toThrow('--passes: expected no --noise')
  })

  it('have a sample each, whatever is said', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1024 }),
        fc.option(fc.integer({ min: 0, max: 1100 }), { nil: undefined }),
        fc.boolean(),
        (samples, asked, progressive) => {
          try {
            const raw = { inFlight, progressive, ...(asked === undefined ? {} : { passes: `${asked}` }) }
            const { passes } = resolvePassOptions(raw, samples)
            expect(passes).toBeGreaterThanOrEqual(progressive ? 2 : 1)
            expect(passes).toBeLessThanOrEqual(samples)
            if (asked !== undefined) expect(passes).toBe(asked)
          } catch (error) {
            expect(error).toBeInstanceOf(OptionError)
            expect(
              asked === 0 || (asked ?? 1) > samples || (progressive && Math.min(asked ?? samples, samples) === 1),
            ).toBe(true)
          }
        },
      ),
    )
  })
})
