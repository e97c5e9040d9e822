/**
 * Control: plans once, by coverage as `pbt` does its first frame, and repeats that plan for as long as the workers stay
 * the same. The difference from `pbt` is the value of feedback.
 */
import { pbt } from './pbt.ts'
import { sameWorkers } from './same-workers.ts'
import type { FrameInput, Plan, PlanContext, Strategy } from './strategy.ts'

export const frozen: Strategy = {
  name: 'frozen',
  summary: 'control: the first plan, split by coverage, repeated for every frame',
  advice: 'shows what feedback is worth: the difference from pbt',
  source: 'control',
  reads: ['damping', 'boundary', 'resistance'],
  wantsCoverage: input => !repeated(input),
  plan: input => repeated(input) ?? pbt.plan(withoutPrevious(input)),
}

/** The last plan, if it was made for the same workers. */
const repeated = ({ previous, workers }: PlanContext): Plan | undefined =>
  previous && sameWorkers(previous.workers, workers) ? previous.plan : undefined

const withoutPrevious = ({ previous: _, ...input }: FrameInput): FrameInput => input
