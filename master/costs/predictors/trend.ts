/** Linear extrapolation of each cell's costs over the newest two frames. */
import type { CostPredictor } from './predictor.ts'

/** Maximum factor by which a cell is expected to grow or shrink from one frame to the next. */
const MAX_GROWTH = 2

export const trend: CostPredictor = {
  name: 'trend',
  summary: 'every cell continues to change as it did between the newest two frames',
  predict([newest, before]) {
    if (!newest || !before) return newest?.costs
    return newest.costs.withCosts(i => {
      const cost = newest.costs.costs[i]!
      return Math.min(Math.max(2 * cost - before.costs.costs[i]!, cost / MAX_GROWTH), cost * MAX_GROWTH)
    })
  },
}
