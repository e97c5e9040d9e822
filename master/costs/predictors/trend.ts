/** A line through each cell's costs in the newest two frames, continued: what grows, grows on. */
import type { CostPredictor } from './predictor.ts'

/** No cell is expected to grow by more than this factor from one frame to the next, nor to shrink by more. */
const MAX_GROWTH = 2

export const trend: CostPredictor = {
  name: 'trend',
  summary: 'every cell goes on to change as it did between the newest two frames',
  predict([newest, before]) {
    if (!newest || !before) return newest?.costs
    return newest.costs.withCosts(i => {
      const cost = newest.costs.costs[i]!
      return Math.min(Math.max(2 * cost - before.costs.costs[i]!, cost / MAX_GROWTH), cost * MAX_GROWTH)
    })
  },
}
