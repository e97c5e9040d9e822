/** What a strategy is told of a frame, all but what a test cares about filled in. */
import { predictorByName } from '../../master/costs/predictors/index.ts'
import type { FrameInput } from '../../master/strategies/strategy.ts'
import { DEFAULT_STRATEGY_OPTIONS } from '../../shared/session/strategy-options.ts'
import { smallCamera } from './small-scene.ts'

export const frameInput = (known: Pick<FrameInput, 'size' | 'workers'> & Partial<FrameInput>): FrameInput => ({
  camera: smallCamera(0),
  options: DEFAULT_STRATEGY_OPTIONS,
  predictor: predictorByName(known.options?.predictor ?? DEFAULT_STRATEGY_OPTIONS.predictor),
  history: [],
  clock: 'cpu',
  ...known,
})
