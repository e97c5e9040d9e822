import { describe, expect, it } from 'vitest'
import { VOICE } from '../../../scripts/library/program-options.ts'
import { commandLine } from '../../../scripts/options/declare/group.ts'
import { type Display, resolveDisplay } from '../../../scripts/options/groups/display.ts'
import { exposureFrom } from '../../../scripts/options/groups/exposure.ts'
import { GROUPS, readRun } from '../../../scripts/options/groups/index.ts'
import { DEFAULT_TONE_MAPPING } from '../../../shared/light/tone-mapping.ts'

const resolve = (words: Record<string, string>): Display =>
  resolveDisplay(readRun('render', words), commandLine(GROUPS, 'render'))

describe('words about the display', () => {
  it.each<[Record<string, string>, Display]>([
    [{}, { toneMapping: DEFAULT_TONE_MAPPING, whiteBalance: undefined }],
    [{ view: 'aces' }, { toneMapping: 'aces', whiteBalance: undefined }],
    [{ view: 'agx' }, { toneMapping: 'agx', whiteBalance: undefined }],
    [{ view: 'standard' }, { toneMapping: 'linear', whiteBalance: undefined }],
    [{ view: 'none' }, { toneMapping: 'none', whiteBalance: undefined }],
    [{ toneMapping: 'neutral' }, { toneMapping: 'neutral', whiteBalance: undefined }],
    [{ whiteBalance: '3200' }, { toneMapping: 'aces', whiteBalance: { temperature: 3200, tint: 0 } }],
    [{ whiteBalance: '5500,-7.5' }, { toneMapping: 'aces', whiteBalance: { temperature: 5500, tint: -7.5 } }],
    [{ whiteBalance: '3200K' }, { toneMapping: 'aces', whiteBalance: { temperature: 3200, tint: 0 } }],
    [{ whiteBalance: '5500 k , 10' }, { toneMapping: 'aces', whiteBalance: { temperature: 5500, tint: 10 } }],
    // It would change nothing.
    [{ whiteBalance: '6504' }, { toneMapping: 'aces', whiteBalance: undefined }],
    [{ whiteBalance: '6504,1' }, { toneMapping: 'aces', whiteBalance: { temperature: 6504, tint: 1 } }],
  ])('%j', (words, display) => expect(resolve(words)).toEqual(display))

  it.each<[Record<string, string>, string]>([
    [{ view: 'filmic' }, "unknown view 'filmic'"],
    [{ view: 'agx', toneMapping: 'agx' }, '--view cannot be combined with --tone-mapping'],
    [{ whiteBalance: 'warm' }, '--white-balance: expected a colour temperature from 1000 to 40000 K'],
    [{ whiteBalance: 'K' }, "got 'K'"],
    [{ whiteBalance: '5500,10K' }, "got '5500,10K'"],
    [{ whiteBalance: '999K' }, "such as 5500,10, got '999K'"],
    [{ whiteBalance: '999' }, "such as 5500,10, got '999'"],
    [{ whiteBalance: '3200,101' }, "got '3200,101'"],
    [{ whiteBalance: '3200,1,1' }, "got '3200,1,1'"],
    [{ whiteBalance: '1000,50' }, "--white-balance: expected a tint that light of 1000 K can have, got '1000,50'"],
    [{ whiteBalance: '3200', view: 'none' }, '--white-balance: expected no --view none with it'],
    [{ whiteBalance: '3200', toneMapping: 'none' }, '--white-balance: expected no --tone-mapping none with it'],
    [{ exposure: '2 stops' }, "stops from -20stops to +20stops, with a sign, or auto, got '2 stops'"],
    [{ exposure: '2stops' }, "with a sign, or auto, got '2stops'"],
    [{ exposure: '+stops' }, "got '+stops'"],
    [{ exposure: 'stops' }, "got 'stops'"],
    [{ exposure: '+21stops' }, "got '+21stops'"],
    [{ exposure: '+1e1stops' }, "got '+1e1stops'"],
  ])('%j are refused', (words, sentence) => expect(() => resolve(words)).toThrow(sentence))

  it('are, but for auto, those of other commands', () => {
    expect(readRun('compare', { exposure: '-0.5stops' })).toMatchObject({ exposure: '-0.5stops' })
    expect(readRun('tile', { exposure: '+2stops', frame: '0', rect: '0,0,1,1' })).toMatchObject({ exposure: '+2stops' })
    expect(() => readRun('compare', { exposure: 'auto' })).toThrow("with a sign, got 'auto'")
  })
})

describe('an exposure', () => {
  it.each([
    [undefined, 0.85, 0.85],
    [3, 0.85, 3],
    ['+2stops', 0.85, 3.4],
    ['-1stops', 1.6, 0.8],
    ['+1stop', 1, 2],
    ['+0stops', 0.85, 0.85],
    ['+.5stops', 1, Math.SQRT2],
  ] as const)('of %s, where the scene’s is %d, is %d', (asked, own, exposure) =>
    expect(exposureFrom(asked as never, own)).toBeCloseTo(exposure, 14),
  )

  it('stays in its range', () => {
    expect(() => exposureFrom('+20stops', 2)).toThrow(
      '--exposure: expected stops that lead from the scene’s exposure of 2 to one of 0.000001 to 1000000, got +20stops',
    )
    const wrong = (expected: string, got: string) => VOICE.error('exposure', expected, got)
    expect(() => exposureFrom('-20stops', 0.1, wrong)).toThrow('render: exposure: expected stops')
  })
})
