/** The recipe of CONTRIBUTING.md, "Add an option to `render`": what is said once in a group is everywhere. */
import { describe, expect, it } from 'vitest'
import { optionTable, optionTypes, programTable } from '../../../scripts/build/option-docs.ts'
import { programVoice } from '../../../scripts/library/program-options.ts'
import {
  checkValues,
  commandLine,
  group,
  option,
  RUNS,
  readWords,
  settled,
} from '../../../scripts/options/declare/group.ts'
import { wholeNumber } from '../../../scripts/options/declare/kinds.ts'
import { flagsOf } from '../../../scripts/options/flags.ts'
import { GROUPS } from '../../../scripts/options/groups/index.ts'
import { comparedEntries } from '../../../scripts/options/resumed.ts'

const example = group('Picture:', RUNS, {
  grainSize: option({
    flag: '--grain-size <px>',
    kind: wholeNumber(1, 9),
    help: 'size of the grain, {range}; see {exposure}',
    usual: 3,
    variable: RUNS,
    library: true,
    decides: 'pixels',
    noun: 'size of the grain',
    rules: [{ excludes: 'passes', because: ', each of which would have its own {grainSize}' }],
  }),
})
const groups = [...GROUPS, example]
const words = commandLine(groups, 'render')
const program = programVoice(groups)

describe('an option that is said in a group', () => {
  it('is an option of its commands, with its range and default in help', () => {
    const flag = flagsOf(groups, 'render').find(({ long }) => long === '--grain-size')
    expect(flag).toMatchObject({
      flags: '--grain-size <px>',
      description: 'size of the grain, 1 to 9; see --exposure (default: 3)',
      envVar: 'SORTFIRST_GRAIN_SIZE',
      helpGroupHeading: 'Picture:',
    })
    expect(flagsOf(groups, 'simulate').map(({ long }) => long)).not.toContain('--grain-size')
  })

  it('is read, and has its default', () => {
    expect(readWords(words, { grainSize: '5' })).toEqual({ grainSize: 5 })
    expect(settled(words, {})).toMatchObject({ grainSize: 3 })
  })

  it('is an option of the library, which knows its name', () => {
    expect(checkValues(program, { grainSize: 5 }, 'option')).toEqual({ grainSize: 5 })
    expect(() => checkValues(program, { grainSizes: 5 }, 'option')).toThrow("did you mean 'grainSize'?")
  })

  it('has one range and one rule, and each caller reads of them in its own words', () => {
    const range = 'expected a whole number from 1 to 9'
    expect(() => readWords(words, { grainSize: '10' })).toThrow(`--grain-size: ${range}, got '10'`)
    expect(() => checkValues(program, { grainSize: 10 }, 'option')).toThrow(`render: grainSize: ${range}, got 10`)
    expect(() => readWords(words, { grainSize: '5', passes: '2' })).toThrow(
      '--grain-size cannot be combined with --passes, each of which would have its own --grain-size',
    )
    expect(() => checkValues(program, { grainSize: 5, passes: 2 }, 'option')).toThrow(
      'render: grainSize cannot be combined with passes, each of which would have its own grainSize',
    )
  })

  it('is compared by --resume', () => {
    for (const command of RUNS) expect(comparedEntries(command, groups).get('grainSize')).toBe('size of the grain')
    expect(comparedEntries('render').has('grainSize')).toBe(false)
  })

  it('is in the types of the library and in the tables of the documentation', () => {
    expect(optionTypes(groups)).toContain(
      '  /** Size of the grain, 1 to 9; see `exposure`. Not with `passes`. @default 3 */\n  readonly grainSize?: number\n',
    )
    expect(programTable(groups)).toContain(
      '\n| `grainSize` | 3 | size of the grain, 1 to 9; see `exposure`; not with `passes` |',
    )
    expect(optionTable(groups, ['render', 'compare'])).toContain(
      '\n| `--grain-size <px>` | 3 | `SORTFIRST_GRAIN_SIZE` | size of the grain, 1 to 9; see `--exposure` |',
    )
  })
})
