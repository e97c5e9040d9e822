import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandLine, type Words } from '../../../scripts/options/declare/group.ts'
import { GROUPS, readRun } from '../../../scripts/options/groups/index.ts'
import { resolvePicture } from '../../../scripts/options/picture.ts'
import { OptionError } from '../../../shared/errors.ts'

const passesOf = (words: Words, samples: number) =>
  resolvePicture(readRun('render', { ...words, samples: `${samples}` }), commandLine(GROUPS, 'render')).passes

describe('passes', () => {
  it('are one unless told otherwise, and a few where somebody watches', () => {
    expect(passesOf({}, 16)).toBe(1)
    expect(passesOf({ progressive: true }, 16)).toBe(8)
    expect(passesOf({ progressive: true }, 3)).toBe(3)
    expect(passesOf({ progressive: true, passes: '12' }, 16)).toBe(12)
  })

  it('of adaptive frames are their own business', () => {
    const noise = { noise: '0.02', integrator: 'path' }
    expect(passesOf({ ...noise, progressive: true }, 64)).toBe(1)
    expect(() => passesOf({ ...noise, passes: '2' }, 64)).toThrow(
      '--passes cannot be combined with --noise, whose passes double the samples until it is low',
    )
  })

  it('have a sample each, whatever is said', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1024 }),
        fc.option(fc.integer({ min: 0, max: 1100 }), { nil: undefined }),
        fc.boolean(),
        (samples, asked, progressive) => {
          try {
            const passes = passesOf({ ...(progressive ? { progressive } : {}), passes: asked?.toString() }, samples)
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
