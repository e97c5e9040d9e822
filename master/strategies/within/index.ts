/** The registry of rules within a worker, the default first: a new one is its own file and a line here. */
import type { StrategyOptions } from '../../../shared/session/strategy-options.ts'
import { FLAT } from '../../../shared/session/strategy-words.ts'
import { cpuLoad } from './cpu-load.ts'
import { fixed } from './fixed.ts'
import { proportional } from './proportional.ts'
import { weightMix } from './weight-mix.ts'
import type { Within } from './within.ts'

export const withins: readonly Within[] = [proportional, cpuLoad, weightMix, fixed]

/** The rule; undefined for `flat`, where the master sees areas as workers of their own. */
export const withinByName = (name: StrategyOptions['within']): Within | undefined =>
  name === FLAT ? undefined : withins.find(candidate => candidate.name === name)
