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

/** Third-party predictors by name; known to this process only. */
const plugged = new Map<string, CostPredictor>()

/** Registers a predictor by its name, which must not be a built-in one. */
export const plugInPredictor = (predictor: CostPredictor): void => void plugged.set(predictor.name, predictor)

/** @throws UnknownNameError */
export function predictorByName(name: string): CostPredictor {
  const predictor = predictors.find(candidate => candidate.name === name) ?? plugged.get(name)
  const names = predictors.map(candidate => candidate.name)
  if (!predictor) throw new UnknownNameError('predictor', name, names)
  return predictor
}
