/** Fine costs of past frames and their cameras, from which the next frame's costs are predicted. */

import type { Camera } from '../../shared/frame/view.ts'
import type { Bodies } from '../../shared/scene/bodies.ts'
import type { CostMap } from './cost-map.ts'

export interface MeasuredFrame {
  readonly camera: Camera
  /** Where things were; absent if nothing moves. */
  readonly bodies?: Bodies
  readonly costs: CostMap
}

/** Newest first, at most HISTORY_FRAMES, all of one frame size and cell size. */
export type CostHistory = readonly MeasuredFrame[]

/** Enough for a median and a trend, and to test what would have been predicted. */
export const HISTORY_FRAMES = 6

export const remember = (history: CostHistory, frame: MeasuredFrame): CostHistory => {
  const [newest] = history
  const alike =
    newest && newest.costs.cell === frame.costs.cell && newest.costs.costs.length === frame.costs.costs.length
  return alike ? [frame, ...history].slice(0, HISTORY_FRAMES) : [frame]
}
