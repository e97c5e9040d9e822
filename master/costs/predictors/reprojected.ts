/** Moves the newest frame's costs with the surfaces on which they were measured. */
import { reprojectedCosts, sight } from '../reprojected-costs.ts'
import type { CostPredictor } from './predictor.ts'

export const reprojected: CostPredictor = {
  name: 'reprojected',
  summary: 'costs of the newest frame, reprojected to the next camera by their depths',
  predict: ([newest], camera, bodies) => newest && reprojectedCosts(newest, sight(camera, bodies)).costs,
}
