/** Options of strategies. Which strategies there are, and whether they read what was said, is in `strategies.ts`. */
import { COMPARED_STRATEGIES, DEFAULT_STRATEGY } from '../../../shared/session/default-strategy.ts'
import {
  CELLS,
  PREDICTOR_NAMES,
  RANGES,
  SCATTER_UNITS,
  USUAL,
  WITHIN_NAMES,
} from '../../../shared/session/strategy-words.ts'
import { by, group, option, RUNS } from '../declare/group.ts'
import { flag, oneNumberOf, oneOf, share, text, wholeNumber } from '../declare/kinds.ts'

const COMMANDS = [...RUNS, 'simulate'] as const
const OF_STRATEGIES = { variable: COMMANDS, decides: 'times', entry: 'options' } as const

/** Which strategies run, and whether to go on with what is there. */
export const choice = group('Options:', RUNS, {
  strategy: option({
    flag: '--strategy <name>',
    kind: text(),
    help: "how frames are shared; see 'sortfirst strategies'; a name, or a module of your own",
    usual: DEFAULT_STRATEGY,
    commands: ['render', 'view'],
    variable: RUNS,
  }),
  strategies: option({
    flag: '--strategies <names>',
    kind: text(),
    help: 'comma-separated, the baseline first; or all',
    usual: by({ render: COMPARED_STRATEGIES, simulate: 'all' }),
    commands: ['compare', 'simulate'],
    variable: COMMANDS,
    decides: 'times',
  }),
  repeat: option({
    flag: '--repeat <n>',
    kind: wholeNumber(1, 1000),
    help: 'rounds: how often each strategy renders the frames, in turn',
    usual: 1,
    commands: ['compare'],
    variable: RUNS,
  }),
  resume: option({
    flag: '--resume',
    kind: flag,
    help: by({ render: 'render only the frames missing in {out}', compare: 'make only the runs missing in {out}' }),
    usual: false,
  }),
})

const whole = ({ least, most }: { readonly least: number; readonly most: number }) => wholeNumber(least, most)
const damping = share()

export const strategy = group('Strategy:', COMMANDS, {
  tile: option({
    flag: '--tile <px>',
    kind: whole(RANGES.tile),
    help: 'side of small tiles',
    otherwise: 'the strategy’s own',
    ...OF_STRATEGIES,
  }),
  ahead: option({
    flag: '--ahead <tiles>',
    kind: whole(RANGES.ahead),
    help: 'tiles sent to a worker while it traces another, {range}',
    more: 'of `demand-driven` and `work-stealing`',
    otherwise: `${USUAL.ahead}`,
    ...OF_STRATEGIES,
  }),
  scatter: option({
    flag: '--scatter <unit>',
    kind: oneOf('scatter unit', SCATTER_UNITS),
    help: 'what scatter deals out: {names}',
    otherwise: USUAL.scatter,
    ...OF_STRATEGIES,
  }),
  seed: option({
    flag: '--seed <n>',
    kind: whole(RANGES.seed),
    help: 'random seed of path, whose pictures with two seeds are independent, and of strategies that draw at random',
    otherwise: `${USUAL.seed}`,
    ...OF_STRATEGIES,
    commands: [...COMMANDS, 'tile'],
    library: true,
  }),
  damping: option({
    flag: '--damping <share>',
    kind: {
      ...damping,
      read(word, wrong) {
        const value = damping.read(word, wrong)
        if (value === 1) throw wrong('a share below 1: with 1, no split would ever move', `'${word}'`)
        return value
      },
    },
    help: 'how much of the last split a new one keeps, 0 to below 1',
    otherwise: `${USUAL.damping}`,
    ...OF_STRATEGIES,
  }),
  boundary: option({
    flag: '--boundary <px>',
    kind: whole(RANGES.boundary),
    help: 'splits fall on multiples of this',
    otherwise: `${USUAL.boundary}`,
    ...OF_STRATEGIES,
  }),
  resistance: option({
    flag: '--resistance <px>',
    kind: whole(RANGES.resistance),
    help: 'a split that would move by less stays where it is',
    otherwise: `${USUAL.resistance}`,
    ...OF_STRATEGIES,
  }),
  predictor: option({
    flag: '--predictor <name>',
    kind: text(PREDICTOR_NAMES),
    help: 'how the next frame’s costs are predicted: {names}',
    otherwise: USUAL.predictor,
    ...OF_STRATEGIES,
  }),
  probe: option({
    flag: '--no-probe',
    kind: flag,
    help: 'do not trace one pixel of each cell before the first frame and after a cut',
    decides: 'times',
    entry: 'options',
  }),
  rowStealing: option({
    flag: '--no-stealing',
    kind: flag,
    help: 'disable row stealing',
    decides: 'times',
    entry: 'options',
  }),
  learnSpeeds: option({
    flag: '--no-learned-speeds',
    kind: flag,
    help: 'use the declared speeds of workers',
    decides: 'times',
    entry: 'options',
  }),
  cell: option({
    flag: '--cell <px>',
    kind: oneNumberOf(CELLS, 'px'),
    help: 'side of the cells that costs are measured for, {range}; 0: one cost for each tile',
    more: 'twice as large while a frame has more than 131,072 cells',
    otherwise: `${USUAL.cell}`,
    ...OF_STRATEGIES,
  }),
  within: option({
    flag: '--within <rule>',
    kind: oneOf('rule within a worker', WITHIN_NAMES),
    help: 'how the areas of a worker share its part: {names}; flat: as workers of their own',
    more: 'see [within a worker](master/strategies/README.md#within-a-worker)',
    otherwise: USUAL.within,
    ...OF_STRATEGIES,
  }),
  withinEvery: option({
    flag: '--within-every <frames>',
    kind: whole(RANGES.withinEvery),
    help: 'frames between two adjustments of these shares',
    otherwise: `${USUAL.withinEvery}`,
    ...OF_STRATEGIES,
  }),
  withinStart: option({
    flag: '--within-start <share>',
    kind: share(),
    help: 'initial share of the accelerators, {range}; with fixed it stays',
    otherwise: 'by declared speeds',
    ...OF_STRATEGIES,
  }),
})
