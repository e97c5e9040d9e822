/** Frames whose tiles are known before they begin, and of which nothing is remembered. */
import type { Size } from '../../shared/frame/rect.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { CostMap } from '../costs/cost-map.ts'
import type { Planning } from '../frames/frame.ts'
import type { PlannedTile } from '../strategies/strategy.ts'

/** @param cell side of the cells for which costs are returned, px; 0: none */
export const fixedPlan = (tiles: readonly PlannedTile[], cell: number, size: Size): Planning => ({
  cell,
  cellFor: () => cell,
  planContext: (camera, workers) => ({
    size,
    camera,
    workers,
    options: DEFAULT_STRATEGY_OPTIONS,
    history: [],
    clock: 'cpu',
  }),
  nextContext: before => before,
  wantsCoverage: () => false,
  wantsProbe: () => false,
  probed: () => new CostMap(size, cell),
  plan: () => ({ tiles }),
  intake: () => ({ take: () => {}, done: () => () => ({}) }),
})
