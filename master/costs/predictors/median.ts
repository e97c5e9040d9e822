/** The median of each cell over the newest frames: suppresses noise and single outliers, but lags behind motion. */
import type { CostPredictor } from './predictor.ts'

/** Minimum number of frames for a meaningful median. */
const MIN_FRAMES = 3
const MAX_FRAMES = 5

export const median: CostPredictor = {
  name: 'median',
  summary: 'every cell costs its median over the newest three to five frames',
  predict(history) {
    const [newest] = history
    if (!newest || history.length < MIN_FRAMES) return newest?.costs
    // An odd number of frames.
    const frames = history.slice(0, Math.min(MAX_FRAMES, history.length - 1 + (history.length % 2)))
    const values = new Float64Array(frames.length)
    return newest.costs.withCosts(i => {
      for (const [k, { costs }] of frames.entries()) values[k] = costs.costs[i]!
      return values.sort()[values.length >> 1]!
    })
  },
}
