/** `--levels 2 --racks 16`: whether simulated workers answer to masters of racks, resolved. Pure. */
import { suitsRacks } from '../../master/simulator/rack-level.ts'
import { defaultRacks } from '../../master/simulator/racks.ts'
import { strategies as known } from '../../master/strategies/index.ts'
import type { Strategy } from '../../master/strategies/strategy.ts'
import { OptionError, OptionRuleError } from '../../shared/errors.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'
import type { SimulateGiven } from './group.ts'

export interface RackOptions {
  /** Absent: as many as a rack has workers. */
  readonly racks?: number
}

/** Undefined with one level. @throws OptionError */
export function resolveRacks(
  { levels = 1, racks, check }: SimulateGiven,
  strategies: readonly Strategy[],
  options: StrategyOptions,
  counts: readonly number[] | undefined,
): RackOptions | undefined {
  if (levels === 1) {
    if (racks !== undefined) throw new OptionRuleError('--racks', 'needs --levels 2')
    return undefined
  }
  if (check) throw new OptionError('--levels', 'one level with --check: live clusters have one', `'${levels}'`)
  const unfit = strategies.filter(strategy => !suitsRacks(strategy, options))
  if (unfit.length > 0) throw new OptionError('--levels', strategiesThatCan(), unfit.map(({ name }) => name).join(', '))
  const asked = racks === undefined ? {} : { racks }
  for (const count of counts ?? []) rackCount(asked, count)
  return asked
}

/** How many racks so many workers are divided among. @throws OptionError */
export function rackCount({ racks }: RackOptions, workers: number): number {
  const count = racks ?? defaultRacks(workers)
  if (count <= workers) return count
  throw racks === undefined
    ? new OptionError('--levels', 'at least 2 workers for two levels', `${workers}`)
    : new OptionError('--racks', `2 to ${workers}, a worker for each rack`, `${racks}`)
}

function strategiesThatCan(): string {
  const names = known.filter(strategy => suitsRacks(strategy, DEFAULT_STRATEGY_OPTIONS)).map(({ name }) => name)
  return `with 2, --strategies that cut the frame by the costs of its cells (${names.join(', ')}; not with --cell 0)`
}
