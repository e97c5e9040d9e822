/** The registry of predictors: each one is a file of its own and a line here. */
import { UnknownNameError } from '../../../shared/errors.ts'
import { adaptiveBlend } from './adaptive-blend.ts'
import { last } from './last.ts'
import { median } from './median.ts'
import type { CostPredictor } from './predictor.ts'
import { reprojected } from './reprojected.ts'
import { trend } from './trend.ts'

export const predictors: readonly CostPredictor[] = [last, median, trend, reprojected, adaptiveBlend]

export type { CostPredictor }

/**
 * @param own predictors that are not built in
 * @throws UnknownNameError
 */
export function predictorByName(name: string, own: readonly CostPredictor[] = []): CostPredictor {
  const predictor = [...predictors, ...own].find(candidate => candidate.name === name)
  const names = predictors.map(candidate => candidate.name)
  if (!predictor) throw new UnknownNameError('predictor', name, names)
  return predictor
}
