/** The registry of strategies: a new one is its own file and a line here. */
import { UnknownNameError } from '../../shared/errors.ts'
import { frozen } from './frozen.ts'
import { pbt } from './pbt.ts'
import { singleWorker } from './single-worker.ts'
import { staticBlocks } from './static-blocks.ts'
import type { Strategy } from './strategy.ts'

export const strategies: readonly Strategy[] = [singleWorker, staticBlocks, frozen, pbt]

export const strategyNames: readonly string[] = strategies.map(strategy => strategy.name)

/** @throws UnknownNameError */
export function strategyByName(name: string): Strategy {
  const strategy = strategies.find(candidate => candidate.name === name)
  if (!strategy) throw new UnknownNameError('strategy', name, strategyNames)
  return strategy
}
