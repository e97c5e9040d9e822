/** Moves the newest frame's costs with the surfaces on which they were measured. */
import { reprojectedCosts } from '../reprojected-costs.ts'
import type { CostPredictor } from './predictor.ts'

export const reprojected: CostPredictor = {
  name: 'reprojected',
  summary: 'costs of the newest frame, moved with their surfaces to the next camera',
  predict: ([newest], camera) => newest && reprojectedCosts(newest, camera).costs,
}
