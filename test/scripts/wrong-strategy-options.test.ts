/** Strategies told what cannot be, typed as a user would. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { expectSentence } from '../support/complaint.ts'
import { sortfirst } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const small = ['--out', join(folder, 'out'), '--size', '16x9', '--frames', '1', '--samples', '1', '--workers', '1']

describe('wrong words for strategies', () => {
  it.each<[string, string[], (string | RegExp)[]]>([
    [
      'all strategies and one more',
      ['compare', 'dragon', '--strategies', 'all,pbt', ...small],
      ["--strategies: expected 'all' on its own, or names, got 'all,pbt'"],
    ],
    [
      'a side of tiles that is none',
      ['compare', 'dragon', '--strategies', 'all', '--tile', 'small', ...small],
      ["--tile: expected a whole number from 1 to 4096, got 'small'"],
    ],
    [
      'damping that would stop everything',
      ['render', 'dragon', '--damping', '1', ...small],
      ['--damping: expected a share below 1', "got '1'"],
    ],
    [
      'an unknown unit to scatter',
      ['render', 'dragon', '--scatter', 'colum', ...small],
      ["unknown scatter unit 'colum'", 'tile, row, pixel'],
    ],
    [
      'an unknown predictor',
      ['render', 'dragon', '--predictor', 'trends', ...small],
      ["unknown predictor 'trends'", 'adaptive-blend', "did you mean 'trend'"],
    ],
    [
      'cells of no size there is',
      ['render', 'dragon', '--cell', '7', ...small],
      ['--cell: expected 0, 4, 8, 16 or 32'],
    ],
    [
      'an option that the strategy does not read',
      ['render', 'dragon', '--strategy', 'static-blocks', '--scatter', 'row', ...small],
      ['--scatter row: expected a strategy that reads it', 'got only static-blocks'],
    ],
    [
      'a switch that no strategy of several reads',
      ['compare', 'dragon', '--strategies', 'static-blocks,single-worker', '--no-stealing', ...small],
      ['--no-stealing: expected a strategy that reads it', 'got only static-blocks and single-worker'],
    ],
    [
      'more tiles than a master deals out',
      ['render', 'dragon', '--strategy', 'demand-driven', '--tile', '1', ...small, '--size', '1280x720'],
      ['--tile: expected at least 4 for 1280x720 px in one pass, at most 66560 tiles, got 1, which makes 921600'],
    ],
    [
      'tiles that only one of the strategies cuts',
      ['compare', 'dragon', '--strategies', 'pbt,greedy-lb', '--tile', '1', ...small, '--size', '1280x720'],
      ['--tile: expected at least 4 for 1280x720 px in one pass'],
    ],
    [
      'more cells than a master predicts',
      ['render', 'dragon', '--cell', '4', ...small, '--size', '8192x8192'],
      ['--cell: expected one of 8, 16, 32 for 8192x8192 px, at most 1052672 cells, got 4'],
    ],
    [
      'frames that fill the memory',
      [
        'render',
        'dragon',
        ...small,
        '--output',
        'exr',
        '--passes',
        '2',
        '--aov',
        'albedo',
        '--samples',
        '2',
        '--size',
        '8192x8192',
      ],
      ["--size: expected frames that take at most 8 GiB of the master's memory, up to 3 of them at a time"],
    ],
    ['a trace without a name', ['render', 'dragon', '--trace', '', ...small], ['--trace: expected the path of a file']],
  ])('%s', async (_, args, parts) => expectSentence(await sortfirst(args), 2, ...parts))
})
