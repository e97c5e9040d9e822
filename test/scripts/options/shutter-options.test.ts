import { describe, expect, it } from 'vitest'
import { resolvePassOptions } from '../../../scripts/options/pass-options.ts'
import { resolveShutter } from '../../../scripts/options/shutter-options.ts'
import { OptionError } from '../../../shared/errors.ts'

describe('a shutter', () => {
  it('is closed unless told otherwise, and open for eight moments', () => {
    expect(resolveShutter({}, 2)).toBeUndefined()
    expect(resolveShutter({ shutter: '0' }, 2)).toBeUndefined()
    expect(resolveShutter({ shutter: '0', timeSteps: '16' }, 2)).toBeUndefined()
    expect(resolveShutter({ shutter: '0.5' }, 8)).toEqual({ share: 0.5, steps: 8 })
    expect(resolveShutter({ shutter: '1', timeSteps: '64' }, 100)).toEqual({ share: 1, steps: 64 })
  })

  it.each([
    [{ shutter: '1.5' }, '--shutter: expected a number from 0 to 1'],
    [{ shutter: 'half' }, '--shutter: expected a number from 0 to 1'],
    [{ timeSteps: '4' }, '--time-steps: expected --shutter with it'],
    [{ shutter: '0.5', timeSteps: '1' }, '--time-steps: expected a whole number from 2 to 64'],
    [{ shutter: '0.5', timeSteps: '65' }, '--time-steps: expected a whole number from 2 to 64'],
    [{ shutter: '0.5', timeSteps: '20' }, '--time-steps: expected at most as many as --samples, 16, got 20'],
    [{ shutter: '0.5', noise: '0.02' }, '--shutter: expected no --noise'],
    [{ shutter: '0.5', record: 'run.rec' }, '--shutter: expected no --record'],
  ])('%j makes no sense', (raw, words) => {
    expect(() => resolveShutter(raw, 16)).toThrow(OptionError)
    expect(() => resolveShutter(raw, 16)).toThrow(words)
  })

  it('needs a sample for each moment', () => {
    expect(() => resolveShutter({ shutter: '0.5' }, 4)).toThrow('--samples: expected at least 8 with --shutter')
    expect(resolveShutter({ shutter: '0.5', timeSteps: '4' }, 4)).toEqual({ share: 0.5, steps: 4 })
  })

  it('decides about passes', () => {
    const inFlight = '2'
    expect(resolvePassOptions({ inFlight }, 16, ['png'], 4)).toMatchObject({ passes: 4 })
    expect(resolvePassOptions({ inFlight, progressive: true }, 16, ['png'], 4)).toMatchObject({ passes: 4 })
    expect(() => resolvePassOptions({ inFlight, passes: '2' }, 16, ['png'], 4)).toThrow(
      '--passes: expected no --shutter',
    )
  })
})
