/**
 * Control: plans once, by coverage as `pbt` does its first frame, and repeats that plan for as long as the workers stay
 * the same. What feedback is worth is the difference to `pbt`.
 */
import { pbt } from './pbt.ts'
import { sameWorkers } from './same-workers.ts'
import type { FrameInput, KnownInput, Strategy } from './strategy.ts'

export const frozen: Strategy = {
  name: 'frozen',
  summary: 'control: the first plan, cut by coverage, repeated for every frame',
  advice: 'shows what feedback is worth: the difference to pbt',
  source: 'control',
  reads: ['damping', 'boundary', 'resistance'],
  wantsCoverage: input => !repeats(input),
  plan: input => (repeats(input) ? input.previous.plan : pbt.plan(withoutPrevious(input))),
}

function repeats(input: KnownInput): input is FrameInput & Required<Pick<FrameInput, 'previous'>> {
  return input.previous !== undefined && sameWorkers(input.previous.workers, input.workers)
}

const withoutPrevious = ({ previous: _, ...input }: FrameInput): FrameInput => input
