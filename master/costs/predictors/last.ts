/** The costs of the newest frame, unmoved. */
import type { CostPredictor } from './predictor.ts'

export const last: CostPredictor = {
  name: 'last',
  summary: 'every cell costs what it cost in the newest frame',
  predict: ([newest]) => newest?.costs,
}
