/**
 * Parses and validates strategy options. Pure. An option that none of the chosen strategies reads is an error: otherwise
 * users would attribute differences in the results to it.
 */
import { predictorByName } from '../../master/costs/predictors/index.ts'
import { strategies } from '../../master/strategies/index.ts'
import type { Strategy } from '../../master/strategies/strategy.ts'
import { OptionError } from '../../shared/errors.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'
import { MAX_TILE_PX, SCATTER_UNITS, WITHIN_NAMES } from '../../shared/session/strategy-words.ts'
import { listed } from '../report/figures/numbers.ts'
import { number, oneOf, wholeNumber } from './option-values.ts'

/** Raw options from commander: text, or false for a `--no-…`. */
export interface RawStrategyOptions {
  readonly tile?: string
  readonly ahead?: string
  readonly scatter?: string
  readonly seed?: string
  readonly damping?: string
  readonly boundary?: string
  readonly resistance?: string
  readonly predictor?: string
  readonly cell?: string
  readonly probe?: boolean
  readonly stealing?: boolean
  readonly learnedSpeeds?: boolean
  readonly within?: string
  readonly withinEvery?: string
  readonly withinStart?: string
  /** Recordings have cells, whatever the strategy. */
  readonly record?: string
}

type OptionName = keyof StrategyOptions

const FLAGS: Readonly<Record<OptionName, string>> = {
  tile: '--tile',
  ahead: '--ahead',
  scatter: '--scatter',
  seed: '--seed',
  damping: '--damping',
  boundary: '--boundary',
  resistance: '--resistance',
  predictor: '--predictor',
  probe: '--no-probe',
  rowStealing: '--no-stealing',
  learnSpeeds: '--no-learned-speeds',
  cell: '--cell',
  within: '--within',
  withinEvery: '--within-every',
  withinStart: '--within-start',
}

/** Those of the rule within a worker, which goes with any strategy. */
const OF_THE_RULE = ['within', 'withinEvery', 'withinStart'] as const

const CELLS = [0, 4, 8, 16, 32] as const

/** The command-line flag that sets an option. */
export const flagOf = (option: OptionName): string => FLAGS[option]

/**
 * @param chosen strategies that will run
 * @throws OptionError, UnknownNameError
 */
export function resolveStrategyOptions(
  raw: RawStrategyOptions,
  chosen: readonly Strategy[] = strategies,
): StrategyOptions {
  const given = parse(raw)
  for (const option of Object.keys(given) as OptionName[])
    if (!OF_THE_RULE.some(each => each === option) && !(option === 'cell' && raw.record !== undefined))
      checkRead(option, raw, chosen)
  const options = { ...DEFAULT_STRATEGY_OPTIONS, ...given }
  if (options.cell === 0 && given.predictor)
    throw new OptionError('--predictor', 'a --cell above 0 with it, whose costs it predicts', '--cell 0')
  return options
}

/**
 * For workers of one area.
 * @param areas the option that would give them more
 * @throws OptionError if an option of the rule within a worker was given
 */
export function refuseRuleOptions(raw: RawStrategyOptions, areas: string): void {
  for (const option of OF_THE_RULE)
    if (raw[option] !== undefined)
      throw new OptionError(FLAGS[option], `${areas} with it: a worker of one area has nothing to share`, raw[option])
}

/** Only the options that were given. */
function parse(raw: RawStrategyOptions): Partial<StrategyOptions> {
  return {
    ...(raw.tile === undefined ? {} : { tile: wholeNumber('--tile', raw.tile, 1, MAX_TILE_PX) }),
    ...(raw.ahead === undefined ? {} : { ahead: wholeNumber('--ahead', raw.ahead, 0, 8) }),
    ...(raw.scatter === undefined ? {} : { scatter: oneOf('scatter unit', raw.scatter, SCATTER_UNITS) }),
    ...(raw.seed === undefined ? {} : { seed: wholeNumber('--seed', raw.seed, 0, 0xffffffff) }),
    ...(raw.damping === undefined ? {} : { damping: dampingOf(raw.damping) }),
    ...(raw.boundary === undefined ? {} : { boundary: wholeNumber('--boundary', raw.boundary, 1, 1024) }),
    ...(raw.resistance === undefined ? {} : { resistance: wholeNumber('--resistance', raw.resistance, 0, 4096) }),
    ...(raw.predictor === undefined ? {} : { predictor: predictorByName(raw.predictor).name }),
    ...(raw.cell === undefined ? {} : { cell: cellOf(raw.cell) }),
    // Commander passes true if the option is absent.
    ...(raw.probe === false ? { probe: false } : {}),
    ...(raw.stealing === false ? { rowStealing: false } : {}),
    ...(raw.learnedSpeeds === false ? { learnSpeeds: false } : {}),
    ...(raw.within === undefined ? {} : { within: oneOf('rule within a worker', raw.within, WITHIN_NAMES) }),
    ...(raw.withinEvery === undefined ? {} : { withinEvery: wholeNumber('--within-every', raw.withinEvery, 1, 1000) }),
    ...(raw.withinStart === undefined ? {} : { withinStart: number('--within-start', raw.withinStart, 0, 1) }),
  }
}

function dampingOf(text: string): number {
  if (Number(text) === 1)
    throw new OptionError('--damping', 'a share below 1: with 1 no split would ever move', `'${text}'`)
  return number('--damping', text, 0, 1)
}

function cellOf(text: string): StrategyOptions['cell'] {
  const cell = CELLS.find(side => `${side}` === text)
  if (cell === undefined)
    throw new OptionError('--cell', `${CELLS.slice(0, -1).join(', ')} or ${CELLS.at(-1)} px`, `'${text}'`)
  return cell
}

function checkRead(option: OptionName, raw: RawStrategyOptions, chosen: readonly Strategy[]): void {
  const reads = (strategy: Strategy): boolean => strategy.reads?.includes(option) === true
  if (chosen.some(reads)) return
  const readers = strategies.filter(reads).map(strategy => strategy.name)
  const expected = `a strategy that reads it (${readers.length > 0 ? listed(readers) : 'there is none'})`
  const value = (raw as Readonly<Record<string, unknown>>)[option]
  const said = typeof value === 'string' ? `${FLAGS[option]} ${value}` : FLAGS[option]
  throw new OptionError(said, expected, `only ${listed(chosen.map(strategy => strategy.name))}`)
}
