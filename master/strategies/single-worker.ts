/** Control: the whole frame to the first worker; what one machine does, and the bytes every other plan must reproduce. */
import { frameRect } from '../../shared/rect.ts'
import { type Strategy, workingShares } from './strategy.ts'

export const singleWorker: Strategy = {
  name: 'single-worker',
  summary: 'control: the whole frame to one worker',
  source: 'control',
  wantsCoverage: () => false,
  plan: ({ size, workers }) =>
    workingShares(workers)
      .slice(0, 1)
      .map(({ id }) => ({ rect: frameRect(size), worker: id })),
}
