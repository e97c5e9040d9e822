/**
 * A pass before each frame estimates the cost of every part of it from the projected geometry alone, and the screen is
 * cut into as many parts of equal estimate as there are workers (Lin et al., §II.C, after Whitman, "Dynamic Load
 * Balancing for Parallel Polygon Rendering", IEEE CG&A 14(4), 1994). Nothing is learned from the times of earlier frames.
 */
import { area, extent, frameRect } from '../../shared/frame/rect.ts'
import { type CostField, coverageCosts, uniformCosts } from '../costs/cost-field.ts'
import type { CoverageMask } from '../coverage/coverage-mask.ts'
import { remembering, workingShares } from './strategy.ts'
import { cutTree, type SplitTree } from './trees/prediction-tree.ts'

/** Cost of a pixel to which no geometry projects, relative to one with geometry: one ray, which misses. */
const EMPTY_PIXEL_COST = 0.1

export const coveragePrepass = remembering<SplitTree>({
  name: 'coverage-prepass',
  summary: 'every frame split by where its geometry projects; no feedback',
  advice:
    'never out of date, so cuts do not matter; ignores what a covered pixel costs, which dominates in ray tracing',
  source: 'Whitman, "Dynamic Load Balancing for Parallel Polygon Rendering", 1994; Lin et al., §II.C',
  reads: ['damping', 'boundary', 'resistance'],
  wantsCoverage: () => true,
  plan({ size, workers, coverage, previous, options }) {
    const costs = coverage ? prepassCosts(coverage) : uniformCosts
    const last = previous?.plan.memory
    const { tiles, tree } = cutTree(frameRect(size), workingShares(workers), costs, options, last)
    return { tiles, memory: tree }
  },
})

function prepassCosts(mask: CoverageMask): CostField {
  const covered = coverageCosts(mask)
  const field: CostField = {
    within: () => field,
    total: rect => EMPTY_PIXEL_COST * area(rect) + (1 - EMPTY_PIXEL_COST) * covered.total(rect),
    profile: (rect, axis) => {
      const emptyLine = (EMPTY_PIXEL_COST * area(rect)) / extent(rect, axis)
      return covered.profile(rect, axis).map(count => emptyLine + (1 - EMPTY_PIXEL_COST) * count)
    },
  }
  return field
}
