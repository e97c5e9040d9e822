/**
 * Which strategies run, and what they are told. Pure. An option that none of the chosen strategies reads is an error: otherwise
 * users would attribute differences in the results to it.
 */
import { type CostPredictor, predictorByName } from '../../master/costs/predictors/index.ts'
import { strategies, strategyByName } from '../../master/strategies/index.ts'
import type { Strategy } from '../../master/strategies/strategy.ts'
import { OptionError } from '../../shared/errors.ts'
import { BASELINE_STRATEGY, COMPARED_STRATEGIES } from '../../shared/session/default-strategy.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'
import { listed } from '../report/figures/numbers.ts'
import { type GivenOf, longFlag } from './declare/group.ts'
import { wordsIn } from './declare/kinds.ts'
import type { light } from './groups/light.ts'
import { strategy as group } from './groups/strategy.ts'

/** `integrator`: the path tracer draws by chance, whatever the strategy does. */
type GivenOptions = GivenOf<typeof group> & Pick<GivenOf<typeof light>, 'integrator'>
type OptionName = keyof typeof group.options

/** Those of the rule within a worker, which goes with any strategy. */
const OF_THE_RULE = ['within', 'withinEvery', 'withinStart'] as const

/** The command-line flag that sets an option. */
export const flagOf = (option: keyof StrategyOptions): string => longFlag(group.options[option])

/**
 * @param chosen strategies that will run
 * @param isRecorded recordings have cells, whatever the strategy
 * @param own predictors that are not built in
 * @throws OptionError, UnknownNameError
 */
export function resolveStrategyOptions(
  said: GivenOptions,
  chosen: readonly Strategy[] = strategies,
  isRecorded = false,
  own: readonly CostPredictor[] = [],
): StrategyOptions {
  const names = (Object.keys(group.options) as OptionName[]).filter(name => said[name] !== undefined)
  for (const name of names)
    if (!OF_THE_RULE.some(each => each === name) && !(name === 'cell' && isRecorded)) checkRead(name, said, chosen)
  const given = Object.fromEntries(names.map(name => [name, said[name]])) as Partial<StrategyOptions>
  if (given.predictor !== undefined) predictorByName(given.predictor, own)
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
export function refuseRuleOptions(said: GivenOptions, areas: string): void {
  for (const option of OF_THE_RULE)
    if (said[option] !== undefined)
      throw new OptionError(
        flagOf(option),
        `${areas} with it: a worker of one area has nothing to share`,
        `${said[option]}`,
      )
}

function checkRead(option: OptionName, said: GivenOptions, chosen: readonly Strategy[]): void {
  const reads = (strategy: Strategy): boolean => strategy.reads?.includes(option) === true
  if (chosen.some(reads) || (option === 'seed' && said.integrator === 'path')) return
  const readers = strategies.filter(reads).map(strategy => strategy.name)
  const path = option === 'seed' ? '--integrator path, or ' : ''
  const expected = `${path}a strategy that reads it (${readers.length > 0 ? listed(readers) : 'there is none'})`
  const value = said[option]
  const words = value === false ? flagOf(option) : `${flagOf(option)} ${value}`
  throw new OptionError(words, expected, `only ${listed(chosen.map(strategy => strategy.name))}`)
}

/**
 * Comma-separated strategy names, each once, or `all`.
 * @param own strategies that are not built in
 * @throws OptionError, UnknownNameError
 */
export function parseStrategies(text: string, own: readonly Strategy[] = []): Strategy[] {
  if (text.trim() === 'all') return allStrategies()
  const wrong = (expected: string, got: string) => new OptionError('--strategies', expected, got)
  const names = wordsIn(text, `names such as ${COMPARED_STRATEGIES}`, wrong)
  if (names.includes('all')) throw wrong("'all' on its own, or names", `'${text}'`)
  const chosen = names.map(name => strategyByName(name, own))
  if (new Set(chosen).size < chosen.length) throw wrong('each strategy once', `'${text}'`)
  return chosen
}

/** The baseline, then all others except the one that does not share: its frames take as long as all workers' work together. */
function allStrategies(): Strategy[] {
  const baseline = strategyByName(BASELINE_STRATEGY)
  return [baseline, ...strategies.filter(each => each !== baseline && each.name !== 'single-worker')]
}
