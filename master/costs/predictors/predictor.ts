/** A way to predict what the cells of the next frame will cost from those of frames before it. */
import type { Camera } from '../../../shared/view.ts'
import type { CostHistory } from '../cost-history.ts'
import type { CostMap } from '../cost-map.ts'

export interface CostPredictor {
  /** On the command line, and of the file. */
  readonly name: string
  /** One line: what it takes the next frame to be like. */
  readonly summary: string
  /** The costs that `camera` will find, or undefined where nothing was measured yet. Pure; nothing given is changed. */
  predict(history: CostHistory, camera: Camera): CostMap | undefined
}
