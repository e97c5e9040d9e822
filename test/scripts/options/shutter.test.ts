import { describe, expect, it } from 'vitest'
import { commandLine, type Words } from '../../../scripts/options/declare/group.ts'
import { GROUPS, readRun } from '../../../scripts/options/groups/index.ts'
import { timesOf } from '../../../scripts/options/groups/shutter.ts'
import { resolvePicture } from '../../../scripts/options/picture.ts'
import { UsageError } from '../../../shared/errors.ts'

const pictureOf = (words: Words) => resolvePicture(readRun('render', words), commandLine(GROUPS, 'render'))
const shutterOf = (words: Words, samples: number) => pictureOf({ samples: `${samples}`, ...words }).shutter

describe('a shutter', () => {
  it('is closed unless told otherwise, and open for eight moments', () => {
    expect(shutterOf({}, 2)).toBeUndefined()
    expect(shutterOf({ shutter: '0' }, 2)).toBeUndefined()
    expect(shutterOf({ shutter: '0', timeSteps: '16' }, 2)).toBeUndefined()
    expect(shutterOf({ shutter: '0.5' }, 8)).toEqual({ share: 0.5, steps: 8 })
    expect(shutterOf({ shutter: '1', timeSteps: '64' }, 100)).toEqual({ share: 1, steps: 64 })
  })

  it.each([
    [{ shutter: '1.5' }, '--shutter: expected a number from 0 to 1'],
    [{ shutter: 'half' }, '--shutter: expected a number from 0 to 1'],
    [{ timeSteps: '4' }, '--time-steps needs --shutter'],
    [{ shutter: '0.5', timeSteps: '1' }, '--time-steps: expected a whole number from 2 to 64'],
    [{ shutter: '0.5', timeSteps: '65' }, '--time-steps: expected a whole number from 2 to 64'],
    [{ shutter: '0.5', timeSteps: '20' }, '--time-steps: expected at most as many as --samples, 16, got 20'],
    [{ shutter: '0.5', noise: '0.02', samples: '64' }, '--shutter cannot be combined with --noise'],
    [{ shutter: '0.5', record: 'run.rec' }, '--shutter cannot be combined with --record'],
  ])('%j makes no sense', (raw, words) => {
    expect(() => shutterOf(raw, 16)).toThrow(UsageError)
    expect(() => shutterOf(raw, 16)).toThrow(words)
  })

  it('needs a sample for each moment', () => {
    expect(() => shutterOf({ shutter: '0.5' }, 4)).toThrow('--samples: expected at least 8 with --shutter')
    expect(shutterOf({ shutter: '0.5', timeSteps: '4' }, 4)).toEqual({ share: 0.5, steps: 4 })
  })

  it('decides about passes', () => {
    const open = { samples: '16', shutter: '0.5', timeSteps: '4' }
    expect(pictureOf(open)).toMatchObject({ passes: 4 })
    expect(pictureOf({ ...open, progressive: true })).toMatchObject({ passes: 4 })
    expect(() => pictureOf({ ...open, passes: '2' })).toThrow(
      '--passes cannot be combined with --shutter, each of whose --time-steps is a pass',
    )
  })

  it('sees the middles of equal parts of the time for which it is open', () => {
    expect(timesOf(0, { share: 1, steps: 2 })).toEqual([0.25, 0.75])
    expect(timesOf(6, { share: 0.5, steps: 4 })).toEqual([6.0625, 6.1875, 6.3125, 6.4375])
  })
})
