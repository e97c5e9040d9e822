/** The registry of strategies, in the order of the design's table: each one is a file of its own and a line here. */
import { UnknownNameError } from '../../shared/errors.ts'
import { coveragePrepass } from './coverage-prepass.ts'
import { demandDriven } from './demand-driven.ts'
import { diffusion } from './diffusion.ts'
import { frozen } from './frozen.ts'
import { greedyLb } from './greedy-lb.ts'
import { greedyRefineLb } from './greedy-refine-lb.ts'
import { pbt } from './pbt.ts'
import { pbtSplitMerge } from './pbt-split-merge.ts'
import { predictive } from './predictive.ts'
import { randomTiles } from './random-tiles.ts'
import { refineLb } from './refine-lb.ts'
import { refineSwapLb } from './refine-swap-lb.ts'
import { scatter } from './scatter.ts'
import { singleWorker } from './single-worker.ts'
import { splitMerge } from './split-merge.ts'
import { staticBlocks } from './static-blocks.ts'
import type { Strategy } from './strategy.ts'
import { workStealing } from './work-stealing.ts'

export const strategies: readonly Strategy[] = [
  // Static (Lin et al., §II.B).
  singleWorker,
  staticBlocks,
  scatter,
  randomTiles,
  // Dynamic (§II.C).
  demandDriven,
  diffusion,
  workStealing,
  splitMerge,
  coveragePrepass,
  // Prediction Binary Trees (§III), and their counterpart without feedback.
  pbt,
  frozen,
  pbtSplitMerge,
  // Objects that migrate (Charm++).
  greedyLb,
  refineLb,
  greedyRefineLb,
  refineSwapLb,
  // This project's own.
  predictive,
]

export const strategyNames: readonly string[] = strategies.map(strategy => strategy.name)

/**
 * @param own strategies that are not built in
 * @throws UnknownNameError
 */
export function strategyByName(name: string, own: readonly Strategy[] = []): Strategy {
  const strategy = [...strategies, ...own].find(candidate => candidate.name === name)
  if (!strategy) throw new UnknownNameError('strategy', name, strategyNames)
  return strategy
}
