/** A frame whose tiles have all come. */

import type { Planning } from '../../master/frames/frame-order.ts'
import type { FrameOutcome, TracedTile } from '../../master/frames/frame-planner.ts'
import type { Plan, PlanContext } from '../../master/strategies/strategy.ts'

export function takeIn(
  planner: Pick<Planning, 'intake'>,
  planContext: PlanContext,
  plan: Plan,
  tiles: readonly TracedTile[],
): () => FrameOutcome {
  const intake = planner.intake(planContext, plan, area => planContext.workers.find(({ id }) => id === area))
  for (const tile of tiles) intake.take(tile)
  return intake.done()
}
