/** Command-line options of strategies. */
import { Option } from 'commander'
import { option } from './option.ts'

/** Strategy options, for every command with strategies. */
export const strategyFlags = (): Option[] =>
  [
    option('--tile <px>', 'TILE', 'side of small tiles (default: the strategy’s own)'),
    option('--ahead <tiles>', 'AHEAD', 'tiles sent to a worker while it traces another, 0 to 8 (default: 1)'),
    option('--scatter <unit>', 'SCATTER', 'what scatter deals out: tile, row or pixel (default: tile)'),
    option('--seed <n>', 'SEED', 'random seed (default: 1)'),
    option('--damping <share>', 'DAMPING', 'how much of the last split a new one keeps, 0 to below 1 (default: 0)'),
    option('--boundary <px>', 'BOUNDARY', 'splits fall on multiples of this (default: 1)'),
    option('--resistance <px>', 'RESISTANCE', 'a split that would move by less stays where it is (default: 0)'),
    option(
      '--predictor <name>',
      'PREDICTOR',
      'how the next frame’s costs are predicted: last, median, trend, reprojected or adaptive-blend (default: adaptive-blend)',
    ),
    new Option('--no-probe', 'do not trace one pixel of each cell before the first frame and after a cut'),
    new Option('--no-stealing', 'disable row stealing'),
    new Option('--no-learned-speeds', 'use the declared speeds of workers'),
    option('--cell <px>', 'CELL', 'side of the cells that costs are measured for: 0 (none), 4, 8, 16, 32 (default: 8)'),
    option(
      '--within <rule>',
      'WITHIN',
      'how the areas of a worker share its part: proportional, cpu-load, weight-mix, fixed, or flat, as workers of their own (default: proportional)',
    ),
    option('--within-every <frames>', 'WITHIN_EVERY', 'frames between two adjustments of these shares (default: 1)'),
    option(
      '--within-start <share>',
      'WITHIN_START',
      'share of the accelerators at first, 0 to 1 (default: by declared speeds)',
    ),
  ].map(each => each.helpGroup('Strategy:'))
