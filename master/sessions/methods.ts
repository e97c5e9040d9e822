/** The strategy and the predictor of a session: built-in ones, or its client's own. */
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { SessionRunner } from '../../shared/session/session.ts'
import { type CostPredictor, predictorByName } from '../costs/predictors/index.ts'
import { strategyByName } from '../strategies/index.ts'
import type { Strategy } from '../strategies/strategy.ts'

/** How frames are divided. */
export interface Methods {
  readonly strategy: Strategy
  readonly predictor: CostPredictor
}

/** What a client in the master's process brings: an order may name these beside the built-in ones. */
export interface PlugIns {
  readonly strategies?: readonly Strategy[]
  readonly predictors?: readonly CostPredictor[]
}

/** A `SessionRunner` of this process. */
export interface LocalRunner {
  run(...session: [...Parameters<SessionRunner['run']>, plugIns?: PlugIns]): Promise<void>
}

/** @throws UnknownNameError */
export const methodsOf = (
  { strategy, options }: Pick<SessionOrder, 'strategy' | 'options'>,
  { strategies, predictors }: PlugIns = {},
): Methods => ({
  strategy: strategyByName(strategy, strategies),
  predictor: predictorByName(options.predictor, predictors),
})
