/**
 * The Prediction Binary Tree as published: Lin, Ren, Huang & Li, "Dynamic Load Balancing Method Based on PBT Tree", §III.
 * The first frame is cut by the coverage mask (Eq. 4–7), every later one from the root by the time each pixel's tile
 * took in the frame before (Eq. 8).
 */
import type { Clock, TileReport } from '../../shared/frame-report.ts'
import { frameRect } from '../../shared/rect.ts'
import { type CostField, coverageCosts, measuredCosts } from '../costs/cost-field.ts'
import { uniformCosts } from '../costs/uniform-costs.ts'
import { cutScreen } from './prediction-tree.ts'
import { type FrameInput, type PreviousFrame, type Strategy, workingShares } from './strategy.ts'

export const pbt: Strategy = {
  name: 'pbt',
  summary: 'Prediction Binary Tree as published: cut by coverage at first, then by the times of the frame before',
  advice: 'the paper’s own; good for a camera that moves slowly, poor at the first frame and at cuts',
  source: 'Lin et al., "Dynamic Load Balancing Method Based on PBT Tree", §III',
  wantsCoverage: input => input.previous === undefined,
  plan: input => ({ tiles: cutScreen(frameRect(input.size), workingShares(input.workers), costsOf(input)) }),
}

function costsOf({ previous, coverage, clock }: FrameInput): CostField {
  if (previous) return measuredCosts(previous.tiles, nominalCost(previous, clock))
  return coverage ? coverageCosts(coverage) : uniformCosts
}

/** t(ℓ) in ms of a worker of speed 1: CPU time is that already, wall time is stretched by a slow worker. */
function nominalCost(previous: PreviousFrame, clock: Clock): (tile: TileReport) => number {
  if (clock === 'cpu') return tile => tile.cpuMs
  const speeds = new Map<string, number>(previous.workers.map(worker => [worker.id, worker.speed]))
  return tile => tile.wallMs * (speeds.get(tile.worker) ?? 1)
}
