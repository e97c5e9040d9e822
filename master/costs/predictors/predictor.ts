/** Predicts the cell costs of the next frame from those of earlier ones. */

import type { Camera } from '../../../shared/frame/view.ts'
import type { Bodies } from '../../../shared/scene/bodies.ts'
import type { CostHistory } from '../cost-history.ts'
import type { CostMap } from '../cost-map.ts'

export interface CostPredictor {
  /** Used on the command line and as the name of the file. */
  readonly name: string
  /** One line: what it assumes about the next frame. */
  readonly summary: string
  /**
   * The costs predicted for `camera`, or undefined if nothing has been measured yet. Pure; does not modify its arguments.
   * @param bodies where things are by then; absent if nothing moves
   */
  predict(history: CostHistory, camera: Camera, bodies?: Bodies): CostMap | undefined
}
