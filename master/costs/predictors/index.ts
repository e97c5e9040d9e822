/** The registry of predictors: a new one is its own file and a line here. */
import { UnknownNameError } from '../../../shared/errors.ts'
import { hindsight } from './hindsight.ts'
import { last } from './last.ts'
import { median } from './median.ts'
import type { CostPredictor } from './predictor.ts'
import { reprojected } from './reprojected.ts'
import { trend } from './trend.ts'

export const predictors: readonly CostPredictor[] = [last, median, trend, reprojected, hindsight]

/** @throws UnknownNameError */
export function predictorByName(name: string): CostPredictor {
  const predictor = predictors.find(candidate => candidate.name === name)
  const names = predictors.map(candidate => candidate.name)
  if (!predictor) throw new UnknownNameError('predictor', name, names)
  return predictor
}
