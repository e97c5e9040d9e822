/**
 * The Prediction Binary Tree as published: Lin, Ren, Huang & Li, "Dynamic Load Balancing Method Based on PBT Tree", §III.
 * The first frame is cut by the coverage mask (Eq. 4–7), every later one from the root by the time each pixel's tile took
 * in the previous frame (Eq. 8). Damping, boundary and resistance are not from the paper; by default they have no effect.
 */
import { frameRect } from '../../shared/frame/rect.ts'
import { type CostField, coverageCosts, measuredCosts, uniformCosts } from '../costs/cost-field.ts'
import { type FrameInput, remembering, workingShares } from './strategy.ts'
import { nominalCost } from './tiles/tile-costs.ts'
import { cutTree, type SplitTree } from './trees/prediction-tree.ts'

export const pbt = remembering<SplitTree>({
  name: 'pbt',
  summary: 'Prediction Binary Tree as published: split by coverage at first, then by the times of the previous frame',
  advice: 'the method of the paper; good for a slowly moving camera, poor in the first frame and at cuts',
  source: 'Lin et al., "Dynamic Load Balancing Method Based on PBT Tree", §III',
  reads: ['damping', 'boundary', 'resistance'],
  wantsCoverage: input => input.previous === undefined,
  plan(input) {
    const last = input.previous?.plan.memory
    const workers = workingShares(input.workers)
    const { tiles, tree } = cutTree(frameRect(input.size), workers, screenCosts(input), input.options, last)
    return { tiles, memory: tree }
  },
})

/** Expected cost of every pixel: Eq. (8), or Eq. (4) without a previous frame. */
export function screenCosts({ previous, coverage, clock }: FrameInput): CostField {
  if (previous) return measuredCosts(previous.tiles, nominalCost(previous, clock))
  return coverage ? coverageCosts(coverage) : uniformCosts
}
