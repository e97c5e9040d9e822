/**
 * Trial frames without rendering, for checking a strategy or warming up its code: planned in sequence for a moving
 * camera, with synthetic costs taken in between.
 */

import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { cellRange } from '../../shared/protocol/cell-costs.ts'
import { CoverageMask } from '../coverage/coverage-mask.ts'
import { type AreaShare, type Plan, type PlannedTile, workingShares } from '../strategies/strategy.ts'
import { FramePlanner, type PlannerSettings, type TracedTile } from './frame-planner.ts'

export interface TrialFrame {
  readonly plan: Plan
  /** Plans the same frame once more. */
  planAgain(): Plan
}

/** @param workers at least one of them faster than 0 */
export function* trialFrames(
  settings: PlannerSettings,
  workers: readonly AreaShare[],
  frames: number,
): Generator<TrialFrame, void, undefined> {
  const { size } = settings
  const planner = new FramePlanner(settings)
  const working = workingShares(workers)
  for (let frame = 0; frame < frames; frame++) {
    const planContext = planner.planContext(cameraOf(frame, size), workers)
    planner.wantsProbe(planContext)
    const found = planner.wantsCoverage(planContext) ? { coverage: new CoverageMask(size) } : {}
    const plan = planner.plan(planContext, found)
    yield { plan, planAgain: () => planner.plan(planContext, found) }
    const intake = planner.intake(planContext, plan)
    for (const [i, { worker = working[i % working.length]!.id, ...tile }] of plan.tiles.entries())
      intake.take(tracedTile({ ...tile, worker }, planner.cell, frame))
    intake.done()()
  }
}

/** A camera that looks at the origin, rotated slightly further each frame. */
function cameraOf(frame: number, [width, height]: Size): Camera {
  const [sin, cos] = [Math.sin(frame / 20), Math.cos(frame / 20)]
  return {
    origin: [sin, 0, cos],
    right: [cos, 0, -sin],
    up: [0, 1, 0],
    back: [sin, 0, cos],
    tanHalfX: (0.4 * width) / height,
    tanHalfY: 0.4,
    near: 0.01,
    far: 10,
  }
}

/** Synthetic costs of a tile: they vary from frame to frame, so that there is something to balance. */
function tracedTile(
  tile: Required<Pick<PlannedTile, 'worker'>> & PlannedTile,
  cell: number,
  frame: number,
): TracedTile {
  const { columns, rows } = cell > 0 ? cellRange(tile.rect, cell) : { columns: 1, rows: 1 }
  const costs = Float64Array.from({ length: columns * rows }, (_, i) => 1 + ((i + frame) % 3))
  const depths = Float32Array.from(costs, (_, i) => (i % 5 === 0 ? Number.POSITIVE_INFINITY : 1 + (i % 7) / 50))
  const work = costs.reduce((sum, cost) => sum + cost, 0)
  const times = { cpuMs: work, wallMs: work, work: 1000 * work }
  return { ...tile, ...times, ...(cell > 0 ? { cells: { cell, costs, depths } } : {}) }
}
