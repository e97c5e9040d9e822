/** The newest frame's costs go where the surfaces go that they were measured on. */
import { moved } from '../moved.ts'
import type { CostPredictor } from './predictor.ts'

export const reprojected: CostPredictor = {
  name: 'reprojected',
  summary: 'costs of the newest frame, moved with their surfaces to the next camera',
  predict: ([newest], camera) => newest && moved(newest, camera).costs,
}
