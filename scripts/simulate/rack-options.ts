/** `--levels 2 --racks 16`: whether simulated workers answer to masters of racks, from words to checked values. Pure. */
import { suitsRacks } from '../../master/simulator/rack-level.ts'
import { defaultRacks } from '../../master/simulator/racks.ts'
import { strategies as known } from '../../master/strategies/index.ts'
import type { Strategy } from '../../master/strategies/strategy.ts'
import { OptionError } from '../../shared/errors.ts'
import { DEFAULT_STRATEGY_OPTIONS, type StrategyOptions } from '../../shared/session/strategy-options.ts'
import { wholeNumber } from '../options/option-values.ts'

export interface RawRackOptions {
  readonly levels?: string
  readonly racks?: string
  readonly check?: boolean
}

export interface RackOptions {
  /** Absent: as many as a rack has workers. */
  readonly racks?: number
}

/** As many as there may be workers. */
const MAX_RACKS = 100_000

/** Undefined with one level. @throws OptionError */
export function resolveRacks(
  { levels: text, racks, check }: RawRackOptions,
  strategies: readonly Strategy[],
  options: StrategyOptions,
  counts: readonly number[] | undefined,
): RackOptions | undefined {
  const levels = text === undefined ? 1 : wholeNumber('--levels', text, 1, 2)
  if (levels === 1) {
    if (racks !== undefined) throw new OptionError('--racks', '--levels 2 with it', 'one level')
    return undefined
  }
  if (check) throw new OptionError('--levels', 'one level with --check: live clusters have one', `'${text}'`)
  const unfit = strategies.filter(strategy => !suitsRacks(strategy, options))
  if (unfit.length > 0) throw new OptionError('--levels', strategiesThatCan(), unfit.map(({ name }) => name).join(', '))
  const checked = racks === undefined ? {} : { racks: wholeNumber('--racks', racks, 2, MAX_RACKS) }
  for (const count of counts ?? []) rackCount(checked, count)
  return checked
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
