import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandLine, type Words } from '../../../scripts/options/declare/group.ts'
import { GROUPS, readRun } from '../../../scripts/options/groups/index.ts'
import { resolvePicture } from '../../../scripts/options/picture.ts'
import { OptionError } from '../../../shared/errors.ts'
import { MAX_SAMPLES } from '../../../shared/frame/frame-limits.ts'

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

  it('of frames with only so much time are, too', () => {
    const time = { time: '10m', integrator: 'path' }
    expect(passesOf({ ...time, progressive: true }, 64)).toBe(1)
    expect(() => passesOf({ ...time, passes: '2' }, 64)).toThrow('--time cannot be combined with --passes')
  })

  it('have as many samples as there may be where nothing but time decides', () => {
    const samplesOf = (words: Words) =>
      resolvePicture(readRun('render', { integrator: 'path', ...words }), commandLine(GROUPS, 'render')).quality.samples
    expect(samplesOf({ time: '1s' })).toBe(MAX_SAMPLES)
    expect(samplesOf({ time: '1s', noise: '0.1' })).toBe(MAX_SAMPLES)
    expect(samplesOf({ time: '1s', samples: '32' })).toBe(32)
  })

  it.each([
    ['90', 90],
    ['90s', 90],
    ['10m', 600],
    ['1.5h', 5400],
    ['.5s', 0.5],
    ['250ms', 0.25],
    ['720h', 2_592_000],
  ])('%s is a time of %d s', (time, seconds) => {
    expect(readRun('render', { time, integrator: 'path' }).time).toBeCloseTo(seconds, 12)
  })

  it.each(['', '0', '0s', '721h', '1d', '1 m', '10m30s', '1e3', '-1s', 's'])("'%s' is none", time => {
    expect(() => readRun('render', { time, integrator: 'path' })).toThrow('--time: expected a time such as 90s')
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
