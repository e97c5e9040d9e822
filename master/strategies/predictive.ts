/**
 * This project's own: a Prediction Binary Tree cut through a fine cost map, with one cost per small cell instead of one
 * per leaf. The map is predicted for the next camera from those of earlier frames; if little of the next view was seen
 * before (the first frame, a camera cut), one pixel of each cell is traced first as a probe. Remaining prediction errors
 * are corrected while the frame is traced: workers that will end early take rows from those that will end late.
 */
import { frameRect } from '../../shared/frame/rect.ts'
import type { CostField } from '../costs/cost-field.ts'
import type { CostMap } from '../costs/cost-map.ts'
import { reprojectedCosts, SEEN_ENOUGH, sight } from '../costs/reprojected-costs.ts'
import { sampledCosts } from '../costs/resampled-costs.ts'
import { type LearnedSpeeds, learnSpeeds, takenSpeeds } from './learned-speeds.ts'
import { screenCosts } from './pbt.ts'
import { type FrameInput, type PlanContext, remembering, workingShares } from './strategy.ts'
import { nearestLines } from './trees/nearest-lines.ts'
import { cutTree, type SplitTree } from './trees/prediction-tree.ts'

/** Side of cells when costs are known for whole tiles only, px: fine enough for row stealing. */
const COARSE_CELL = 16

/** State carried from frame to frame; plain data. */
interface Memory {
  readonly tree: SplitTree
  readonly speeds: LearnedSpeeds
}

export const predictive = remembering<Memory>({
  name: 'predictive',
  summary:
    'ours: a Prediction Binary Tree over costs predicted for the next camera; workers that are done take rows from late ones',
  advice: 'the one to use: stays balanced while the camera moves, in the first frame and at cuts',
  source: 'this project, on Lin et al., §III',
  reads: ['damping', 'boundary', 'resistance', 'predictor', 'probe', 'rowStealing', 'learnSpeeds', 'cell'],
  cellSize: options => options.cell,
  wantsProbe: input => isShared(input) && probes(input) && seen(input) < SEEN_ENOUGH,
  wantsCoverage: input => isShared(input) && !input.previous && !probes(input),
  plan(input) {
    const { options, previous } = input
    if (!isShared(input))
      return { tiles: [{ rect: frameRect(input.size), worker: workingShares(input.workers)[0]!.id }] }
    const { predicted, costs } = predictedCosts(input)
    const last = previous?.plan.memory
    const speeds = options.learnSpeeds && previous ? learnSpeeds(last?.speeds ?? {}, previous, input.clock) : {}
    const learned = takenSpeeds(speeds, input.workers)
    const workers = workingShares(input.workers).map(({ id, speed }) => ({ id, speed: speed * (learned[id] ?? 1) }))
    const { tiles, tree } = cutTree(frameRect(input.size), workers, costs, options, last?.tree, nearestLines)
    return {
      tiles,
      ...(options.rowStealing ? { stealing: 'rows' } : {}),
      duplicates: true,
      ...(predicted ? { predicted } : {}),
      ...(Object.keys(learned).length > 0 ? { learned } : {}),
      memory: { tree, speeds },
      decisions: { probes: input.probe ? 1 : 0, learnedSpeeds: Object.keys(learned).length },
    }
  },
})

/** A single worker shares with no other: nothing need be known about the frame. */
const isShared = ({ workers }: PlanContext): boolean => workingShares(workers).length > 1

const probes = ({ options }: PlanContext): boolean => options.probe && options.cell > 0

/** Share of the next frame's costs that lies in what the newest frame saw. */
const seen = ({ history: [newest], camera, bodies }: PlanContext): number =>
  newest ? reprojectedCosts(newest, sight(camera, bodies)).seen : 0

interface PredictedCosts {
  readonly costs: CostField
  readonly predicted?: CostMap
}

function predictedCosts(input: FrameInput): PredictedCosts {
  const { probe, options, predictor, history, camera, bodies, previous, coverage, size } = input
  const fine = probe ?? (options.cell > 0 ? predictor.predict(history, camera, bodies) : undefined)
  if (fine) return { costs: fine.field(), predicted: fine }
  // As in `pbt`: by whole tiles, or by coverage.
  const costs = screenCosts(input)
  return { costs, ...(previous || coverage ? { predicted: sampledCosts(costs, size, COARSE_CELL) } : {}) }
}
